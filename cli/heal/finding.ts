import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Cluster, type Kind, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import type { Finding } from "./decision.ts";
import { asSecret, type Inputs, type PendingCreate, type PendingDelete, secretAs, unwrapped } from "./deployment.ts";

/** Where objects are looked for. Each is opened at the first that needs it. */
export interface Places {
  readonly cluster: (provider: Inputs) => Promise<Cluster>;
  readonly bucket: (name: string, provider: Inputs) => Promise<BucketState>;
}

/** Content of a bucket, and the creation time of an empty one if the caller may read it. */
export type BucketState =
  | { readonly holds: "nothing"; readonly made?: Date }
  | { readonly holds: "objects" }
  | { readonly holds: "no bucket" };

/** Places that keep connections open until they are closed. */
export interface OpenPlaces extends Places {
  close(): Promise<void>;
}

/** Looks for what a killed update may have made. @param create with its secrets in the clear */
export async function find(create: PendingCreate, places: Places): Promise<Finding> {
  const { resource, provider, since, isRecorded } = create;
  if (isRecorded) return { found: "recorded" };
  const inputs = unwrapped(resource.inputs ?? {}) as Inputs;
  if (resource.type.startsWith("kubernetes:"))
    return findObject(resource.inputs ?? {}, await places.cluster(provider), since);
  if (resource.type === "aws:s3/bucket:Bucket") return findBucket(String(inputs.bucket), provider, places, since);
  return { found: "internal" };
}

/** Whether an object whose delete was under way is gone. */
export async function isGone({ resource, provider }: PendingDelete, places: Places): Promise<boolean> {
  const object = unwrapped(resource.inputs ?? {}) as KubernetesObject;
  const cluster = await places.cluster(provider);
  const kind = await cluster.kind(object);
  return !kind || (await cluster.get(object, kind)) === undefined;
}

async function findBucket(
  name: string,
  provider: Inputs,
  { bucket }: Places,
  since: Date | undefined,
): Promise<Finding> {
  const state = await bucket(name, provider);
  if (state.holds === "no bucket") return { found: "nothing" };
  if (state.holds === "objects")
    return { found: "foreign", why: "A bucket of this name already holds objects, so it is older than the update." };
  if (!isSince(state.made, since)) return { found: "foreign", why: madeByOthers };
  return { found: "own", adopted: { id: name, outputs: {} } };
}

const madeByOthers = "It is older than the updates of this stack that failed.";

/** Clocks of servers give whole seconds. */
const toleranceMs = 2_000;

/** Whether updates since then can have made something; without a time the state itself says so. @param ahead how far the clock of its place is ahead of this one */
function isSince(made: Date | undefined, since: Date | undefined, ahead = 0): boolean {
  if (!since) return true;
  return made !== undefined && made.getTime() - ahead >= since.getTime() - toleranceMs;
}

/** Field manager under which objects are tried; nothing of it is stored. */
const triedAs = "hearth-heal";

async function findObject(inputs: Inputs, cluster: Cluster, since: Date | undefined): Promise<Finding> {
  const sent = unwrapped(inputs) as KubernetesObject;
  const kind = await cluster.kind(sent);
  const live = kind && (await cluster.get(sent, kind));
  if (!kind || !live) return { found: "nothing" };
  const { name, namespace } = sent.metadata;
  const manager = managerOf(live);
  if (manager === undefined) return { found: "foreign", why: "Pulumi did not make the existing object." };
  const { creationTimestamp } = live.metadata as { creationTimestamp?: string };
  const ahead = (cluster.date?.getTime() ?? Date.now()) - Date.now();
  if (!isSince(creationTimestamp === undefined ? undefined : new Date(creationTimestamp), since, ahead))
    return { found: "foreign", why: madeByOthers };
  if (JSON.stringify(sent).includes(unknown))
    return { found: "foreign", why: "Part of what the stack would send is only known after the update." };
  // The API server itself says whether what was sent is what is there: it knows the other forms of a quantity, and its defaults.
  const applied = await tryApply(cluster, sent, kind);
  if (!applied || !isDeepStrictEqual(content(applied), content(live)))
    return { found: "foreign", why: "The existing object is not as this stack sent it." };
  const id = namespace === undefined || !kind.namespaced ? name : `${namespace}/${name}`;
  // The next apply has to come from the manager that owns the fields, or a change of them is a conflict.
  const marks = { __fieldManager: manager, __initialApiVersion: sent.apiVersion };
  return { found: "own", adopted: { id, outputs: { ...recorded(live, inputs), ...marks } } };
}

/** What the API server makes of an object; undefined where it refuses the object as a change of the one that is there, as of a field that never changes. */
async function tryApply(cluster: Cluster, sent: KubernetesObject, kind: Kind): Promise<KubernetesObject | undefined> {
  try {
    return await cluster.tryApply(sent, kind, triedAs);
  } catch (error) {
    if (error instanceof Refusal && error.code === 422) return undefined;
    throw error;
  }
}

/** The live object as a state has it: without its managers, and with its secrets marked. */
function recorded({ metadata, ...object }: KubernetesObject, inputs: Inputs): Inputs {
  const { managedFields: _, ...rest } = metadata as unknown as Inputs;
  const marked = secretAs({ ...object, metadata: rest }, inputs) as Inputs;
  // Those of a Secret are secret, whatever they were made of.
  const isOpen = object.kind === "Secret" && "data" in object && isDeepStrictEqual(marked.data, object.data);
  return isOpen ? { ...marked, data: asSecret(object.data) } : marked;
}

/** Stands for a value that only an update makes known: pulumi/pulumi sdk/go/common/resource/plugin/rpc.go. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

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
