import { workloadLabels } from "../kubernetes/pod.ts";
import type { ResolvedForge } from "./defaults.ts";

/** The `part-of` label of the forge's objects. */
export const partOf = "forge";

/** User and group of the forge's images; the files on volumes belong to them. */
export const forgeUser = 1000;

/** Namespace, labels and name of an object that belongs to `workload`; without `name` it is called like the workload. */
export function forgeMetadata(args: ResolvedForge, workload: string, name: string = workload) {
  return { name, namespace: args.namespace, labels: workloadLabels(workload, partOf, args.platform) };
}
