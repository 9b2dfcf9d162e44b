import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { jobResources } from "./job-resources.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";
import { type SuitePodRequest, suitePod } from "./suite-pod.ts";
import { suitePath } from "./volumes.ts";

/** Nextcloud's background jobs, every five minutes as it asks for. */
export function cronObject(args: ResolvedSuite): PlannedObject {
  return suiteCronJob(args, {
    name: suiteNames.cron,
    schedule: "*/5 * * * *",
    startingDeadlineSeconds: 120,
    activeDeadlineSeconds: 3600,
    container: { command: ["php", "-f", `${suitePath}/cron.php`] },
  });
}

/** Work of the suite's PHP that is due again and again. */
export interface SuiteCronJobRequest extends Pick<SuitePodRequest, "name" | "secrets"> {
  readonly schedule: string;
  /** How late a run may begin. */
  readonly startingDeadlineSeconds: number;
  /** How long a run may take: one that hangs would hold up all that follow. */
  readonly activeDeadlineSeconds: number;
  readonly container: Pick<SuitePodRequest["container"], "command" | "env">;
}

/** A run that is still going is not overtaken, and maintenance suspends them. */
export function suiteCronJob(args: ResolvedSuite, request: SuiteCronJobRequest): PlannedObject {
  const { name, schedule, startingDeadlineSeconds, activeDeadlineSeconds, container, secrets } = request;
  const object = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: suiteMetadata(args, name),
    spec: {
      schedule,
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds,
      suspend: args.maintenance,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          // The next run is at hand, so a failed one is not repeated.
          backoffLimit: 0,
          activeDeadlineSeconds,
          template: suitePod(args, {
            name,
            besideWeb: true,
            restartPolicy: "Never",
            secrets,
            container: { ...container, resources: jobResources },
          }),
        },
      },
    },
  } satisfies CronJob;
  return { object, after: [`Deployment/${suiteNames.web}`] };
}
