import { objectName } from "../core/object-rules.ts";
import { platform } from "../core/platform-schema.ts";
import { as, block, count, defaultsTo, filled, flag, list, optional, text, texts } from "../core/schema.ts";
import { calls, dnsLabels, hostName, namespaceName } from "../core/value-rules.ts";
import { resources } from "../kubernetes/resources-schema.ts";
import { usualSyncInterval } from "../limits/sizes.ts";
import { readyImage } from "../service-image/value-rules.ts";
import { resourceName, siteInterval, siteName, siteSpec } from "./value-rules.ts";

export const staticSiteResource = block(
  "StaticSiteResourceArgs",
  "Names of the StaticSite resource, and of the annotation that makes a site sync, as their operator defines them.",
  {
    group: defaultsTo(text("API group.", { rule: resourceName("group") }), "pages.kup6s.com"),
    version: defaultsTo(text("API version.", { rule: resourceName("version") }), "v1beta1"),
    kind: defaultsTo(text("Kind.", { rule: resourceName("kind") }), "StaticSite"),
    plural: defaultsTo(text("Plural name in the API's paths.", { rule: resourceName("plural") }), "staticsites"),
    annotationDomain: defaultsTo(
      text("Domain of the annotation `<domain>/sync`.", { rule: resourceName("annotationDomain") }),
      "pages.kup6s.com",
    ),
  },
);

export const staticSite = block("StaticSiteArgs", "A static site: one object of the StaticSite resource.", {
  namespace: text("Namespace of the site. It is created unless `existingNamespaces` lists it.", {
    rule: namespaceName,
  }),
  name: text("Name of the site, as in its sync address.", { rule: siteName }),
  syncInterval: defaultsTo(
    text("Interval between syncs that nothing triggers, as a Go duration.", { rule: siteInterval }),
    usualSyncInterval,
  ),
  spec: optional(
    text('The other fields of its spec as a JSON object, passed on unchanged: `{"repo":"https://…"}`.', {
      rule: siteSpec,
    }),
    "none",
  ),
});

export const siteWebhookLimits = block(
  "SiteWebhookLimitsArgs",
  "Limits of the route, for each source. Further calls get 429.",
  {
    callsPerSecond: defaultsTo(
      count("Average calls a second from one source.", { rule: calls, hints: { minimum: 1 } }),
      20,
    ),
    burst: defaultsTo(count("Largest burst of calls from one source.", { rule: calls, hints: { minimum: 1 } }), 100),
    inFlight: defaultsTo(count("Concurrent calls from one source.", { rule: calls, hints: { minimum: 1 } }), 100),
  },
);

export const siteWebhook = block("SiteWebhookArgs", "Static sites, and the webhook that makes one sync at once.", {
  namespace: text("Namespace of the webhook, created with it. No site can be in it.", { rule: namespaceName }),
  enabled: flag("Deploys the webhook. Without it, sites sync only at their interval."),
  domain: optional(
    text(
      "Public host of the webhook, e.g. `sync.example.org`, with a DNS record for the cluster's ingress. Required if the webhook is enabled.",
      { rule: hostName },
    ),
    "none",
  ),
  clusterIssuer: optional(
    text("cert-manager ClusterIssuer of its certificate.", { rule: objectName }),
    "the platform's",
  ),
  image: optional(
    text(
      "Image of the platform's own services, e.g. `registry.example.org/hearth/services:1.0.0`; `ServiceImage` builds one. Required if the webhook is enabled.",
      { rule: readyImage },
    ),
    "none",
  ),
  staticSites: filled(
    as(staticSiteResource, "Names of the StaticSite resource and its annotation."),
    "those of kup6s/pages",
  ),
  namespaces: optional(
    texts("Namespaces whose sites it may sync. For other sites it answers 404.", { rule: dnsLabels }),
    "every namespace",
  ),
  sites: filled(list(staticSite, "Sites of this stack."), "none"),
  existingNamespaces: filled(texts("Existing namespaces of sites, which are not created."), "none: they are made"),
  checkSecret: defaultsTo(flag("Refuses calls that don't prove the value of the Secret `site-webhook-secret`."), false),
  limits: filled(as(siteWebhookLimits, "Rate limits of the route."), "enough for any git hosting provider"),
  networkPolicies: optional(
    flag("Denies all connections in its namespace except those it needs."),
    "as the whole stack: with profile production",
  ),
  resources: resources("Resources of its pod.", "10m", "64Mi", "500m", "128Mi"),
  platform: as(platform, "Settings that all components of the stack share."),
});
