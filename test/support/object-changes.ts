/** What `pulumi up` does: `roll` is an update that makes an object's pods anew, `rerun` a Job that runs again. */
export type Operation = "create" | "update" | "roll" | "rerun" | "replace" | "delete";

/** What becomes of an object. */
export interface ObjectChange {
  readonly operation: Operation;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Whether a change at the path (its first two keys) makes the pods of a workload anew. */
export function rollsPods(kind: string, first: unknown, second: unknown): boolean {
  return ["Deployment", "StatefulSet"].includes(kind) && first === "spec" && second === "template";
}

/**
 * The changes in words, each once and sorted: `roll Deployment forge-jobs`. An object of another namespace has it before a slash.
 * Where another object of the kind takes its place under a name with another hash or version, it is replaced; a Job runs again.
 */
export function inWords(namespace: string, changes: readonly ObjectChange[]): string[] {
  const texts = changes.map((change) => {
    const place = change.namespace === undefined || change.namespace === namespace ? "" : `${change.namespace}/`;
    return `${operationOf(change, changes)} ${change.kind} ${place}${lastingName(change.name)}`;
  });
  return [...new Set(texts)].sort();
}

function operationOf(change: ObjectChange, changes: readonly ObjectChange[]): Operation {
  const succeeded = changes.some(
    ({ operation, kind, namespace, name }) =>
      operation !== change.operation &&
      kind === change.kind &&
      namespace === change.namespace &&
      lastingName(name) === lastingName(change.name),
  );
  const operation = succeeded ? "replace" : change.operation;
  return operation === "replace" && change.kind === "Job" ? "rerun" : operation;
}

/** `hub-settings-1a2b3c4d` → `hub-settings`, `hub-migrations-2-14-3` → `hub-migrations`. */
function lastingName(name: string): string {
  return name.replace(/-(?:[0-9a-f]{8}|\d+-\d+-\d+)$/, "");
}
