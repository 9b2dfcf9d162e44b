import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Kind, type LiveCluster, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import { pulumiManager, restoredVolume } from "@hearth-platform/stack/live/preflight/taken";
import type { Sighting } from "./decision.ts";
import {
  asSecret,
  type PendingCreate,
  type PendingDelete,
  type StateInputs,
  secretAs,
  unwrapped,
} from "./deployment.ts";

/** Where objects are looked for. Each is opened at the first that needs it. */
export interface LiveStores {
  readonly cluster: (provider: StateInputs) => Promise<LiveCluster>;
  readonly bucket: (name: string, provider: StateInputs) => Promise<BucketState>;
  /** Digest of an image in its registry; undefined where that can't be told. */
  readonly digest: (image: string) => Promise<string | undefined>;
}

/** Content of a bucket, and the creation time of an empty one if the caller may read it. */
export type BucketState =
  | ({ readonly holds: "nothing"; readonly made?: Date } & BucketOwner)
  | ({ readonly holds: "objects" } & BucketOwner)
  | { readonly holds: "no bucket" };

interface BucketOwner {
  /** Whether it is among the buckets of the caller's keys. */
  readonly isOwn?: boolean;
  /** Where it is, if the store says so. */
  readonly region?: string;
}

/** Places that keep connections open until they are closed. */
export interface OpenPlaces extends LiveStores {
  close(): Promise<void>;
}

/** Looks for what a killed update may have made. @param create with its secrets in the clear */
export async function find(create: PendingCreate, places: LiveStores): Promise<Sighting> {
  const { resource, provider, since, isRecorded, isLost } = create;
  if (isRecorded) return { found: "recorded" };
  const inputs = unwrapped(resource.inputs ?? {}) as StateInputs;
  if (resource.type.startsWith("kubernetes:")) return findObject(create, await places.cluster(provider));
  if (isLost && resource.type.startsWith("aws:s3/"))
    return findOwnBucket(String(inputs.bucket), provider, await places.bucket(String(inputs.bucket), provider));
  if (resource.type === "aws:s3/bucket:Bucket") return findBucket(String(inputs.bucket), provider, places, since);
  return { found: "internal" };
}

/** Whether an object whose delete was under way is gone. */
export async function isGone({ resource, provider }: PendingDelete, places: LiveStores): Promise<boolean> {
  const object = unwrapped(resource.inputs ?? {}) as KubernetesObject;
  const cluster = await places.cluster(provider);
  const kind = await cluster.kind(object);
  return !kind || (await cluster.get(object, kind)) === undefined;
}

async function findBucket(
  name: string,
  provider: StateInputs,
  { bucket }: LiveStores,
  since: Date | undefined,
): Promise<Sighting> {
  const state = await bucket(name, provider);
  if (state.holds === "no bucket") return { found: "nothing" };
  if (state.holds === "objects")
    return { found: "foreign", why: "A bucket of this name already holds objects, so it is older than the update." };
  if (!isSince(state.made, since)) return { found: "foreign", why: madeByOthers };
  return { found: "own", adopted: { id: name, outputs: {} } };
}

