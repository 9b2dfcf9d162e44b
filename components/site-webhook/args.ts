// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";

/** Names of the StaticSite resource, and of the annotation that makes a site sync, as their operator defines them. */
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
  /** Namespace of the site. It is created unless `existingNamespaces` lists it. */
  namespace: string;
  /** Name of the site, as in its sync address. */
  name: string;
  /** Interval between syncs that nothing triggers, as a Go duration. @default 5m */
  syncInterval?: string;
  /** The other fields of its spec as a JSON object, passed on unchanged: `{"repo":"https://…"}`. @default none */
  spec?: string;
}

/** Limits of the route, for each source. Further calls get 429. */
export interface SiteWebhookLimitsArgs {
  /** Average calls a second from one source. At least 1. @default 20 */
  callsPerSecond?: number;
  /** Largest burst of calls from one source. At least 1. @default 100 */
  burst?: number;
  /** Concurrent calls from one source. At least 1. @default 100 */
  inFlight?: number;
}

/** Static sites, and the webhook that makes one sync at once. */
export interface SiteWebhookArgs {
  /** Namespace of the webhook, created with it. No site can be in it. */
  namespace: string;
  /** Deploys the webhook. Without it, sites sync only at their interval. */
  enabled: boolean;
  /** Public host of the webhook, e.g. `sync.example.org`, with a DNS record for the cluster's ingress. Required if the webhook is enabled. @default none */
  domain?: string;
  /** cert-manager ClusterIssuer of its certificate. @default the platform's */
  clusterIssuer?: string;
  /** Image of the platform's own services, e.g. `registry.example.org/hearth/services:1.0.0`; `ServiceImage` builds one. Required if the webhook is enabled. @default none */
  image?: string;
  /** Names of the StaticSite resource and its annotation. @default those of kup6s/pages */
  staticSites?: StaticSiteResourceArgs;
  /** Namespaces whose sites it may sync. For other sites it answers 404. @default every namespace */
  namespaces?: string[];
  /** Sites of this stack. @default none */
  sites?: StaticSiteArgs[];
  /** Existing namespaces of sites, which are not created. @default none: they are made */
  existingNamespaces?: string[];
  /** Refuses calls that don't prove the value of the Secret `site-webhook-secret`. @default false */
  checkSecret?: boolean;
  /** Rate limits of the route. @default enough for any git hosting provider */
  limits?: SiteWebhookLimitsArgs;
  /** Denies all connections in its namespace except those it needs. @default as the whole stack: with profile production */
  networkPolicies?: boolean;
  /** Resources of its pod. @default 10m and 64Mi, up to 500m and 128Mi */
  resources?: ResourceSpecArgs;
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
