import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { Cluster } from "@hearth-platform/stack/cluster/cluster";
import type { Finding } from "./decision.ts";
import { type Inputs, type PendingCreate, unwrapped } from "./deployment.ts";

/** Where objects are looked for. Each is opened at the first that needs it. */
export interface Places {
  readonly cluster: (provider: Inputs) => Promise<Cluster>;
  readonly bucket: (name: string, provider: Inputs) => Promise<"absent" | "empty" | "used">;
}

/** Places that keep connections open until they are closed. */
export interface OpenPlaces extends Places {
  close(): Promise<void>;
}

/** Looks for what a killed update may have made. @param create with its secrets in the clear */
export async function find({ resource, provider }: PendingCreate, places: Places): Promise<Finding> {
  const inputs = unwrapped(resource.inputs ?? {}) as Inputs;
  if (resource.type.startsWith("kubernetes:"))
    return findObject(inputs as unknown as KubernetesObject, await places.cluster(provider));
  if (resource.type === "aws:s3/bucket:Bucket") return findBucket(String(inputs.bucket), provider, places);
  return { found: "internal" };
}

async function findBucket(name: string, provider: Inputs, { bucket }: Places): Promise<Finding> {
  const state = await bucket(name, provider);
  if (state === "absent") return { found: "nothing" };
  if (state === "empty") return { found: "own", adopted: { id: name, outputs: {} } };
  return { found: "foreign", why: "A bucket of this name holds objects already, so it is older than the update." };
}

/** Field manager under which objects are tried; nothing of it is stored. */
const triedAs = "hearth-heal";

async function findObject(sent: KubernetesObject, cluster: Cluster): Promise<Finding> {
  const kind = await cluster.kind(sent);
  const live = kind && (await cluster.get(sent, kind));
  if (!kind || !live) return { found: "nothing" };
  const { name, namespace } = sent.metadata;
  const manager = managerOf(live);
  if (manager === undefined) return { found: "foreign", why: "Pulumi did not make the object that is there." };
  // The API server itself says whether what was sent is what is there: it knows the other forms of a quantity, and its defaults.
  const applied = await cluster.tryApply(sent, kind, triedAs);
  if (!isDeepStrictEqual(content(applied), content(live)))
    return { found: "foreign", why: "The object that is there is not as this stack sent it." };
  const id = namespace === undefined || !kind.namespaced ? name : `${namespace}/${name}`;
  // The next apply has to come from the manager that owns the fields, or a change of them is a conflict.
  return { found: "own", adopted: { id, outputs: { __fieldManager: manager, __initialApiVersion: sent.apiVersion } } };
}

/** Under which name Pulumi manages an object; undefined where it does not. */
function managerOf({ metadata }: KubernetesObject): string | undefined {
  const { managedFields = [] } = metadata as { managedFields?: readonly { manager?: string }[] };
  return managedFields.map(({ manager = "" }) => manager).find((manager) => manager.startsWith("pulumi-kubernetes"));
}

/** An object without what the API server keeps about its history. */
function content({ metadata, ...object }: KubernetesObject) {
  const { managedFields: _, resourceVersion: __, generation: ___, ...rest } = metadata as unknown as Inputs;
  const { status: ____, ...fields } = object as unknown as Inputs;
  return { ...fields, metadata: rest };
}
