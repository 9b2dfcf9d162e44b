import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import type { ServiceImageArgs } from "@hearth-platform/hearth/service-image/args";
import { contentTag } from "@hearth-platform/site-webhook/image";
import type { StackSettings } from "../settings/stack-schema.ts";
import type { Stack } from "../stack-settings.ts";
import { takesForgeTokens } from "./hub/settings.ts";
import { builtImage } from "./service-image/settings.ts";
import { type SharedStores, sharedStores } from "./stores/shared-stores.ts";

/** The image that the stack's own services run. */
export interface SharedImage {
  /** Absent where no service runs it, or the settings name none. */
  readonly name?: string | undefined;
  /** How it is built; absent where it is ready. */
  readonly built?: ServiceImageArgs | undefined;
}

/** What several areas of a stack use, each made once. */
export interface Shared {
  readonly platform: PlatformArgs;
  /** The stores of forge and hub; absent where the stack has neither. */
  readonly stores: SharedStores | undefined;
  readonly serviceImage: SharedImage;
}

export function sharedOf(stack: Stack): Shared {
  const platform = platformArgs(stack);
  return {
    platform,
    stores: sharedStores(stack.settings, platform),
    serviceImage: sharedImage(stack.settings, platform),
  };
}

/** Its tag is made where something runs it, since that takes a look at its sources. */
function sharedImage(settings: StackSettings, { images }: PlatformArgs): SharedImage {
  const { siteWebhook } = settings;
  if (!siteWebhook?.enabled && !takesForgeTokens(settings)) return {};
  const built = builtImage(siteWebhook, images, contentTag);
  return { name: built?.image ?? siteWebhook?.image, built };
}

function platformArgs({ settings, imageDigests }: Stack): PlatformArgs {
  const { images } = settings;
  return {
    profile: settings.profile,
    ingress: settings.ingress,
    images: images && { mirrors: images.mirrors, pullSecrets: images.pullSecrets, digests: imageDigests },
    workload: settings.workload,
    workloads: settings.workloads,
    secrets: settings.secrets,
    privateCa: settings.privateCa,
    monitoring: settings.monitoring,
    monitoringLabels: settings.monitoringLabels,
    privacy: settings.privacy,
    mail: settings.mail,
    databaseOperatorNamespace: settings.databaseOperator?.namespace,
    networkPolicies: settings.networkPolicies,
    clusterNetworks: settings.clusterNetworks,
    limits: settings.limits,
    existingNamespaces: settings.existingNamespaces,
    allowDataLoss: settings.allowDataLoss,
  };
}
