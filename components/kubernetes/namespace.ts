import type { KubernetesObject, PlannedObject } from "../core/plan.ts";
import type { PlatformArgs } from "../core/platform-args.ts";

/** Pod Security level the API server enforces in a namespace. */
export type PodSecurityLevel = "restricted" | "baseline" | "privileged";

/**
 * A namespace under Pod Security admission; nothing where it exists already. It holds data: deleting it deletes the volume claims in it.
 * @param enforce level that pods must keep; what the restricted level would refuse is always audited
 */
export function planNamespace(
  name: string,
  { existingNamespaces }: Pick<PlatformArgs, "existingNamespaces">,
  enforce: PodSecurityLevel = "restricted",
): PlannedObject[] {
  if (existingNamespaces?.includes(name)) return [];
  const object = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      labels: {
        "app.kubernetes.io/managed-by": "hearth",
        "pod-security.kubernetes.io/enforce": enforce,
        "pod-security.kubernetes.io/warn": enforce,
        "pod-security.kubernetes.io/audit": "restricted",
      },
    },
  } satisfies KubernetesObject;
  return [{ object, holdsData: true }];
}

/** A namespace for pods that keep nothing: it may be deleted. */
export function planNamespaceWithoutData(...args: Parameters<typeof planNamespace>): PlannedObject[] {
  return planNamespace(...args).map(({ object }) => ({ object }));
}
