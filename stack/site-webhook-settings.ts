import type { Known } from "@hearth-platform/hearth/core/known";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { siteWebhookProblems } from "@hearth-platform/hearth/site-webhook/rules";
import { defaultNamespace } from "@hearth-platform/hearth/site-webhook/webhook-names";
import type { Claim } from "./claim.ts";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;

/**
 * The webhook's arguments as far as the settings say them.
 * @param tag of the image that is built, the rules need none in particular; none: no image is built
 */
export function knownSiteWebhook(
  settings: Settings,
  { repository, baseImage, platforms, image, sites, ...webhook }: NonNullable<Settings["siteWebhook"]>,
  tag: string | undefined,
): Known<SiteWebhookArgs> {
  const { ingress, profile } = settings;
  const built = tag === undefined ? undefined : repository;
  return {
    ...webhook,
    namespace: webhook.namespace ?? defaultNamespace,
    image: image ?? (built && `${built}:${tag}`),
    ...(built && { build: { context: "webhook", baseImage, platforms } }),
    sites: sites?.map((site) => ({ ...site, spec: site?.spec && JSON.stringify(site.spec) })),
    platform: { ingress, profile },
  };
}

/** Everything wrong with the webhook's settings, at their paths in the stack; nothing without it. */
export function siteWebhookSettingsProblems(settings: Settings): Problem[] {
  const { siteWebhook } = settings;
  if (!siteWebhook) return [];
  const { image, repository } = siteWebhook;
  const imageKey = image === undefined && repository !== undefined ? "repository" : "image";
  return [
    ...siteWebhookProblems(knownSiteWebhook(settings, siteWebhook, "built")).map((problem) => ({
      ...problem,
      path: `siteWebhook.${problem.path === "image" ? imageKey : problem.path}`,
    })),
    ...(image !== undefined && repository !== undefined
      ? [
          error(
            "image",
            "siteWebhook.image",
            "There is a repository too, and one image can't be both ready and built.",
            "Keep the one of them.",
          ),
        ]
      : []),
  ];
}

/** What the webhook has for itself. Sites may share a namespace with each other alone. */
export function siteWebhookClaims({ siteWebhook }: Settings): Claim[] {
  if (!siteWebhook) return [];
  const { enabled, namespace = defaultNamespace, domain, sites = [] } = siteWebhook;
  const own: Claim[] = [
    { path: "hearth:siteWebhook.namespace", kind: "namespace", value: namespace },
    { path: "hearth:siteWebhook.domain", kind: "host", value: domain },
  ];
  return [
    ...(enabled ? own : []),
    ...sites.map((site, index) => ({
      path: `hearth:siteWebhook.sites[${index}].namespace`,
      kind: "namespace" as const,
      value: site?.namespace,
    })),
  ];
}
