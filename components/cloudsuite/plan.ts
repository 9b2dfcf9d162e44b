import { joinPlans, type Plan } from "../core/plan.ts";
import { alerts as namespaceAlerts } from "../kubernetes/alerts.ts";
import { prometheusRule } from "../kubernetes/monitoring.ts";
import { planNamespace } from "../kubernetes/namespace.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import { alerts } from "./alerts.ts";
import { appParts, appServers } from "./apps/registry.ts";
import { configurationBackupObject } from "./backup.ts";
import { blockedUsersObjects } from "./blocked-users.ts";
import { configureObjects } from "./configure.ts";
import { cronObject } from "./cron.ts";
import { suiteMetadata } from "./metadata.ts";
import { networkObjects } from "./network.ts";
import { certificates, routeObjects } from "./routes.ts";
import type { ResolvedSuite } from "./schema.ts";
import { secretRequests } from "./secrets.ts";
import { suiteNames } from "./suite-names.ts";
import { configMaps, volumeClaim } from "./volumes.ts";
import { webObjects } from "./web.ts";

/** What is told of a suite, and of its whole namespace. */
export const suiteAlerts = [...alerts, ...namespaceAlerts];

/** Created before the stores: the namespace, and the Secrets that stores and suite share. */
export function planFoundation(args: ResolvedSuite): Plan {
  // The exceptions of apps (see pod-exceptions.ts) are within baseline, not within restricted.
  const isRestricted = appServers(args).every(({ exceptions }) => !exceptions);
  const namespace = planNamespace(args.namespace, args.platform, isRestricted ? "restricted" : "baseline");
  return joinPlans({ objects: namespace }, planSecrets(secretRequests(args), args.platform.secrets));
}

/** Created once the stores are ready. */
export function planApplication(args: ResolvedSuite): Plan {
  return joinPlans({
    objects: [
      ...networkObjects(args),
      ...certificates(args),
      ...configMaps(args),
      volumeClaim(args),
      ...webObjects(args),
      ...appParts(args).flatMap(({ objects }) => objects),
      ...routeObjects(args),
      ...configureObjects(args),
      cronObject(args),
      ...blockedUsersObjects(args),
      configurationBackupObject(args),
      ...prometheusRule(suiteMetadata(args, suiteNames.web, suiteNames.alerts), suiteAlerts, args),
    ],
  });
}
