import { workloadLabels } from "../kubernetes/pod.ts";
import { partOf } from "./copies-names.ts";
import type { ResolvedCopies } from "./schema.ts";

/** Namespace, labels and name of an object that belongs to `workload`; without `name` it is called like the workload. */
export function copiesMetadata(args: ResolvedCopies, workload: string, name: string = workload) {
  return { name, namespace: args.namespace, labels: workloadLabels(workload, partOf, args.platform) };
}
