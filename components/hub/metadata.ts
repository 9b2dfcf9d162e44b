import { workloadLabels } from "../kubernetes/pod.ts";
import type { ResolvedHub } from "./defaults.ts";

/** The `part-of` label of the hub's objects. */
export const partOf = "hub";

/** User and group of the hub's images; the files on volumes belong to them. */
export const hubUser = 10_000;

/** Namespace, labels and name of an object that belongs to `workload`; without `name` it is called like the workload. */
export function hubMetadata(args: ResolvedHub, workload: string, name: string = workload) {
  return { name, namespace: args.namespace, labels: workloadLabels(workload, partOf, args.platform) };
}
