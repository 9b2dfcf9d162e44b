import type { HistoryEntry } from "../../heal/unnoted.ts";
import type { StateResource } from "./verdict.ts";

/** An entry of `pulumi stack history --json` with what it changed. */
export interface Operation extends HistoryEntry {
  readonly message?: string;
  /** Numbers of resources by what was done to them, e.g. `{"create": 3, "same": 200}`; absent where nothing was counted. */
  readonly resourceChanges?: Readonly<Record<string, number>>;
  /** Facts of where it ran, e.g. `git.head`. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The last operation on a stack and what it changed. */
export interface UpdateView {
  /** In Pulumi's word, e.g. `update`. */
  readonly kind: string;
  readonly result: string;
  /** As RFC 3339. */
  readonly started: string;
  readonly ended?: string;
  readonly message?: string;
  /** The commit that it was run from. */
  readonly commit?: string;
  /** Numbers of resources by what was done to them, those that stayed the same left out. */
  readonly changes: Readonly<Record<string, number>>;
  /** Resources that it made and that are still there, e.g. `Deployment platform/forge-webservice`. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
}

/** What an operation did, from the history, which counts, and the state, which has when each resource was last changed. */
export function updateView(operation: Operation, resources: readonly StateResource[]): UpdateView {
  const { kind, result, startTime, endTime, message, environment = {}, resourceChanges = {} } = operation;
  const { same: _, ...changes } = resourceChanges;
  // The history has whole seconds.
  const [start, end] = [Date.parse(startTime), endTime === undefined ? Infinity : Date.parse(endTime) + 1_000];
  const isOf = (time: string | undefined) => time !== undefined && Date.parse(time) >= start && Date.parse(time) <= end;
  const created = resources.filter((each) => isOf(each.created));
  const updated = resources.filter((each) => !isOf(each.created) && isOf(each.modified));
  const commit = environment["git.head"];
  return {
    ...{ kind, result, started: startTime, changes },
    ...(endTime !== undefined && { ended: endTime }),
    ...(message && { message }),
    ...(commit && { commit }),
    created: created.map(nameOf),
    updated: updated.map(nameOf),
  };
}

function nameOf({ type, urn }: StateResource): string {
  return `${type.replace(/^.*[:/]/, "")} ${urn.replace(/^.*::/, "")}`;
}
