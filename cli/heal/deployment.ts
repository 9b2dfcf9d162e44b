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
}

/** An adopted object: its id, and the outputs known before it is read. */
export interface Adopted {
  readonly id: string;
  readonly outputs: Inputs;
}

/** Creates that were under way. Where a resource stands in the state by the same URN, and was not deleted first, it is not one of them. */
export function pendingCreates({ deployment }: Export): PendingCreate[] {
  const { pending_operations = [], resources = [] } = deployment ?? {};
  const kept = new Set(resources.filter((each) => !each.pendingReplacement).map(({ urn }) => urn));
  return pending_operations
    .filter(({ type, resource }) => type === "creating" && !kept.has(resource.urn))
    .map(({ resource }) => ({
      resource,
      provider: resources.find(({ urn, id }) => `${urn}::${id}` === resource.provider)?.inputs ?? {},
    }));
}

/**
 * The state without pending operations, as a refresh leaves it, with those creates ended that are adopted.
 * @param adopted by URN
 * @param unnoted creates that are not among the state's pending operations
 */
export function withAdopted(
  state: Export,
  adopted: ReadonlyMap<string, Adopted>,
  unnoted: readonly Resource[] = [],
): Export {
  const { resources = [], pending_operations = [] } = state.deployment ?? {};
  const ended = [...pending_operations.map(({ resource }) => resource), ...unnoted].flatMap((resource): Resource[] => {
    const found = adopted.get(resource.urn);
    return found ? [{ ...resource, id: found.id, outputs: { ...resource.inputs, ...found.outputs } }] : [];
  });
  return {
    ...state,
    deployment: {
      ...state.deployment,
      resources: [...resources.filter(({ urn }) => !adopted.has(urn)), ...ended],
      pending_operations: [],
    },
  };
}

/** The values in place of secrets, of a state that was exported with them: `--show-secrets`. */
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== "object" || value === null) return value;
  if (secretSignature in value && "plaintext" in value) return unwrapped(JSON.parse(String(value.plaintext)));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}

/** Marks a secret in a state: pulumi/pulumi sdk/go/common/resource/sig. */
export const secretSignature = "4dabf18193072939515e22adb298388d";
