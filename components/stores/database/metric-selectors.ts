import { databaseNames } from "../../catalogue/names.ts";
import type { DatabaseArgs } from "./args.ts";
import { clusterName } from "./recovery.ts";

/** Labels that Prometheus gives to what it reads through a monitor: the monitor's namespace and name are the job. */
function job(namespace: string, monitor: string): string {
  return `namespace="${namespace}",job="${namespace}/${monitor}"`;
}

/** Labels of what the database's instances give: of the cluster that is the database now. */
export function instances(args: DatabaseArgs): string {
  return job(args.namespace, clusterName(args));
}

/** Labels of what its pooler gives. */
export function poolerPods(args: DatabaseArgs): string {
  return job(args.namespace, databaseNames(args.name).pooler);
}
