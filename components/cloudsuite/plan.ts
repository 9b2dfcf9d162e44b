import { joinPlans, type Plan } from "../core/plan.ts";
import { planNamespace } from "../kubernetes/namespace.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import { planOfStores, type StoreSet } from "../stores/set/store-set.ts";
import { appParts } from "./apps/registry.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { configurationBackupObject } from "./backup.ts";
import { configureObjects } from "./configure.ts";
import { cronObject } from "./cron.ts";
import { certificates, routeObjects } from "./routes.ts";
import { secretRequests } from "./secrets.ts";
import { ownStores } from "./stores.ts";
import { configMaps, volumeClaim } from "./volumes.ts";
import { webObjects } from "./web.ts";

/** A suite before it is created: what it makes itself, in two steps, and the arguments of the components between them. */
export interface CloudSuitePlan extends StoreSet {
  /** Namespace and Secrets. */
  readonly foundation: Plan;
  /** Certificates and routes, web, apps and the jobs; they come after all others are ready. */
  readonly application: Plan;
}

/** Decides on a suite: a pure function of its arguments. */
export function planCloudSuite(args: CloudSuiteArgs): CloudSuitePlan {
  return { foundation: planFoundation(args), ...ownStores(args), application: planApplication(args) };
}

/** Everything that a suite and the components in it create, as one plan. */
export function cloudSuitePlan(args: CloudSuiteArgs): Plan {
  const { foundation, application, ...stores } = planCloudSuite(args);
  return joinPlans(foundation, planOfStores(stores), application);
}

/** Created before the stores: the namespace, and the Secrets that stores and suite share. */
function planFoundation(args: CloudSuiteArgs): Plan {
  // The exceptions of apps (see pod-exceptions.ts) are within baseline, not within restricted.
  const isRestricted = appParts(args).every(({ app }) => !app.exceptions);
  const namespace = planNamespace(args.namespace, args.platform, isRestricted ? "restricted" : "baseline");
  return joinPlans({ objects: namespace }, planSecrets(secretRequests(args), args.platform.secrets));
}

/** Created once the stores are ready. */
function planApplication(args: CloudSuiteArgs): Plan {
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
