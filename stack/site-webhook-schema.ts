import { z } from "zod";
import { count, flag, resourceSpec, text, texts } from "./schema-parts.ts";

/** The settings of the site webhook and its sites. */

const site = z.strictObject({
  namespace: text("Namespace of the site; made with it, unless it is among existingNamespaces.", ["pages"]),
  name: text("Name of the site.", ["handbook"]),
  syncInterval: text("How often it syncs when nothing triggers it, as a Go duration. Default 5m.", ["5m"]).optional(),
  spec: z
    .record(z.string(), z.unknown())
    .meta({ description: "The other fields of its spec, as its operator defines them." })
    .optional(),
});

export const siteWebhook = z
  .strictObject({
    enabled: flag("Deploys the webhook; without it sites sync by their interval alone."),
    domain: text("Public host of the webhook; needed where it is enabled.", ["sync.example.org"]).optional(),
    clusterIssuer: text("cert-manager ClusterIssuer of its certificate. Default: that of hearth:ingress.").optional(),
    namespace: text("Namespace of the webhook alone. Default site-webhook.", ["site-webhook"]).optional(),
    repository: text(
      "Repository that the image is pushed to when it is built from webhook/; its tag is a hash of its content. This or image.",
      ["registry.example.org/hearth/site-webhook"],
    ).optional(),
    baseImage: text("Image with Node 24 as its entry point, to build on. Default: distroless.").optional(),
    platforms: texts("Platforms to build for, such as linux/amd64. Default: the builder's.").optional(),
    image: text("A ready image instead, with a tag that stays or a digest.", [
      "registry.example.org/hearth/site-webhook:1.0.0",
    ]).optional(),
    staticSites: z
      .strictObject({
        group: text("API group. Default pages.kup6s.com.").optional(),
        version: text("API version. Default v1beta1.").optional(),
        kind: text("Kind. Default StaticSite.").optional(),
        plural: text("Plural name in the API's paths. Default staticsites.").optional(),
        annotationDomain: text("Domain of the annotation <domain>/sync. Default pages.kup6s.com.").optional(),
      })
      .meta({ description: "Names of the StaticSite resource and its annotation." })
      .optional(),
    namespaces: texts("Namespaces whose sites it may sync. Default: every namespace.").optional(),
    sites: z.array(site).meta({ description: "Sites of this stack. Default none." }).optional(),
    existingNamespaces: texts("Namespaces of sites that exist already. Default none: they are made.").optional(),
    checkSecret: flag("Each call has to prove the secret in the Secret site-webhook-secret. Default false.").optional(),
    limits: z
      .strictObject({
        callsPerSecond: count("Calls a second of one source in the long run. Default 20.").optional(),
        burst: count("Calls of one source at once. Default 100.").optional(),
        inFlight: count("Calls under way at the same time. Default 256.").optional(),
      })
      .meta({ description: "What the route lets through." })
      .optional(),
    networkPolicies: flag("Denies all connections of its namespace but those it needs. Default false.").optional(),
    resources: resourceSpec("Resources of its pod. Default: 10m and 64Mi, at most 500m and 128Mi.").optional(),
  })
  .meta({ description: "Static sites, and the webhook that makes one sync at once. Default none." });
