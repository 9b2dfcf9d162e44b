import { workloadSettings } from "../../core/platform.ts";
import { workloadLabels } from "../../kubernetes/pod.ts";
import type { ResolvedDatabase } from "./defaults.ts";

/** Labels of the objects a database consists of. */
export function databaseLabels(args: ResolvedDatabase): Record<string, string> {
  return workloadLabels(args.name, args.partOf, args.platform);
}

/** Labels for pods that the operator makes, without the `app.kubernetes.io` labels that it sets itself. */
export function podLabels(args: ResolvedDatabase, workload: string): Record<string, string> {
  return {
    ...workloadSettings(args.platform, workload).labels,
    "app.kubernetes.io/part-of": args.partOf,
  };
}
