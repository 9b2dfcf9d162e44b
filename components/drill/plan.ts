import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { joinPlans, type Plan } from "../core/plan.ts";
import { prometheusRule } from "../kubernetes/monitoring.ts";
import type { DatabaseArgs } from "../stores/database/args.ts";
import { alerts } from "./alerts.ts";
import { drillCluster, runningCluster } from "./cluster.ts";
import { drillMetadata, drillNames } from "./drill-names.ts";
import { networkObjects } from "./network.ts";
import { accountObjects } from "./permissions.ts";
import { clusterFile, drillPod } from "./pod.ts";
import type { ResolvedDrill } from "./schema.ts";
import { drillScripts } from "./scripts.ts";

/** All objects of a drill. @param database the database as its own component is given it */
export function planDrill(args: ResolvedDrill, database: DatabaseArgs): Plan {
  const { account, drill, result } = drillNames(database.name);
  const running = runningCluster(database);
  const files = {
    [clusterFile]: JSON.stringify(drillCluster(running, database), null, 2),
    ...drillScripts(args.checks.map(({ application }) => application)),
  };
  const configMap = (name: string, data?: Record<string, string>): ConfigMap & { metadata: { name: string } } => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: drillMetadata(args, name),
    ...(data && { data }),
  });
  const cronJob = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: drillMetadata(args),
    spec: {
      schedule: args.schedule,
      timeZone: "Etc/UTC",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 3600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          // A pod that was killed is made anew; a drill that was judged is not.
          backoffLimit: 1,
          podFailurePolicy: {
            rules: [
              { action: "FailJob", onExitCodes: { containerName: "report", operator: "In", values: [judgedBad] } },
            ],
          },
          activeDeadlineSeconds: args.deadlineMinutes * 60,
          // The cluster of a drill goes with its pod, at the latest.
          ttlSecondsAfterFinished: 3600,
          template: drillPod(args, running, files),
        },
      },
    },
  } satisfies CronJob;
  return joinPlans({
    objects: [
      ...accountObjects(args, String(running.metadata.name)),
      { object: configMap(drill, files) as never },
      // Its content is the drills' own.
      { object: configMap(result) as never, ignoreChanges: ["data"] },
      ...networkObjects(args),
      { object: cronJob, after: [`RoleBinding/${account}`, `ConfigMap/${result}`] },
      ...prometheusRule(drillMetadata(args), alerts, args),
    ],
  });
}

/** Exit status of the last step where a drill is not good. */
const judgedBad = 3;
