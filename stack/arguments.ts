import type { AdmissionArgs } from "@hearth-platform/hearth/admission/args";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { applicationConnection } from "@hearth-platform/hearth/forge/applications";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import {
  forgeBucketArgs,
  forgeClients,
  forgeDatabase,
  forgeExtensions,
} from "@hearth-platform/hearth/forge/store-needs";
import type { HubArgs, HubSignOnArgs } from "@hearth-platform/hearth/hub/args";
import { hubBucket } from "@hearth-platform/hearth/hub/buckets";
import { hubClients, hubDatabase } from "@hearth-platform/hearth/hub/store-needs";
import type { ServiceImageArgs } from "@hearth-platform/hearth/service-image/args";
import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { clusterName } from "@hearth-platform/hearth/stores/database/recovery";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { databaseBackupsBucket, defaultNamespace, sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { type StoreConnections, storeConnections } from "@hearth-platform/hearth/stores/shared/plan";
import { contentTag } from "@hearth-platform/site-webhook/image";
import { knownForge } from "./areas/forge/settings.ts";
import { hubApplication, hubCallback, knownHub, signsOnWithForge, takesForgeTokens } from "./areas/hub/settings.ts";
import { builtImage } from "./areas/service-image/settings.ts";
import { knownSiteWebhook } from "./areas/site-webhook/settings.ts";
import type { ConfigFile } from "./areas/suites/config-schema.ts";
import { bucketSettings, storeName } from "./providers.ts";
import { suiteSettingsOf } from "./settings/areas-schema.ts";
import type { StackSettings } from "./settings/stack-schema.ts";
import type { Stack, Suite } from "./stack-settings.ts";

/** The settings of a stack in the words of the components: nothing is decided here. */

/** Arguments of a stack's components; a component without settings in the stack is absent. */
export interface StackArguments {
  readonly admission?: AdmissionArgs;
  /** The stores that forge and hub share. */
  readonly stores?: { readonly args: StoresArgs; readonly objectStore: string };
  /** The forge on the shared stores. */
  readonly forge?: ForgeArgs;
  /** The hub on the shared stores, signed on by the forge where the stack has one. */
  readonly hub?: HubArgs;
  readonly suites: readonly { readonly name: string; readonly args: CloudSuiteArgs; readonly objectStore: string }[];
  /** The image of our own services, where the stack builds it. */
  readonly serviceImage?: ServiceImageArgs;
  readonly siteWebhook?: SiteWebhookArgs;
}

/** The settings of a stack as the arguments of its components, each made once. `objectStore` is the name of a provider. */
export function stackArguments(stack: Stack): StackArguments {
  const { settings } = stack;
  const platform = platformArgs(stack);
  const stores = sharedStores(settings, platform);
  const connections = stores && storeConnections(stores.args);
  const codeForge = connections && forge(settings, connections, platform);
  const image = serviceImage(settings, platform);
  return {
    admission: admission(stack, stores?.args.namespace, platform),
    stores,
    forge: codeForge,
    hub:
      stores &&
      connections &&
      hub(settings, { stores: stores.args, connections, codeForge, image: image.name }, platform),
    suites: suites(stack, platform),
    serviceImage: image.built,
    siteWebhook: siteWebhook(settings, image.name, platform),
  };
}

function suites({ settings, suites }: Stack, platform: PlatformArgs): StackArguments["suites"] {
  return suites.map((suite) => ({
    name: suite.settings.name,
    args: suiteArgs(suite, settings, platform),
    objectStore: storeName(suite.config.s3.endpoint),
  }));
}

function sharedStores(settings: StackSettings, platform: PlatformArgs): StackArguments["stores"] {
  const { forge, hub, database, keystore, objectStorage } = settings;
  if ((!forge && !hub) || !objectStorage?.endpoint || !objectStorage.region || !objectStorage.bucketSuffix)
    return undefined;
  const { endpoint, region, bucketSuffix, existingBuckets } = objectStorage;
  const { namespace = defaultNamespace } = settings;
  const args: StoresArgs = {
    namespace,
    database: {
      ...database,
      database: forgeDatabase,
      extensions: forgeExtensions,
      // The first database is the forge's in every stack, so that a forge can join a hub.
      ...(hub && { databases: [{ name: hubDatabase }] }),
      clients: [
        ...(forge ? forgeClients({ platform, replicas: forge.replicas }) : []),
        ...(hub ? hubClients({ platform, replicas: hub.replicas }) : []),
      ],
    },
    keystore,
    objectStorage: {
      endpoint,
      region,
      buckets: [
        ...(forge ? forgeBucketArgs(bucketSuffix, namespace, forge) : []),
        ...(hub ? [{ name: hubBucket(bucketSuffix, namespace) }] : []),
      ],
      databaseBackups: databaseBackupsBucket(bucketSuffix, namespace),
      existingBuckets,
      settings: bucketSettings(settings),
    },
    platform,
  };
  return { args, objectStore: storeName(endpoint) };
}

function forge(settings: StackSettings, connections: StoreConnections, platform: PlatformArgs): ForgeArgs | undefined {
  if (!settings.forge) return undefined;
  const { domain, bucketSuffix, ...known } = knownForge(settings, settings.forge);
  if (domain === undefined || bucketSuffix === undefined) return undefined;
  return {
    ...known,
    domain,
    bucketSuffix,
    ...connections,
    ...(signsOnWithForge(settings) && {
      applications: [{ name: hubApplication, redirectUri: hubCallback(settings) }],
    }),
    platform,
  };
}

/** The hub's stores. */
interface BelowHub {
  readonly stores: StoresArgs;
  readonly connections: StoreConnections;
  readonly codeForge: ForgeArgs | undefined;
  /** The image of our own services. */
  readonly image: string | undefined;
}

function hub(
  settings: StackSettings,
  { stores, connections, codeForge, image }: BelowHub,
  platform: PlatformArgs,
): HubArgs | undefined {
  if (!settings.hub) return undefined;
  const { database, keystore, objectStore } = connections;
  const { domain, bucket, signOn, ...known } = knownHub(settings, settings.hub, image);
  if (domain === undefined || bucket === undefined) return undefined;
  const forgeOf = signsOnWithForge(settings) && codeForge;
  return {
    ...known,
    domain,
    bucket,
    database: { ...database, database: hubDatabase },
    databaseCluster: clusterName({ ...stores.database, name: sharedNames.database }),
    keystore,
    objectStore,
    signOn: signOnArgs({ ...signOn, ...(forgeOf && applicationConnection(forgeOf, hubApplication)) }),
    platform,
  };
}

function signOnArgs({ issuer, clientId, clientSecret, ...rest }: Partial<HubSignOnArgs>): HubSignOnArgs | undefined {
  return issuer !== undefined && clientId && clientSecret ? { ...rest, issuer, clientId, clientSecret } : undefined;
}

function admission(
  { settings, suites }: Stack,
  sharedNamespace: string | undefined,
  platform: PlatformArgs,
): AdmissionArgs | undefined {
  if (!settings.admission) return undefined;
  const sites = settings.siteWebhook?.sites ?? [];
  const ofSuites = suites.map(({ config: { namespace, storage }, settings: { files, users } }) => ({
    name: namespace,
    storageClass: storage.storageClass,
    files,
    users,
  }));
  const others = [
    ...(sharedNamespace === undefined ? [] : [sharedNamespace]),
    ...sites.map(({ namespace }) => namespace),
  ].filter((name) => !ofSuites.some((suite) => suite.name === name));
  return {
    ...settings.admission,
    namespaces: [...[...new Set(others)].map((name) => ({ name })), ...ofSuites],
    platform,
  };
}

/** The image of our own services, and how it is built; its tag is made where something runs it, since that takes a look at its sources. */
function serviceImage(settings: StackSettings, { images }: PlatformArgs): { name?: string; built?: ServiceImageArgs } {
  const { siteWebhook } = settings;
  if (!siteWebhook?.enabled && !takesForgeTokens(settings)) return {};
  const built = builtImage(siteWebhook, images, contentTag);
  return { name: built?.image ?? siteWebhook?.image, built };
}

function siteWebhook(
  settings: StackSettings,
  image: string | undefined,
  platform: PlatformArgs,
): SiteWebhookArgs | undefined {
  const { siteWebhook } = settings;
  if (!siteWebhook) return undefined;
  return { ...knownSiteWebhook(settings, siteWebhook, image), platform };
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
    databaseOperatorNamespace: settings.databaseOperatorNamespace,
    limits: settings.limits,
    existingNamespaces: settings.existingNamespaces,
    allowDataLoss: settings.allowDataLoss,
  };
}

function suiteArgs({ config, settings }: Suite, stack: StackSettings, platform: PlatformArgs): CloudSuiteArgs {
  const { office, whiteboard, storage, ...rest } = config;
  return {
    ...rest,
    ...suiteSettingsOf(settings),
    storage: { ...storage, webSize: settings.webSize },
    office: officeArgs(office, settings),
    whiteboard: whiteboard.enabled && whiteboard.resources ? { resources: whiteboard.resources } : undefined,
    objectStorage: bucketSettings(stack),
    platform,
  };
}

function officeArgs({ enabled, domain, resources }: ConfigFile["office"], { officeEngine }: Suite["settings"]) {
  return enabled && domain !== undefined && resources ? { domain, resources, engine: officeEngine } : undefined;
}