/** A bucket of a lost state holds objects: owner and region tell whose it is. Its settings are read after it. */
function findOwnBucket(name: string, { region }: StateInputs, state: BucketState): Sighting {
  if (state.holds === "no bucket") return { found: "nothing" };
  if (!state.isOwn)
    return { found: "foreign", why: "It is not among the buckets of your keys, or they may not list buckets." };
  if (state.region !== undefined && state.region !== region)
    return { found: "foreign", why: `It is in ${state.region}, and the settings say ${region}.` };
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

async function findObject(
  { resource, since, ignoreChanges = [] }: PendingCreate,
  cluster: LiveCluster,
): Promise<Sighting> {
  const named = unwrapped(resource.inputs ?? {}) as KubernetesObject;
  const kind = await cluster.kind(named);
  const live = kind && (await cluster.get(named, kind));
  if (!kind || !live) return { found: "nothing" };
  const inputs = ignoreChanges.reduce((all, path) => withField(all, live, path.split(".")), resource.inputs ?? {});
  const sent = unwrapped(inputs) as KubernetesObject;
  const { name, namespace } = sent.metadata;
  const manager = pulumiManager(live);
  if (manager === undefined) {
    const hint = live.kind === "PersistentVolumeClaim" ? ` ${restoredVolume}` : "";
    return { found: "foreign", why: `Pulumi did not make the existing object.${hint}` };
  }
  const { creationTimestamp } = live.metadata as { creationTimestamp?: string };
  const ahead = (cluster.date?.getTime() ?? Date.now()) - Date.now();
  if (!isSince(creationTimestamp === undefined ? undefined : new Date(creationTimestamp), since, ahead))
    return { found: "foreign", why: madeByOthers };
  if (JSON.stringify(sent).includes(unknownValue))
    return { found: "foreign", why: "Part of what the stack would send is only known after the update." };
  // The API server itself says whether what was sent is what is there: it knows the other forms of a quantity, and its defaults.
  const applied = await tryApply(cluster, sent, kind);
  // Of an object that the API server refuses only what was sent can be compared.
  const paths = applied ? differences(content(applied), content(live)) : differences(sent, live, true);
  if (!applied || paths.length > 0)
    return { found: "foreign", why: `The existing object is not as this stack sent it${differing(paths)}.` };
  const id = namespace === undefined || !kind.namespaced ? name : `${namespace}/${name}`;
  // The next apply has to come from the manager that owns the fields, or a change of them is a conflict.
  const marks = { __fieldManager: manager, __initialApiVersion: sent.apiVersion };
  return { found: "own", adopted: { id, inputs, outputs: { ...recorded(live, inputs), ...marks } } };
}

/** An object with a field as another has it, or without it. */
function withField(object: object, other: unknown, [name = "", ...rest]: readonly string[]): StateInputs {
  const { [name]: own, ...others } = object as StateInputs;
  const value = typeof other === "object" && other !== null ? (other as StateInputs)[name] : undefined;
  if (rest.length > 0) return { ...others, [name]: withField((own ?? {}) as object, value, rest) };
  return { ...others, ...(value !== undefined && { [name]: value }) };
}

/** What the API server makes of an object; undefined where it refuses the object as a change of the one that is there, as of a field that never changes. */
async function tryApply(
  cluster: LiveCluster,
  sent: KubernetesObject,
  kind: Kind,
): Promise<KubernetesObject | undefined> {
  try {
    return await cluster.tryApply(sent, kind, triedAs);
  } catch (error) {
    if (error instanceof Refusal && error.code === 422) return undefined;
    throw error;
  }
}

/** The live object as a state has it: without its managers, and with its secrets marked. */
function recorded({ metadata, ...object }: KubernetesObject, inputs: StateInputs): StateInputs {
  const { managedFields: _, ...rest } = metadata as unknown as StateInputs;
  const marked = secretAs({ ...object, metadata: rest }, inputs) as StateInputs;
  // Those of a Secret are secret, whatever they were made of.
  const isOpen = object.kind === "Secret" && "data" in object && isDeepStrictEqual(marked.data, object.data);
  return isOpen ? { ...marked, data: asSecret(object.data) } : marked;
}

/** Stands for a value that only an update makes known: pulumi/pulumi sdk/go/common/resource/plugin/rpc.go. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How many fields a message names. */
const mostFields = 3;

const differing = (paths: readonly string[]) =>
  paths.length === 0
    ? ""
    : `: ${[...paths.slice(0, mostFields), ...(paths.length > mostFields ? ["…"] : [])].join(", ")}`;

/** Paths of what differs, without a value. @param ofSent only of what the first has */
function differences(sent: unknown, live: unknown, ofSent = false, path = ""): string[] {
  if (isDeepStrictEqual(sent, live)) return [];
  const [one, other] = [sent, live].map((value) => (typeof value === "object" && value !== null ? value : undefined));
  if (!one || !other || Array.isArray(one) !== Array.isArray(other)) return [path];
  return [...new Set([...Object.keys(one), ...(ofSent ? [] : Object.keys(other))])].flatMap((key) =>
    differences(
      one[key as never],
      other[key as never],
      ofSent,
      Array.isArray(one) ? `${path}[${key}]` : [path, key].filter(Boolean).join("."),
    ),
  );
}

/** An object without what the API server keeps about its history. */
function content({ metadata, ...object }: KubernetesObject) {
  const { managedFields: _, resourceVersion: __, generation: ___, ...rest } = metadata as unknown as StateInputs;
  const { status: ____, ...fields } = object as unknown as StateInputs;
  return { ...fields, metadata: rest };
}
