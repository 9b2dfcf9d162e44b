import { serviceBase } from "@hearth-platform/hearth/catalogue/images";
import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import { formatPath, type Path } from "@hearth-platform/hearth/core/paths";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { addressCredentials } from "@hearth-platform/hearth/core/value-rules";
import { siteWebhookComponent } from "@hearth-platform/hearth/site-webhook/component";
import { siteWebhookRules } from "@hearth-platform/hearth/site-webhook/rules";
import { siteWebhook as siteWebhookArgs } from "@hearth-platform/hearth/site-webhook/schema";
import { webhookNames, webhookNamespace } from "@hearth-platform/hearth/site-webhook/webhook-names";
import type { StackSettings } from "../../settings/stack-schema.ts";
import { type Area, argumentProblems, ofSettings, only } from "../area.ts";
import type { Claim } from "../claims.ts";
import { serviceImageName } from "../service-image/settings.ts";
import { knownSiteWebhook, siteWebhookSettings, siteWebhookSources, type WebhookSettings } from "./settings.ts";

/** Static sites, and the webhook that makes one sync at once. */
export const siteWebhookArea: Area<typeof siteWebhookSettings, "SiteWebhook"> = {
  settings: siteWebhookSettings,
  component: siteWebhookComponent,
  after: ["serviceImage"],
  parts: ({ settings }, { platform, serviceImage }) => {
    const { siteWebhook } = settings;
    return only(
      "site-webhook",
      siteWebhook && { ...knownSiteWebhook(settings, siteWebhook, serviceImage.name), platform },
    );
  },
  rules: [
    ofSettings(siteWebhookSources, (settings) => (settings.siteWebhook ? fits(settings, settings.siteWebhook) : [])),
    ofSettings(["siteWebhook"], ({ siteWebhook }) =>
      (siteWebhook?.sites ?? []).flatMap(({ spec }, index) =>
        specCredentials(["siteWebhook", "sites", index, "spec"], spec),
      ),
    ),
  ],
  claims: ofSettings(["siteWebhook"], ({ siteWebhook }) => (siteWebhook ? webhookClaims(siteWebhook) : [])),
  versions: ofSettings(["siteWebhook"], ({ siteWebhook }) => [
    { path: "siteWebhook.baseImage", program: "distroless", version: debianOf(siteWebhook) },
  ]),
  workloads: () => [webhookNames.webhook],
  secrets: () => ({ own: [webhookNames.secret] }),
};

function fits(
  settings: Pick<StackSettings, (typeof siteWebhookSources)[number]>,
  siteWebhook: WebhookSettings,
): Problem[] {
  const { image, repository } = siteWebhook;
  const places = {
    key: "siteWebhook",
    schema: siteWebhookArgs,
    rules: siteWebhookRules,
    places: [
      ["platform.", ""],
      ...(image === undefined && repository !== undefined ? ([["image", "siteWebhook.repository"]] as const) : []),
    ] as const,
  };
  return argumentProblems(places, knownSiteWebhook(settings, siteWebhook, serviceImageName(siteWebhook)), undefined);
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
function webhookClaims({ enabled, namespace = webhookNamespace, domain, sites = [] }: WebhookSettings): Claim[] {
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

/** The Debian of one of distroless' images of Node.js, wherever it is mirrored, that the stack's image is built from. */
function debianOf({ repository, baseImage = serviceBase }: Partial<WebhookSettings> = {}): string | undefined {
  const base = repository === undefined ? "" : baseImage;
  return /\/nodejs\d+-debian(\d+)$/.exec(parseImage(base)?.repository ?? "")?.[1];
}
