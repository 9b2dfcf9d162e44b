import type { PlannedObject } from "../core/plan.ts";
import { fromSecret } from "../kubernetes/pod.ts";
import { suiteCronJob } from "./cron.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsPath } from "./scripts.ts";
import { suiteNames } from "./suite-names.ts";

/**
 * Asks GitLab every 15 minutes for the user of each account, and disables the accounts of those whom it has blocked or deleted: at its
 * next request a disabled account has no session and no app password. Nothing where there is no token to ask with.
 */
export function blockedUsersObjects(args: ResolvedSuite): PlannedObject[] {
  const { gitlabToken: token, issuer, identifier } = args.signOn ?? {};
  if (token === undefined || issuer === undefined || identifier === undefined) return [];
  return [
    suiteCronJob(args, {
      name: suiteNames.blockedUsers,
      schedule: "*/15 * * * *",
      startingDeadlineSeconds: 300,
      activeDeadlineSeconds: 1800,
      secrets: [token.name],
      container: {
        command: ["php", `${scriptsPath}/disable-blocked-users.php`],
        env: [
          { name: "GITLAB_URL", value: issuer.replace(/\/$/, "") },
          { name: "SIGN_ON", value: identifier },
          fromSecret("GITLAB_TOKEN", token),
        ],
      },
    }),
  ];
}
