import { joinPlans, type Plan } from "../core/plan.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import { coreObjects } from "./core.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { configMap } from "./hub-pod.ts";
import { jobserviceObjects } from "./jobservice.ts";
import { keyBackupObjects } from "./key-backup.ts";
import { migrationObjects } from "./migrations.ts";
import { monitorObjects } from "./monitors.ts";
import { networkObjects } from "./network.ts";
import { portalObjects } from "./portal.ts";
import { registryObjects } from "./registry.ts";
import { certificates, routeObjects } from "./routes.ts";
import { scripts } from "./scripts.ts";
import { secretRequests } from "./secrets.ts";
import { settingsObjects } from "./settings-job.ts";
import { signInObjects } from "./sign-in.ts";

/** Everything that a hub creates, decided by its arguments alone; its namespace and stores are there before it. */
export function planHub(args: ResolvedHub): Plan {
  const migrations = migrationObjects(args);
  return joinPlans(planSecrets(secretRequests(args), args.platform.secrets), {
    objects: [
      ...networkObjects(args),
      ...certificates(args),
      configMap(args, hubNames.core, hubNames.scripts, scripts),
      ...migrations.objects,
      ...coreObjects(args, [migrations.id]),
      ...registryObjects(args),
      ...jobserviceObjects(args),
      ...portalObjects(args),
      ...signInObjects(args),
      ...settingsObjects(args),
      ...keyBackupObjects(args),
      ...routeObjects(args),
      ...monitorObjects(args),
    ],
  });
}
