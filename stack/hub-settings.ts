import type { Known } from "@hearth-platform/hearth/core/known";
import type { HubArgs, HubSignOnArgs } from "@hearth-platform/hearth/hub/args";
import { hubBucket } from "@hearth-platform/hearth/hub/buckets";
import { forgeScopes } from "@hearth-platform/hearth/hub/defaults";
import { defaultNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { HubSignOnSource } from "./areas-schema.ts";
import { knownForge } from "./forge-settings.ts";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;
type HubOf = NonNullable<Settings["hub"]>;

/** Name of the hub among the forge's applications. */
export const hubApplication = "hub";

/** Whether the hub's users sign on with the stack's forge. */
export function signsOnWithForge({ forge, hub }: Settings): boolean {
  return (
    hub !== undefined && (hub.signOn?.with ?? (forge ? HubSignOnSource.forge : undefined)) === HubSignOnSource.forge
  );
}

/** Public host of the hub. */
export function hubDomain({ hub, domain }: Settings): string | undefined {
  return hub?.domain ?? (domain && `hub.${domain}`);
}

/** Where the forge sends users back to. */
export function hubCallback(settings: Settings): string {
  return `https://${hubDomain(settings)}/c/oidc/callback`;
}

/** The hub's arguments as far as the settings say them; with the forge's sign-on all but where the client's Secret is. */
export function knownHub(settings: Settings, hub: HubOf): Known<HubArgs> {
  const { objectStorage, ingress, profile, namespace = defaultNamespace } = settings;
  const { signOn, ...rest } = hub;
  const suffix = objectStorage?.bucketSuffix;
  return {
    ...rest,
    namespace,
    domain: hubDomain(settings),
    objectStore: { endpoint: objectStorage?.endpoint, region: objectStorage?.region },
    bucket: suffix === undefined ? undefined : hubBucket(suffix, namespace),
    signOn: knownSignOn(settings, signOn),
    ...(settings.forge
      ? { networkPolicies: settings.forge.networkPolicies }
      : { networkPolicies: hub.networkPolicies, defaultDeny: hub.networkPolicies }),
    platform: { ingress, profile },
  };
}

function knownSignOn(settings: Settings, signOn: HubOf["signOn"]): Known<HubSignOnArgs> | undefined {
  const { with: source, ...rest } = signOn ?? {};
  if (signsOnWithForge(settings)) {
    const domain = settings.forge && knownForge(settings, settings.forge).domain;
    return { ...rest, scopes: rest.scopes ?? [...forgeScopes], issuer: domain && `https://${domain}` };
  }
  return source === HubSignOnSource.provider ? rest : undefined;
}
