import { type Export, type PendingCreate, pendingCreates } from "./deployment.ts";
import { type Proposal, proposedStates } from "./proposal.ts";

/**
 * Creates that the state has no word of: when a provider's plugin dies, or loses its server, the engine takes the call
 * for failed and forgets it, although the object may be there. What an update would create tells which they can be.
 */

/** An entry of `pulumi stack history --json`: pulumi/pulumi pkg/cmd/pulumi/stack/stack_history.go. */
export interface HistoryEntry {
  readonly kind: string;
  readonly result: string;
  readonly startTime: string;
  readonly endTime?: string;
}

/**
 * From when on updates may have made objects that the state has no word of: since the last that succeeded. Undefined if the
 * last update of all succeeded.
 * @param history the latest first; an update that was killed is not in it
 */
export function unfinishedSince(
  history: readonly HistoryEntry[],
  { deployment }: Export,
  wasKilled: boolean,
): Date | undefined {
  const updates = history.filter(({ kind }) => kind === "update");
  const succeeded = updates.find(({ result }) => result === "succeeded");
  const created = (deployment?.resources ?? []).flatMap((resource) => resource.created ?? []);
  const end = succeeded && Date.parse(succeeded.endTime ?? succeeded.startTime);
  // A heal that was killed may have released the lock that told of the killed update.
  const isYounger = end !== undefined && created.some((time) => Date.parse(time) > end + toleranceMs);
  if (!wasKilled && !isYounger && updates[0] === succeeded) return undefined;
  if (end !== undefined) return new Date(end);
  const times = [...updates.map(({ startTime }) => startTime), ...created].map((time) => Date.parse(time));
  return new Date(Math.min(Date.now(), ...times));
}

/** The history gives whole seconds. */
const toleranceMs = 1_000;

/** Proposed creates whose provider exists already: an earlier update may have sent them. @param state with its secrets in the clear */
export function proposedCreates(proposal: Proposal, state: Export, since: Date): PendingCreate[] {
  const operations = proposedStates(proposal, state).flatMap(({ op, resource }) =>
    op === "update" ? [] : [{ type: "creating" as const, resource }],
  );
  const { resources = [], pending_operations: noted = [] } = state.deployment ?? {};
  const known = new Set(noted.map(({ resource }) => resource.urn));
  const providers = new Set(resources.map(({ urn, id }) => `${urn}::${id}`));
  const unnoted = operations.filter(
    ({ resource }) => !known.has(resource.urn) && providers.has(String(resource.provider)),
  );
  return pendingCreates({ ...state, deployment: { resources, pending_operations: unnoted } })
    .filter(({ isRecorded }) => !isRecorded)
    .map((create) => ({ ...create, since }));
}
