import { rulesOn, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { formatPath, type Path } from "@hearth-platform/hearth/core/paths";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { addressCredentials } from "@hearth-platform/hearth/core/value-rules";
import { siteWebhookRules } from "@hearth-platform/hearth/site-webhook/rules";
import { siteWebhook as siteWebhookArgs } from "@hearth-platform/hearth/site-webhook/schema";
import { defaultNamespace } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { StackSettings } from "../../settings/stack-schema.ts";
import { argumentProblems } from "../area.ts";
import type { Claim } from "../claim.ts";
import { serviceImageName } from "../service-image/settings.ts";

const sources = ["siteWebhook", "ingress", "profile"] as const;

type WebhookOf = NonNullable<StackSettings["siteWebhook"]>;

/**
 * The webhook's arguments as the settings say them.
 * @param serviceImage the image it runs
 */
export function knownSiteWebhook(
  { ingress, profile }: Pick<StackSettings, (typeof sources)[number]>,
  { repository: _, baseImage: __, platforms: ___, image: ____, sites, ...webhook }: WebhookOf,
  serviceImage: string | undefined,
) {
  return {
    ...webhook,
    namespace: webhook.namespace ?? defaultNamespace,
    image: serviceImage,
    sites: sites?.map((site) => ({ ...site, spec: site.spec && JSON.stringify(site.spec) })),
    platform: { ingress, profile },
  };
}

const rule = rulesOn(StackSettings);

/** Conflicts within the webhook's settings. */
export const siteWebhookSettingsRules = [
  rule(sources, (settings) => (settings.siteWebhook ? fits(settings, settings.siteWebhook) : [])),
  rule(["siteWebhook"], ({ siteWebhook }) =>
    (siteWebhook?.sites ?? []).flatMap(({ spec }, index) =>
      specCredentials(["siteWebhook", "sites", index, "spec"], spec),
    ),
  ),
];

function fits(settings: Pick<StackSettings, (typeof sources)[number]>, siteWebhook: WebhookOf): Problem[] {
  const { image, repository } = siteWebhook;
  const area = {
    key: "siteWebhook",
    schema: siteWebhookArgs,
    rules: siteWebhookRules,
    places: [
      ["platform.", ""],
      ...(image === undefined && repository !== undefined ? ([["image", "siteWebhook.repository"]] as const) : []),
    ] as const,
  };
  return argumentProblems(area, knownSiteWebhook(settings, siteWebhook, serviceImageName(siteWebhook)), undefined);
}

/** Addresses with credentials in a site's spec, which is an object of the cluster that many may read. */
function specCredentials(path: Path, value: unknown): Problem[] {
  if (typeof value === "string" && /^(?:password|token)$/i.test(String(path.at(-1))))
    return [
      error(
        "secret",
        formatPath(path),
        "The value is a secret in clear text.",
        "Remove it here and make a new one, because this one was in a file. The operator reads it from a Secret that the spec names.",
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

/** Names that the webhook claims exclusively. Sites may share a namespace only with other sites. */
export function siteWebhookClaims(known: unknown): Claim[] {
  const siteWebhook = wholeParts(StackSettings, known, ["siteWebhook"])?.siteWebhook;
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
      value: site.namespace,
    })),
  ];
}
