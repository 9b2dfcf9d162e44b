import type { Recorded } from "../core/data-safety/recorded.ts";
import { refuseChange } from "../core/data-safety/refusals.ts";
import { dataName } from "../core/plan.ts";
import type { Problem } from "../core/problems.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { staticSiteNames } from "./webhook-names.ts";

/**
 * Changes after which sites would be gone: all of them are deleted with their namespace, or as objects of the former kind.
 * Of a former version, too: to Pulumi that is another object, and the one it deletes then is the same in the cluster.
 */
export function siteWebhookChanges(before: Recorded<SiteWebhookArgs>, now: Recorded<SiteWebhookArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const kept = madeNamespaces(now);
  const gone = madeNamespaces(before)
    .filter((namespace) => !kept.includes(namespace))
    .flatMap((namespace) =>
      refuseChange({ path: "sites", object: namespace, before: namespace, now: undefined }, allowed),
    );
  const [former, present] = [before, now].map((args) => {
    const { group, version, kind } = staticSiteNames(args);
    return `${kind}.${version}.${group}`;
  });
  const renamed = (before.sites ?? []).flatMap(({ name, namespace }) =>
    refuseChange({ path: "staticSites", object: dataName(name, namespace), before: former, now: present }, allowed),
  );
  return [...gone, ...renamed];
}

/** Namespaces that the component has made for sites. */
function madeNamespaces({ sites = [], existingNamespaces = [], platform }: Recorded<SiteWebhookArgs>): string[] {
  const existing = [...existingNamespaces, ...(platform.existingNamespaces ?? [])];
  return [...new Set(sites.map(({ namespace }) => namespace))].filter((name) => !existing.includes(name));
}
