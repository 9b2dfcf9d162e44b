import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { fromSecret } from "../kubernetes/pod.ts";
import { jobResources } from "./job-resources.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsPath } from "./scripts.ts";
import { suiteNames } from "./suite-names.ts";
import { suitePod } from "./suite-pod.ts";

/**
 * Asks GitLab every 15 minutes for the user of each account, and disables the accounts of those whom it has blocked or deleted: at its
 * next request a disabled account has no session and no app password. Nothing where there is no token to ask with.
 */
export function blockedUsersObjects(args: ResolvedSuite): PlannedObject[] {
  const { gitlabToken: token, issuer, identifier } = args.signOn ?? {};
  if (token === undefined || issuer === undefined || identifier === undefined) return [];
  const name = suiteNames.blockedUsers;
  const object = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: suiteMetadata(args, name),
    spec: {
      schedule: "*/15 * * * *",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 300,
      suspend: args.maintenance,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          // The next run is at hand.
          backoffLimit: 0,
          activeDeadlineSeconds: 1800,
          template: suitePod(args, {
            name,
            besideWeb: true,
            restartPolicy: "Never",
            secrets: [token.name],
            container: {
              command: ["php", `${scriptsPath}/disable-blocked-users.php`],
              env: [
                { name: "GITLAB_URL", value: issuer.replace(/\/$/, "") },
                { name: "SIGN_ON", value: identifier },
                fromSecret("GITLAB_TOKEN", token),
              ],
              resources: jobResources,
            },
          }),
        },
      },
    },
  } satisfies CronJob;
  return [{ object, after: [`Deployment/${suiteNames.web}`] }];
}
