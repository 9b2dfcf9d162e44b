import type { StorePlatformArgs } from "../core/platform-args.ts";
import { workloadLabels } from "../kubernetes/pod.ts";

/** The `part-of` label of a drill's own objects. */
export const partOf = "drill";

/** End of the name of a drill's cluster: no recovered database may have it. */
export const drillSuffix = "drill";

/** End of the name of a drill's account, after that of its cluster. */
export const accountEnd = "job";

/** Names of the objects of a drill. @param database name of the database without the suffix of a recovery */
export function drillNames(database: string) {
  const drill = `${database}-${drillSuffix}`;
  return {
    /** The CronJob, and the cluster that it makes for as long as it runs. */
    drill,
    /** Its account. CloudNativePG gives a cluster an account, a Role and a RoleBinding of the cluster's own name. */
    account: `${drill}-${accountEnd}`,
    /** ConfigMap with the result of the last drill. */
    result: `${drill}-result`,
    /** What CloudNativePG makes of the cluster: the first instance's volume, and the Job that recovers into it. */
    instance: `${drill}-1`,
    recoveryJob: `${drill}-1-full-recovery`,
  } as const;
}

/** Keys of the ConfigMap with the result: all of it as JSON, and a line for people. */
export const resultKeys = { json: "result.json", line: "line" } as const;

interface Named {
  readonly namespace: string;
  readonly database: { readonly name: string };
  readonly platform: StorePlatformArgs;
}

/** Namespace, labels and name of an object of a drill. */
export function drillMetadata({ namespace, database, platform }: Named, name = drillNames(database.name).drill) {
  return { name, namespace, labels: workloadLabels(drillNames(database.name).drill, partOf, platform) };
}
