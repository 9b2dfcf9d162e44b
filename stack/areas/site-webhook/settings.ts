import { as, block, defaultsTo, list, optional, ruled, text, without } from "@hearth-platform/hearth/core/schema";
import { serviceImageBuild } from "@hearth-platform/hearth/service-image/schema";
import { imageRepository, readyImage } from "@hearth-platform/hearth/service-image/value-rules";
import { siteWebhook as siteWebhookArgs, staticSite } from "@hearth-platform/hearth/site-webhook/schema";
import { siteSpecFields } from "@hearth-platform/hearth/site-webhook/value-rules";
import { webhookNamespace } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { z } from "zod";
import type { StackSettings } from "../../settings/stack-schema.ts";

const site = block("Site", "A static site.", {
  ...staticSite.shape,
  spec: optional(
    ruled(
      z
        .record(z.string(), z.unknown())
        .meta({ description: "The other fields of its spec, as its operator defines them." }),
      siteSpecFields,
    ),
    "none",
  ),
});

const webhook = block("SiteWebhook", "Static sites, and the webhook that makes one sync at once.", {
  enabled: siteWebhookArgs.shape.enabled,
  namespace: defaultsTo(
    as(siteWebhookArgs.shape.namespace, "Namespace of the webhook. No other area of the stack may use it."),
    webhookNamespace,
  ),
  ...without(siteWebhookArgs, "enabled", "namespace", "image", "sites", "platform"),
  repository: optional(
    text(
      "Repository to which the image built from `webhook/` is pushed; the tag is a hash of its content. Set this or `image`.",
      { examples: ["registry.example.org/hearth/site-webhook"], rule: imageRepository },
    ),
    "none",
  ),
  ...without(serviceImageBuild, "context"),
  image: optional(
    text("An existing image to use instead of building one, with a tag that never moves or a digest.", {
      examples: ["registry.example.org/hearth/site-webhook:1.0.0"],
      rule: readyImage,
    }),
    "none: it is built",
  ),
  sites: optional(list(site, "Sites of this stack."), "none"),
});

export const siteWebhookSettings = { siteWebhook: optional(webhook, "none") };

export type WebhookSettings = z.input<typeof webhook>;

/** The settings that the webhook's arguments come from. */
export const siteWebhookSources = ["siteWebhook", "ingress", "profile"] as const;

/**
 * The webhook's arguments as the settings say them.
 * @param serviceImage the image it runs
 */
export function knownSiteWebhook(
  { ingress, profile }: Pick<StackSettings, (typeof siteWebhookSources)[number]>,
  { repository: _, baseImage: __, platforms: ___, image: ____, sites, ...webhook }: WebhookSettings,
  serviceImage: string | undefined,
) {
  return {
    ...webhook,
    namespace: webhook.namespace ?? webhookNamespace,
    image: serviceImage,
    sites: sites?.map((site) => ({ ...site, spec: site.spec && JSON.stringify(site.spec) })),
    platform: { ingress, profile },
  };
}
