import { joinPlans, type Plan } from "../core/plan.ts";
import { planNamespaceWithoutData } from "../kubernetes/namespace.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { networkObjects } from "./network.ts";
import { policyObjects, roleObjects } from "./permissions.ts";
import { routeObjects } from "./routes.ts";
import { type SitesPlan, sitesPlans } from "./sites.ts";
import { accountObject, secretRequests, workloadObjects } from "./workload.ts";

/** The webhook and its sites before they are created. */
export interface SiteWebhookPlan {
  /** Namespace, account, rights and routes; empty if the webhook is not enabled. */
  readonly foundation: Plan;
  /** The sites, a plan for each of their namespaces. */
  readonly sites: readonly SitesPlan[];
  /** The pod: it comes after its rights are fenced in. */
  readonly application: Plan;
}

/** Decides on the webhook: a pure function of its arguments. */
export function planSiteWebhook(args: SiteWebhookArgs): SiteWebhookPlan {
  const none = joinPlans();
  return {
    foundation: args.enabled ? foundation(args) : none,
    sites: sitesPlans(args),
    application: args.enabled ? joinPlans({ objects: workloadObjects(args) }) : none,
  };
}

/** Everything the component creates in the cluster, as plans whose names don't collide. */
export function siteWebhookPlans(args: SiteWebhookArgs): Plan[] {
  const { foundation, sites, application } = planSiteWebhook(args);
  return [joinPlans(foundation, application), ...sites.map(({ plan }) => plan)];
}

function foundation(args: SiteWebhookArgs): Plan {
  return joinPlans(
    // Nothing in it outlives the webhook.
    { objects: planNamespaceWithoutData(args.namespace, args.platform) },
    planSecrets(secretRequests(args), args.platform.secrets),
    {
      objects: [
        accountObject(args),
        ...policyObjects(args),
        ...roleObjects(args),
        ...routeObjects(args),
        ...networkObjects(args),
      ],
    },
  );
}
