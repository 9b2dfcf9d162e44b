// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";

/** What the cluster calls StaticSites, and the annotation that makes one sync: the names of their operator. */
export interface StaticSiteResourceArgs {
  /** API group. @default pages.kup6s.com */
  group?: string;
  /** API version. @default v1beta1 */
  version?: string;
  /** Kind. @default StaticSite */
  kind?: string;
  /** Plural name in the API's paths. @default staticsites */
  plural?: string;
  /** Domain of the annotation `<domain>/sync`. @default pages.kup6s.com */
  annotationDomain?: string;
}

/** A static site: one object of the StaticSite resource. */
export interface StaticSiteArgs {
  /** Namespace of the site. It is made, unless `existingNamespaces` names it. */
  namespace: string;
  /** Name of the site, the `sitename` of its address. */
  name: string;
  /** How often it syncs when nothing triggers it, as a Go duration. @default 5m */
  syncInterval?: string;
  /** The other fields of its spec as a JSON object, passed on as they are: `{"repo":"https://…"}`. @default none */
  spec?: string;
}

/** What the route lets through; more is answered 429. */
export interface SiteWebhookLimitsArgs {
  /** Calls a second that one source may make in the long run. @default 20 */
  callsPerSecond?: number;
  /** Calls that one source may make at once after a quiet time. @default 100 */
  burst?: number;
  /** Calls under way at the same time, of all sources. @default 256 */
  inFlight?: number;
}

/** Static sites, and the webhook that makes one sync at once. */
export interface SiteWebhookArgs {
  /** Namespace of the webhook; made with it. No site can be in it. */
  namespace: string;
  /** Deploys the webhook. Without it, sites sync by their interval alone. */
  enabled: boolean;
  /** Public host of the webhook, e.g. `sync.example.org`, with a DNS record to the cluster's ingress; needed where it is enabled. @default none */
  domain?: string;
  /** cert-manager ClusterIssuer of its certificate. @default the platform's */
  clusterIssuer?: string;
  /** Image of the platform's own services as it is deployed, `repository:tag`; `ServiceImage` builds one. Needed where it is enabled. @default none */
  image?: string;
  /** Names of the StaticSite resource and its annotation. @default those of kup6s/pages */
  staticSites?: StaticSiteResourceArgs;
  /** Namespaces whose sites it may sync. For sites elsewhere it answers 404. @default every namespace */
  namespaces?: string[];
  /** Sites of this stack. @default none */
  sites?: StaticSiteArgs[];
  /** Namespaces of sites that exist already and are only used. @default none: they are made */
  existingNamespaces?: string[];
  /** Refuses calls that don't prove the secret in the Secret `site-webhook-secret`. @default false */
  checkSecret?: boolean;
  /** What the route lets through. @default enough for any git hosting provider */
  limits?: SiteWebhookLimitsArgs;
  /** Denies all connections of its namespace but those it needs. @default false */
  networkPolicies?: boolean;
  /** Resources of its pod. @default 10m and 64Mi, up to 500m and 128Mi */
  resources?: ResourceSpecArgs;
  /** Settings every component of the stack shares. */
  platform: PlatformArgs;
}
