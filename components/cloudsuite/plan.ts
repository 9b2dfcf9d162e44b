import { joinPlans, type Plan } from "../core/plan.ts";
import { planNamespace } from "../kubernetes/namespace.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import { appParts } from "./apps/registry.ts";
import { configurationBackupObject } from "./backup.ts";
import { configureObjects } from "./configure.ts";
import { cronObject } from "./cron.ts";
import { certificates, routeObjects } from "./routes.ts";
import type { ResolvedSuite } from "./schema.ts";
import { secretRequests } from "./secrets.ts";
import { configMaps, volumeClaim } from "./volumes.ts";
import { webObjects } from "./web.ts";

/** Created before the stores: the namespace, and the Secrets that stores and suite share. */
export function planFoundation(args: ResolvedSuite): Plan {
  // The exceptions of apps (see pod-exceptions.ts) are within baseline, not within restricted.
  const isRestricted = appParts(args).every(({ app }) => !app.exceptions);
  const namespace = planNamespace(args.namespace, args.platform, isRestricted ? "restricted" : "baseline");
  return joinPlans({ objects: namespace }, planSecrets(secretRequests(args), args.platform.secrets));
}

/** Created once the stores are ready. */
export function planApplication(args: ResolvedSuite): Plan {
  return joinPlans({
    objects: [
      ...certificates(args),
      ...configMaps(args),
      volumeClaim(args),
      ...webObjects(args),
      ...appParts(args).flatMap(({ objects }) => objects),
      ...routeObjects(args),
      ...configureObjects(args),
      cronObject(args),
      configurationBackupObject(args),
    ],
  });
}
