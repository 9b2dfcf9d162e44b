import { defaultNamespace as defaultLimitsNamespace } from "@hearth-platform/hearth/admission/plan";
import { admission as admissionArgs } from "@hearth-platform/hearth/admission/schema";
import { officeEngineSetting } from "@hearth-platform/hearth/cloudsuite/apps/office";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuite, cloudSuiteStorage } from "@hearth-platform/hearth/cloudsuite/schema";
import {
  as,
  block,
  count,
  defaultsTo,
  flag,
  list,
  oneOf,
  optional,
  ruled,
  text,
  without,
} from "@hearth-platform/hearth/core/schema";
import { dnsLabel } from "@hearth-platform/hearth/core/value-rules";
import { forge as forgeArgs, forgePages, forgeRunner } from "@hearth-platform/hearth/forge/schema";
import { hub as hubArgs, hubSignOn } from "@hearth-platform/hearth/hub/schema";
import { serviceImageBuild } from "@hearth-platform/hearth/service-image/schema";
import { imageRepository, readyImage } from "@hearth-platform/hearth/service-image/value-rules";
import { siteWebhook as siteWebhookArgs, staticSite } from "@hearth-platform/hearth/site-webhook/schema";
import { siteSpecFields } from "@hearth-platform/hearth/site-webhook/value-rules";
import { defaultNamespace as defaultWebhookNamespace } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { storesDatabase, storesKeystore } from "@hearth-platform/hearth/stores/shared/schema";
import { z } from "zod";
import { ConfigFile } from "../areas/suites/config-schema.ts";

/** The areas of a stack: each component's arguments, without those that another setting or the stack itself provides. */

/** How the hub's users sign on. */
export const HubSignOnSource = { forge: "forge", provider: "provider", local: "local" } as const;

export const database = block(
  "SharedDatabase",
  "The database that forge and hub share.",
  without(storesDatabase, "database", "extensions", "databases", "clients"),
);

export const keystore = block("SharedKeystore", "The keystore that forge and hub share.", storesKeystore.shape);

export const forge = block("Forge", "The code-hosting platform.", {
  domain: optional(forgeArgs.shape.domain, "`forge.` before the stack's domain"),
  ...without(
    forgeArgs,
    ...(["namespace", "domain", "databaseVersion", "database", "keystore", "objectStore"] as const),
    ...(["bucketSuffix", "applications", "platform"] as const),
  ),
  pages: optional(
    block("ForgePages", "Static sites; they need `ingress.wildcardClusterIssuer`.", {
      ...forgePages.shape,
      domain: optional(forgePages.shape.domain, "`pages.` before the stack's domain"),
    }),
    "none",
  ),
  runner: optional(block("ForgeRunner", "Runner of CI jobs, with one pod for each job.", forgeRunner.shape), "none"),
});

const signOn = block("HubSignOn", "Sign-on of the hub's users.", {
  with: optional(
    oneOf(["forge", "provider", "local"], "The forge, another OpenID Connect provider, or the hub's own accounts."),
    "forge where the stack has one, else local",
  ),
  ...without(hubSignOn, "issuer", "clientId", "clientSecret"),
  issuer: optional(hubSignOn.shape.issuer, "the forge; needed with `provider`"),
  clientId: optional(hubSignOn.shape.clientId, "the forge's; needed with `provider`"),
  clientSecret: optional(hubSignOn.shape.clientSecret, "the forge's; needed with `provider`"),
});

export const hub = block("Hub", "The image registry.", {
  domain: optional(hubArgs.shape.domain, "`hub.` before the stack's domain"),
  ...without(
    hubArgs,
    ...(["namespace", "domain", "database", "databaseCluster", "keystore", "objectStore"] as const),
    ...(["bucket", "signOn", "forgeTokens", "networkPolicies", "defaultDeny", "platform"] as const),
  ),
  signOn: optional(signOn, "with the forge where the stack has one, else local"),
  forgeTokens: optional(
    flag("Registry login with a user name and a personal access token of the forge; runs the image of `siteWebhook`."),
    "true with the forge's sign-on, where `siteWebhook` names an image or a repository that is not in this hub",
  ),
  networkPolicies: optional(
    flag(
      "For a stack without a forge: network policies that allow the connections the hub needs and deny all others. With a forge, set `forge.networkPolicies`.",
    ),
    "false: all pods reach each other",
  ),
});

export const admission = block("Admission", "The limits as admission policies of the API server.", {
  ...without(admissionArgs, "namespaces", "platform"),
  namespace: defaultsTo(
    as(
      admissionArgs.shape.namespace.unwrap(),
      "Namespace of the limits. The policies' names start with it. Each stack of a cluster needs its own.",
    ),
    defaultLimitsNamespace,
  ),
});

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

export const siteWebhook = block("SiteWebhook", "Static sites, and the webhook that makes one sync at once.", {
  enabled: siteWebhookArgs.shape.enabled,
  namespace: defaultsTo(
    as(siteWebhookArgs.shape.namespace, "Namespace of the webhook. No other area of the stack may use it."),
    defaultWebhookNamespace,
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

/** Arguments that come from a suite's config.yaml or from the whole stack; all others are settings of the suite. */
const saidElsewhere = [...Object.keys(ConfigFile.shape), "platform", "objectStorage"] as (
  | keyof ConfigFile
  | "platform"
  | "objectStorage"
)[];

const suiteSettings = without(cloudSuite, ...saidElsewhere);

/** Arguments of a suite that are settings of the stack without a change. */
export type SuiteSettings = Pick<CloudSuiteArgs, keyof typeof suiteSettings>;

/** Those among the settings of a suite. */
export function suiteSettingsOf<Settings extends Partial<SuiteSettings>>(settings: Settings) {
  const own = Object.entries(settings).filter(([key]) => key in suiteSettings);
  return Object.fromEntries(own) as Pick<Settings, keyof SuiteSettings & keyof Settings>;
}

export const cloudsuite = block("Suite", "A collaboration suite.", {
  name: text("Name of the suite's resources in Pulumi's state and of its outputs. Never change it.", {
    examples: ["team"],
    rule: dnsLabel,
  }),
  config: text("The suite's config.yaml, relative to the project.", { examples: ["suites/team/config.yaml"] }),
  officeEngine: officeEngineSetting,
  users: optional(count("Number of users the suite is meant for. It is only used for advice on sizes."), "no advice"),
  files: optional(count("Number of files the suite is meant for. It is only used for advice on sizes."), "no advice"),
  webSize: cloudSuiteStorage.shape.webSize,
  ...suiteSettings,
});
