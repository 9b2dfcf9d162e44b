import type { Known } from "@hearth-platform/hearth/core/known";
import { formatPath, type Path } from "@hearth-platform/hearth/core/paths";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { addressCredentials } from "@hearth-platform/hearth/core/value-rules";
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
      path: stackPath(problem.path === "image" ? imageKey : problem.path),
    })),
    ...(siteWebhook.sites ?? []).flatMap((site, index) =>
      specCredentials(["siteWebhook", "sites", index, "spec"], site?.spec),
    ),
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

/** Arguments of the webhook that stand elsewhere in the stack than below `siteWebhook`. */
function stackPath(path: string): string {
  if (path.startsWith("platform.")) return path.slice("platform.".length);
  return `siteWebhook.${path.replace(/^build\./, "")}`;
}

/** Addresses with credentials in a site's spec, which is an object of the cluster that many may read. */
function specCredentials(path: Path, value: unknown): Problem[] {
  if (typeof value === "string" && /^(?:password|token)$/i.test(String(path.at(-1))))
    return [
      error(
        "secret",
        formatPath(path),
        "A secret stands here as text.",
        "Leave it out and change it: it was in a file. The operator reads it from a Secret that the spec refers to.",
      ),
    ];
  if (typeof value === "string")
    return addressCredentials(
      formatPath(path),
      /^[a-z0-9+.-]+:\/\//i.test(value) && !/^(?:ssh|git\+ssh):/i.test(value) ? value : undefined,
      "The operator reads them from a Secret that the spec refers to.",
    );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    specCredentials([...path, Array.isArray(value) ? Number(key) : key], part),
  );
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
