import { begunCreates, isSamePlace } from "@hearth-platform/hearth/core/data-safety/recorded-state";

/** A stack's state as `pulumi stack export` writes it, as far as it is read here: pulumi/pulumi sdk/go/common/apitype/core.go. */
export interface Export {
  readonly version: number;
  /** Absent of a stack that has had no update. */
  readonly deployment?: Deployment | null;
}

export interface Deployment {
  /** How the state's secrets are encrypted. */
  readonly secrets_providers?: object;
  readonly resources?: readonly StateResource[];
  /** Operations that the last update began and did not finish; absent if it finished. */
  readonly pending_operations?: readonly PendingOperation[];
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  /** False of a component, which has no id. */
  readonly custom?: boolean;
  readonly id?: string;
  readonly parent?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  readonly deletedWith?: string;
  readonly inputs?: StateInputs;
  readonly outputs?: StateInputs;
  /** `URN::ID` of the provider. */
  readonly provider?: string;
  /** When it was created, as RFC 3339. */
  readonly created?: string;
  /** It was deleted, to be made anew. */
  readonly pendingReplacement?: boolean;
  /** It is replaced already, and only to be deleted. */
  readonly delete?: boolean;
  readonly protect?: boolean;
}

export type StateInputs = Readonly<Record<string, unknown>>;

export interface PendingOperation {
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
  readonly resource: StateResource;
}

/** A create that was under way when the update ended, with the inputs of its provider. */
export interface PendingCreate {
  readonly resource: StateResource;
  readonly provider: StateInputs;
  /** From when on an update may have made the object, if the state does not record the operation. */
  readonly since?: Date;
  /** The state has the object: a later update ended what this one began. */
  readonly isRecorded?: boolean;
  /** The state of what was made is lost: the object itself has to prove whose it is. */
  readonly isLost?: boolean;
  /** Paths of fields that something in the cluster owns, with dots: what is there counts as sent. */
  readonly ignoreChanges?: readonly string[];
}

/** A delete that was under way when the update ended, with the inputs of its provider. */
export type PendingDelete = Pick<PendingCreate, "resource" | "provider">;

/** An adopted object: its id, and the outputs known before it is read. */
export interface Adopted {
  /** A component has none. */
  readonly id?: string;
  readonly outputs: StateInputs;
  /** @default the resource's own */
  readonly inputs?: StateInputs;
}

/** Creates that were under way. */
export function pendingCreates({ deployment }: Export): PendingCreate[] {
  const { pending_operations = [], resources = [] } = deployment ?? {};
  return begunCreates(resources, pending_operations).map((begun) => ({
    ...begun,
    provider: resources.find(({ urn, id }) => `${urn}::${id}` === begun.resource.provider)?.inputs ?? {},
  }));
}

/** Deletes of Kubernetes objects that were under way, and that the state has no word of otherwise. */
export function pendingDeletes({ deployment }: Export): PendingDelete[] {
  const { pending_operations = [], resources = [] } = deployment ?? {};
  return pending_operations.flatMap(({ type, resource: { urn, id } }) => {
    const resource = resources.find((each) => each.urn === urn && each.id === id && !each.delete);
    if (
      type !== "deleting" ||
      !resource?.type.startsWith("kubernetes:") ||
      resource.pendingReplacement ||
      resource.protect
    )
      return [];
    return {
      resource,
      provider: resources.find((each) => `${each.urn}::${each.id}` === resource.provider)?.inputs ?? {},
    };
  });
}

/** Objects of which the state lacks what they were last sent, and buckets that no provider has read: a heal that was killed left them so, or an older sandbox. */
export function incomplete({ deployment }: Export): StateResource[] {
  return (deployment?.resources ?? []).filter((resource) => isIncomplete(resource) || isUnreadBucket(resource));
}

const isUnreadBucket = ({ type, outputs, delete: goes }: StateResource) =>
  type === "aws:s3/bucket:Bucket" && !goes && outputs?.arn === undefined;

const isIncomplete = ({ type, id, inputs, outputs, delete: goes }: StateResource) =>
  type.startsWith("kubernetes:") && id !== undefined && inputs?.kind !== undefined && !goes && !outputs?.__inputs;

/**
 * The state without pending operations, as a refresh leaves it, with those creates and deletes ended that the update
 * ended. An adopted object stands where the one stood that it replaces: what depends on it comes after.
 * @param adopted by URN
 * @param unnoted creates that are not among the state's pending operations
 * @param gone URNs of objects that were deleted; the engine makes them anew, or forgets them
 */
