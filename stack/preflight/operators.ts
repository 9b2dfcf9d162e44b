import { groupOf, type Prerequisite, prerequisiteOf } from "@hearth-platform/hearth/catalogue/prerequisites";

const kubernetes: Bringer = { name: "Kubernetes", remedy: "Upgrade the cluster to Kubernetes 1.30 or newer." };

/** Who brings a kind: an operator, Kubernetes itself, or an operator that only the settings know. */
export type Bringer = Pick<Prerequisite, "name" | "remedy">;

export function bringerOf(apiVersion: string): Bringer {
  const known = prerequisiteOf(apiVersion);
  if (known) return known;
  const group = groupOf(apiVersion);
  if (!group.includes(".") || group.endsWith(".k8s.io")) return kubernetes;
  return { name: group, remedy: "Install the operator that brings it, in a version that serves the kind." };
}
