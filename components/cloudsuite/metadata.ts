import { workloadLabels } from "../kubernetes/pod.ts";
import type { ResolvedSuite } from "./schema.ts";

/** The `part-of` label of the suite's objects. */
export const partOf = "cloudsuite";

/** Namespace, labels and name of an object that belongs to `workload`; without `name` it is called like the workload. */
export function suiteMetadata(args: ResolvedSuite, workload: string, name: string = workload) {
  return { name, namespace: args.namespace, labels: workloadLabels(workload, partOf, args.platform) };
}
