import { begunCreates, isSamePlace } from "@hearth-platform/hearth/core/recorded-state";

/** A stack's state as `pulumi stack export` writes it, as far as it is read here: pulumi/pulumi sdk/go/common/apitype/core.go. */
export interface Export {
  readonly version: number;
  /** Absent of a stack that has had no update. */
  readonly deployment?: Deployment | null;
}

export interface Deployment {
  readonly resources?: readonly Resource[];
  /** Operations that the last update began and did not finish; absent if it finished. */
  readonly pending_operations?: readonly Operation[];
}

export interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Inputs;
  readonly outputs?: Inputs;
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

export type Inputs = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly type: "creating" | "updating" | "deleting" | "reading" | "importing";
  readonly resource: Resource;
}

/** A create that was under way when the update ended, with the inputs of its provider. */
export interface PendingCreate {
  readonly resource: Resource;
  readonly provider: Inputs;
  /** From when on an update may have made the object, if the state does not record the operation. */
  readonly since?: Date;
  /** The state has the object: a later update ended what this one began. */
  readonly isRecorded?: boolean;
}

/** A delete that was under way when the update ended, with the inputs of its provider. */
export type PendingDelete = Pick<PendingCreate, "resource" | "provider">;

/** An adopted object: its id, and the outputs known before it is read. */
export interface Adopted {
  readonly id: string;
  readonly outputs: Inputs;
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

/** Kubernetes objects of which the state lacks what they were last sent: an older heal left them so, or an older sandbox. */
export function incomplete({ deployment }: Export): Resource[] {
  return (deployment?.resources ?? []).filter(isIncomplete);
}

const isIncomplete = ({ type, id, inputs, outputs, delete: goes }: Resource) =>
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
  unnoted: readonly Resource[] = [],
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
  const healed = resources.flatMap((resource): Resource[] => {
    const { urn } = resource;
    const made = resource.delete ? undefined : ended.get(urn);
    if (!made)
      return [completed(gone.has(urn) && !resource.delete ? { ...resource, pendingReplacement: true } : resource)];
    replaced.add(urn);
    // One that was not deleted first is deleted by the next update.
    return resource.pendingReplacement ? [made] : [made, { ...completed(resource), delete: true }];
  });
  const added = [...ended.values()].filter(({ urn }) => !replaced.has(urn));
  return { ...state, deployment: { ...state.deployment, resources: [...healed, ...added], pending_operations: [] } };
}

/** As the provider would have recorded it. */
function ending(resource: Resource, { id, outputs }: Adopted): Resource {
  return completed({ ...resource, id, outputs: { ...resource.inputs, ...outputs } });
}

/** With what the object was last sent, which the provider compares with: pulumi/pulumi-kubernetes provider/pkg/provider/provider.go, checkpointObject. */
function completed(resource: Resource): Resource {
  if (!isIncomplete(resource)) return resource;
  return { ...resource, outputs: { ...resource.inputs, ...resource.outputs, __inputs: resource.inputs } };
}

/** A value of a state with those parts secret that are secret in another: what is there, by what was sent. */
export function secretAs(value: unknown, sent: unknown): unknown {
  if (typeof value !== "object" || value === null || typeof sent !== "object" || sent === null) return value;
  if (Array.isArray(value)) return value.map((each, index) => secretAs(each, (sent as Inputs)[index]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const counterpart = (sent as Inputs)[key];
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