export function withAdopted(
  state: Export,
  adopted: ReadonlyMap<string, Adopted>,
  unnoted: readonly StateResource[] = [],
  gone: ReadonlySet<string> = new Set(),
): Export {
  const { resources = [] } = state.deployment ?? {};
  const noted = pendingCreates(state).filter(({ isRecorded }) => !isRecorded);
  const created = [...noted.map(({ resource }) => resource), ...unnoted];
  const ended = new Map(
    created.flatMap((resource) => {
      const found = adopted.get(resource.urn);
      return found ? [[resource.urn, ending(resource, found)] as const] : [];
    }),
  );
  const replaced = new Set<string>();
  const healed = resources.flatMap((resource): StateResource[] => {
    const { urn } = resource;
    const made = resource.delete ? undefined : ended.get(urn);
    if (!made)
      return [completed(gone.has(urn) && !resource.delete ? { ...resource, pendingReplacement: true } : resource)];
    replaced.add(urn);
    // One that was not deleted first is deleted by the next update, unless it is the same object, and was changed.
    return resource.pendingReplacement || isSamePlace(resource, made)
      ? [made]
      : [made, { ...completed(resource), delete: true }];
  });
  const added = [...ended.values()].filter(({ urn }) => !replaced.has(urn));
  return { ...state, deployment: { ...state.deployment, resources: [...healed, ...added], pending_operations: [] } };
}

export const isProvider = ({ type }: Pick<StateResource, "type">) => type.startsWith("pulumi:providers:");

/** As the provider would have recorded it. */
function ending(resource: StateResource, { id, outputs, inputs = resource.inputs }: Adopted): StateResource {
  if (resource.custom === false || isProvider(resource))
    return { ...resource, ...(id !== undefined && { id }), outputs };
  return completed({ ...resource, id, inputs, outputs: { ...inputs, ...outputs } });
}

/**
 * A state of resources in any order as the engine takes it: what a resource names stands before it, and what is not there
 * is not named. The next update names it again.
 */
export function inEngineOrder(state: Export): Export {
  const { resources = [] } = state.deployment ?? {};
  const current = new Map<string, StateResource>();
  for (const resource of resources)
    if (!resource.delete || !current.has(resource.urn)) current.set(resource.urn, resource);
  const sorted = new Set<StateResource>();
  const begun = new Set<StateResource>();
  const add = (resource: StateResource) => {
    if (begun.has(resource)) return;
    begun.add(resource);
    for (const urn of named(resource)) {
      const other = current.get(urn);
      if (other) add(other);
    }
    sorted.add(resource);
  };
  resources.forEach(add);
  const isThere = (urn: string) => current.has(urn);
  const ordered = [...sorted].map(({ dependencies, propertyDependencies, deletedWith, ...resource }) => ({
    ...resource,
    ...(dependencies && { dependencies: dependencies.filter(isThere) }),
    ...(propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(propertyDependencies).map(([name, urns]) => [name, urns.filter(isThere)]),
      ),
    }),
    ...(deletedWith !== undefined && isThere(deletedWith) && { deletedWith }),
  }));
  return { ...state, deployment: { ...state.deployment, resources: ordered } };
}

/** URNs that a resource names. */
function named({
  parent,
  provider,
  dependencies = [],
  propertyDependencies = {},
  deletedWith,
}: StateResource): string[] {
  const providerUrn = provider?.slice(0, provider.lastIndexOf("::"));
  const one = [parent, providerUrn, deletedWith].filter((urn) => urn !== undefined);
  return [...one, ...dependencies, ...Object.values(propertyDependencies).flat()];
}

/** With what the object was last sent, which the provider compares with: pulumi/pulumi-kubernetes provider/pkg/provider/provider.go, checkpointObject. */
function completed(resource: StateResource): StateResource {
  if (!isIncomplete(resource)) return resource;
  return { ...resource, outputs: { ...resource.inputs, ...resource.outputs, __inputs: resource.inputs } };
}

/** A value of a state with those parts secret that are secret in another: what is there, by what was sent. */
export function secretAs(value: unknown, sent: unknown): unknown {
  if (typeof value !== "object" || value === null || typeof sent !== "object" || sent === null) return value;
  if (Array.isArray(value)) return value.map((each, index) => secretAs(each, (sent as StateInputs)[index]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const counterpart = (sent as StateInputs)[key];
      return [key, isSecret(counterpart) ? asSecret(inner) : secretAs(inner, counterpart)];
    }),
  );
}

const isSecret = (value: unknown) => typeof value === "object" && value !== null && secretSignature in value;

/** Pulumi encrypts it when it reads the state. */
export const asSecret = (value: unknown) => ({ [secretSignature]: secretMark, plaintext: JSON.stringify(value) });

/** The values in place of secrets, of a state that was exported with them: `--show-secrets`. */
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== "object" || value === null) return value;
  if (secretSignature in value && "plaintext" in value) return unwrapped(JSON.parse(String(value.plaintext)));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}

/** Marks a secret in a state: pulumi/pulumi sdk/go/common/resource/sig. */
const secretSignature = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";
