import { block, flag, oneOf, optional, without } from "@hearth-platform/hearth/core/schema";
import { dnsLabel, ownNamespaceName } from "@hearth-platform/hearth/core/value-rules";
import { HubRegistryRoute, type HubSignOnArgs } from "@hearth-platform/hearth/hub/args";
import { hubBucket } from "@hearth-platform/hearth/hub/buckets";
import { forgeScopes } from "@hearth-platform/hearth/hub/defaults";
import { isOnHost } from "@hearth-platform/hearth/hub/rules";
import { hub as hubArgs, hubSignOn } from "@hearth-platform/hearth/hub/schema";
import { databaseBackupsBucket, sharedNamespace } from "@hearth-platform/hearth/stores/shared/names";
import type { StackSettings } from "../../settings/stack-schema.ts";
import { forgeSources, hostBelow, knownForge } from "../forge/settings.ts";
import { serviceImageName } from "../service-image/settings.ts";

/** How the hub's users sign on. */
export const HubSignOnSource = { forge: "forge", provider: "provider", local: "local" } as const;

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

export const hubSettings = {
  hub: optional(
    block("Hub", "The image registry.", {
      domain: optional(hubArgs.shape.domain, "`hub.` before the stack's domain"),
      ...without(
        hubArgs,
        ...(["namespace", "domain", "database", "databaseCluster", "keystore", "objectStore"] as const),
        ...(["bucket", "backups", "signOn", "forgeTokens", "networkPolicies", "defaultDeny", "platform"] as const),
      ),
      signOn: optional(signOn, "with the forge where the stack has one, else local"),
      forgeTokens: optional(
        flag(
          "Registry login with a user name and a personal access token of the forge; runs the image of `siteWebhook`.",
        ),
        "true with the forge's sign-on, where `siteWebhook` names an image or a repository that is not in this hub",
      ),
      networkPolicies: optional(
        flag(
          "For a stack without a forge: network policies that allow the connections the hub needs and deny all others. With a forge, set `forge.networkPolicies`.",
        ),
        "as the whole stack: with profile production",
      ),
    }),
    "none",
  ),
};

/** The settings that a hub's arguments come from. */
export const hubSources = [...forgeSources, "hub", "siteWebhook"] as const;

type Settings = Pick<StackSettings, (typeof hubSources)[number]>;
type HubOf = NonNullable<Settings["hub"]>;

/** Name of the hub among the forge's applications. */
export const hubApplication = "hub";

/** Whether the hub's users sign on with the stack's forge. */
export function signsOnWithForge({ forge, hub }: Pick<Settings, "forge" | "hub">): boolean {
  return (
    hub !== undefined && (hub.signOn?.with ?? (forge ? HubSignOnSource.forge : undefined)) === HubSignOnSource.forge
  );
}

/** Public host of the hub; none where it has neither a domain nor the stack one. */
export function hubDomain({ hub, domain }: Pick<Settings, "hub" | "domain">): string | undefined {
  return hub?.domain ?? hostBelow(domain, "hub");
}

/** Where the forge sends users back to. */
export function hubCallback(settings: Pick<Settings, "hub" | "domain">): string {
  return `https://${hubDomain(settings)}/c/oidc/callback`;
}

/**
 * Why registry login with the forge's tokens is off though the hub's users sign on with the forge: without the setting it is on where it can be.
 * `here`: the image would be in this very hub.
 */
export function forgeTokensObstacle(
  settings: Pick<Settings, "hub" | "domain" | "siteWebhook">,
): "no image" | "here" | undefined {
  const image = serviceImageName(settings.siteWebhook);
  if (image === undefined) return "no image";
  return isOnHost(image, hubDomain(settings) ?? "") ? "here" : undefined;
}

/** Whether the hub takes the forge's tokens at registry login. */
export function takesForgeTokens(settings: Pick<Settings, "forge" | "hub" | "domain" | "siteWebhook">): boolean {
  const { forge, hub, siteWebhook } = settings;
  if (!forge || !hub || !signsOnWithForge(settings) || serviceImageName(siteWebhook) === undefined) return false;
  const byDefault = hub.registryRoute !== HubRegistryRoute.registry && forgeTokensObstacle(settings) === undefined;
  return hub.forgeTokens ?? byDefault;
}

/**
 * The hub's arguments as the settings say them, but for its stores; with the forge's sign-on all but where the client's Secret is.
 * @param serviceImage the image that signs in with the forge's tokens
 */
export function knownHub(settings: Settings, hub: HubOf, serviceImage = serviceImageName(settings.siteWebhook)) {
  const { objectStorage, ingress, profile, namespace = sharedNamespace } = settings;
  const { signOn, forgeTokens: _, ...rest } = hub;
  return {
    ...rest,
    ...(takesForgeTokens(settings) && serviceImage !== undefined && { forgeTokens: { image: serviceImage } }),
    namespace,
    domain: hubDomain(settings),
    bucket: bucket(hubBucket, objectStorage?.bucketSuffix, namespace),
    backups: bucket(databaseBackupsBucket, objectStorage?.bucketSuffix, namespace),
    signOn: knownSignOn(settings, signOn),
    networkPolicies: (settings.forge ?? hub).networkPolicies,
    ...(!settings.forge && { defaultDeny: true }),
    platform: { ingress, profile },
  };
}

/** Name of a bucket; none before what it is made of is right. */
function bucket(
  named: (suffix: string, namespace: string) => string,
  suffix: string | undefined,
  namespace: string,
): string | undefined {
  const wrong = [...dnsLabel("", suffix), ...ownNamespaceName("", namespace)];
  return suffix === undefined || wrong.length > 0 ? undefined : named(suffix, namespace);
}

function knownSignOn(settings: Settings, signOn: HubOf["signOn"]): Partial<HubSignOnArgs> | undefined {
  const { with: source, ...rest } = signOn ?? {};
  if (signsOnWithForge(settings)) {
    const domain = settings.forge && knownForge(settings, settings.forge).domain;
    return { ...rest, scopes: rest.scopes ?? [...forgeScopes], issuer: domain && `https://${domain}` };
  }
  return source === HubSignOnSource.provider ? rest : undefined;
}
