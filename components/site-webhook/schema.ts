import { limits } from "../catalogue/limits.ts";
import { objectName } from "../core/object-rules.ts";
import { platform } from "../core/platform-schema.ts";
import { as, block, count, defaultsTo, flag, list, optional, text, texts } from "../core/schema.ts";
import { dnsLabels, hostName, namespaceName } from "../core/value-rules.ts";
import { resources } from "../kubernetes/resources-schema.ts";
import { readyImage } from "../service-image/value-rules.ts";
import { calls, resourceName, siteName, siteSpec, syncInterval } from "./value-rules.ts";

export const staticSiteResource = block(
  "StaticSiteResourceArgs",
  "What the cluster calls StaticSites, and the annotation that makes one sync: the names of their operator.",
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
  namespace: text("Namespace of the site. It is made, unless `existingNamespaces` names it.", {
    rule: namespaceName,
  }),
  name: text("Name of the site, the `sitename` of its address.", { rule: siteName }),
  syncInterval: defaultsTo(
    text("How often it syncs when nothing triggers it, as a Go duration.", { rule: syncInterval }),
    `${limits.syncIntervalMinutes}m`,
  ),
  spec: optional(
    text('The other fields of its spec as a JSON object, passed on as they are: `{"repo":"https://…"}`.', {
      rule: siteSpec,
    }),
    "none",
  ),
});

export const siteWebhookLimits = block("SiteWebhookLimitsArgs", "What the route lets through; more is answered 429.", {
  callsPerSecond: defaultsTo(count("Calls a second that one source may make in the long run.", { rule: calls }), 20),
  burst: defaultsTo(count("Calls that one source may make at once after a quiet time.", { rule: calls }), 100),
  inFlight: defaultsTo(count("Calls under way at the same time, of all sources.", { rule: calls }), 256),
});

export const siteWebhook = block("SiteWebhookArgs", "Static sites, and the webhook that makes one sync at once.", {
  namespace: text("Namespace of the webhook; made with it. No site can be in it.", { rule: namespaceName }),
  enabled: flag("Deploys the webhook. Without it, sites sync by their interval alone."),
  domain: optional(
    text(
      "Public host of the webhook, e.g. `sync.example.org`, with a DNS record to the cluster's ingress; needed where it is enabled.",
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
      "Image of the platform's own services as it is deployed, `repository:tag`; `ServiceImage` builds one. Needed where it is enabled.",
      { rule: readyImage },
    ),
    "none",
  ),
  staticSites: optional(
    as(staticSiteResource, "Names of the StaticSite resource and its annotation."),
    "those of kup6s/pages",
  ),
  namespaces: optional(
    texts("Namespaces whose sites it may sync. For sites elsewhere it answers 404.", { rule: dnsLabels }),
    "every namespace",
  ),
  sites: optional(list(staticSite, "Sites of this stack."), "none"),
  existingNamespaces: optional(
    texts("Namespaces of sites that exist already and are only used."),
    "none: they are made",
  ),
  checkSecret: defaultsTo(
    flag("Refuses calls that don't prove the secret in the Secret `site-webhook-secret`."),
    false,
  ),
  limits: optional(as(siteWebhookLimits, "What the route lets through."), "enough for any git hosting provider"),
  networkPolicies: defaultsTo(flag("Denies all connections of its namespace but those it needs."), false),
  resources: resources("Resources of its pod.", "10m", "64Mi", "500m", "128Mi"),
  platform: as(platform, "Settings every component of the stack shares."),
});
