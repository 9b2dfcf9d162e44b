import { planNamespace } from "../namespace.ts";
import { joinPlans, type Plan } from "../plan.ts";
import { planSecrets } from "../secrets.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { configurationBackupObject } from "./backup.ts";
import { configureObjects } from "./configure.ts";
import { cronObject } from "./cron.ts";
import { officeObjects } from "./office.ts";
import { certificates, routeObjects } from "./routes.ts";
import { secretRequests } from "./secrets.ts";
import { configMaps, volumeClaim } from "./volumes.ts";
import { webObjects } from "./web.ts";
import { whiteboardObjects } from "./whiteboard.ts";

/** What comes before the suite's stores: its namespace, and the Secrets that they and the suite share. */
export function planFoundation(args: CloudSuiteArgs): Plan {
  // Collabora's and OnlyOffice's exceptions (see office.ts) are within baseline, not restricted.
  const namespace = planNamespace(args.namespace, args.office ? "baseline" : "restricted");
  return joinPlans({ objects: [namespace] }, planSecrets(secretRequests(args), args.platform.secrets));
}

/** What comes after the stores are ready: certificates and routes, web, office, whiteboard, and the jobs. */
export function planApplication(args: CloudSuiteArgs): Plan {
  return joinPlans({
    objects: [
      ...certificates(args),
      ...configMaps(args),
      volumeClaim(args),
      ...webObjects(args),
      ...officeObjects(args),
      ...whiteboardObjects(args),
      ...routeObjects(args),
      ...configureObjects(args),
      cronObject(args),
      configurationBackupObject(args),
    ],
  });
}
