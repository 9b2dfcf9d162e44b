import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { jobResources } from "./job-resources.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";
import { suitePod } from "./suite-pod.ts";
import { suitePath } from "./volumes.ts";

/** Nextcloud's background jobs, every five minutes as it asks for; a run that is still going is not overtaken. */
export function cronObject(args: ResolvedSuite): PlannedObject {
  const name = suiteNames.cron;
  const object = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: suiteMetadata(args, name),
    spec: {
      schedule: "*/5 * * * *",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 120,
      suspend: args.maintenance,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          // The next run is at hand, so a failed one is not repeated; one that hangs would hold up all that follow.
          backoffLimit: 0,
          activeDeadlineSeconds: 3600,
          template: suitePod(args, {
            name,
            besideWeb: true,
            restartPolicy: "Never",
            container: { command: ["php", "-f", `${suitePath}/cron.php`], resources: jobResources },
          }),
        },
      },
    },
  } satisfies CronJob;
  return { object, after: [`Deployment/${suiteNames.web}`] };
}
