import { joinPlans, type KubernetesObject, type Plan, type PlannedObject } from "../core/plan.ts";
import { planNamespace } from "../kubernetes/namespace.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { roleBinding } from "./permissions.ts";
import { syncPath } from "./routes.ts";

/** The sites of one namespace. Names are unique only within it. */
export interface SitesPlan {
  readonly namespace: string;
  readonly plan: Plan;
}

/** The sites by their namespaces, with the webhook's right to sync them where it is given by namespace. */
export function sitesPlans(args: ResolvedSiteWebhook): SitesPlan[] {
  const { sites, existingNamespaces } = args;
  const granted = args.enabled ? (args.namespaces ?? []) : [];
  const ofSites = new Set(sites.map(({ namespace }) => namespace));
  return [...new Set([...ofSites, ...granted])].map((namespace) => {
    const made = ofSites.has(namespace) && !existingNamespaces.includes(namespace);
    const objects: PlannedObject[] = [
      ...(made ? planNamespace(namespace, args.platform) : []),
      ...(granted.includes(namespace) ? [roleBinding(args, namespace)] : []),
      ...sites.filter((site) => site.namespace === namespace).map((site) => ({ object: staticSite(args, site) })),
    ];
    return { namespace, plan: joinPlans({ objects }) };
  });
}

/** Address of each site of the arguments by `<namespace>/<name>`: what a git hosting provider has to call. */
export function siteUrls({ domain, sites }: ResolvedSiteWebhook): Record<string, string> {
  return Object.fromEntries(
    sites.map(({ namespace, name }) => [`${namespace}/${name}`, `https://${domain}${syncPath}${namespace}/${name}`]),
  );
}

function staticSite(args: ResolvedSiteWebhook, site: ResolvedSiteWebhook["sites"][number]): KubernetesObject {
  const { group, version, kind } = args.staticSites;
  const spec = { ...JSON.parse(site.spec ?? "{}"), syncInterval: site.syncInterval };
  const object = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name: site.name,
      namespace: site.namespace,
      labels: { "app.kubernetes.io/managed-by": "hearth" },
    },
    spec,
  };
  return object;
}
