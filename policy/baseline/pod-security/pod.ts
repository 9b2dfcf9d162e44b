/** Reading a pod of unknown shape: whatever is not there, or is of another type, is `undefined` or an empty list. */

/** A container of any of a pod's three lists, and its path in the pod. */
export interface LocatedContainer {
  readonly path: string;
  readonly container: unknown;
}

/** The value at a path of names. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found ?? undefined;
}

/** The entries of a list. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** All containers of a pod: init containers (sidecars among them), containers, ephemeral containers. */
export function containersOf(pod: unknown): LocatedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    items(at(pod, "spec", list)).map((container, index) => ({ path: `spec.${list}[${index}]`, container })),
  );
}

/** The security contexts of a pod and of its containers, as far as they are there. */
export function securityContexts(pod: unknown): { path: string; context: unknown }[] {
  return [
    { path: "spec.securityContext", context: at(pod, "spec", "securityContext") },
    ...containersOf(pod).map(({ path, container }) => ({
      path: `${path}.securityContext`,
      context: at(container, "securityContext"),
    })),
  ].filter(({ context }) => context !== undefined);
}

/** Whether the pod has its own user namespace, in which root is nobody on the node. */
export function inUserNamespace(pod: unknown): boolean {
  return at(pod, "spec", "hostUsers") === false;
}

/** Whether the pod runs on Windows nodes, which know no escalation, capabilities or seccomp. */
export function onWindows(pod: unknown): boolean {
  return at(pod, "spec", "os", "name") === "windows";
}
