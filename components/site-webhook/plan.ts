import type { Stages } from "../core/component.ts";
import { joinPlans, type Plan } from "../core/plan.ts";
import { planNamespaceWithoutData } from "../kubernetes/namespace.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { networkObjects } from "./network.ts";
import { policyObjects, roleObjects } from "./permissions.ts";
import { routeObjects } from "./routes.ts";
import { sitesPlans } from "./sites.ts";
import { accountObject, secretRequests, workloadObjects } from "./workload.ts";

/**
 * The webhook's namespace, account, rights and routes, and the sites of each namespace; then the pod, which comes after its
 * rights are fenced in. A pure function of the arguments.
 */
export function siteWebhookStages(args: ResolvedSiteWebhook): Stages {
  const sites = sitesPlans(args).map(({ namespace, plan }) => ({ plan, suffix: namespace }));
  if (!args.enabled) return [sites];
  return [[{ plan: foundation(args) }, ...sites], [{ plan: joinPlans({ objects: workloadObjects(args) }) }]];
}

function foundation(args: ResolvedSiteWebhook): Plan {
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
