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
import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { clusterName } from "@hearth-platform/hearth/stores/database/recovery";
import { BucketProvisioner, type BucketSettingsArgs } from "@hearth-platform/hearth/stores/object-storage/args";
import { awsProviderArgs } from "@hearth-platform/hearth/stores/object-storage/provider-args";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { databaseBackupsBucket, defaultNamespace, sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { storeConnections } from "@hearth-platform/hearth/stores/shared/plan";
import { contentTag } from "@hearth-platform/site-webhook/image";
import type { ProviderArgs as AwsProviderArgs } from "@pulumi/aws/provider.js";
import type { ProviderArgs as KubernetesProviderArgs } from "@pulumi/kubernetes/provider.js";
import { suiteSettingsOf } from "./areas-schema.ts";
import type { ConfigFile } from "./config-schema.ts";
import { knownForge } from "./forge-settings.ts";
import { hubApplication, hubCallback, knownHub, signsOnWithForge } from "./hub-settings.ts";
import { knownSiteWebhook } from "./site-webhook-settings.ts";
import type { StackSettings } from "./stack-schema.ts";
import type { Stack, Suite } from "./stack-settings.ts";

/** The settings of a stack in the words of the components: nothing is decided here. */

/** The provider of the cluster. */
export function clusterArgs({ settings: { kubernetes } }: Stack): KubernetesProviderArgs {
  return {
    context: kubernetes?.context,
    kubeconfig: kubernetes?.kubeconfig,
    // Another path or content of the kubeconfig is still the same cluster: without this, all objects would be replaced.
    clusterIdentifier: kubernetes?.context ?? "default",
    // Names are fixed, so a changed ConfigMap or Secret is updated; pods roll by the hash they carry.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
  };
}

/** A provider for each object store in which this program makes buckets, named by its host. */
export function objectStores({ settings, suites }: Stack): { name: string; args: AwsProviderArgs }[] {
  const { objectStorage } = settings;
  if (objectStorage?.provisioner === BucketProvisioner.cluster) return [];
  const stores = new Map(suites.map(({ config: { s3 } }) => [storeName(s3.endpoint), s3 as Place]));
  const { endpoint, region } = objectStorage ?? {};
  if ((settings.forge || settings.hub) && endpoint && region) stores.set(storeName(endpoint), { endpoint, region });
  return [...stores].map(([name, { endpoint, region }]) => ({
    name,
    args: awsProviderArgs({ endpoint, region, settings: bucketSettings(settings) }),
  }));
}

/** The suites, each with the name of its object store's provider. */
export function suites(stack: Stack): { name: string; args: CloudSuiteArgs; objectStore: string }[] {
  const { settings, suites } = stack;
  const platform = platformArgs(stack);
  return suites.map((suite) => ({
    name: suite.settings.name,
    args: suiteArgs(suite, settings, platform),
    objectStore: storeName(suite.config.s3.endpoint),
  }));
}

interface Place {
  readonly endpoint: string;
  readonly region: string;
}

/** The stores that forge and hub share, with the name of their object store's provider; none where the stack has neither. */
export function sharedStores(stack: Stack): { args: StoresArgs; store: string } | undefined {
  const { settings } = stack;
  const { forge, hub, database, keystore, objectStorage } = settings;
  if ((!forge && !hub) || !objectStorage?.endpoint || !objectStorage.region || !objectStorage.bucketSuffix)
    return undefined;
  const { endpoint, region, bucketSuffix, existingBuckets } = objectStorage;
  const { namespace = defaultNamespace } = settings;
  const platform = platformArgs(stack);
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
        ...(forge ? forgeBucketArgs(bucketSuffix, namespace) : []),
        ...(hub ? [{ name: hubBucket(bucketSuffix, namespace) }] : []),
      ],
      databaseBackups: databaseBackupsBucket(bucketSuffix, namespace),
      existingBuckets,
      settings: bucketSettings(settings),
    },
    platform,
  };
  return { args, store: storeName(endpoint) };
}

/** The forge on the shared stores; none where the stack has none. */
export function forge(stack: Stack): ForgeArgs | undefined {
  const { settings } = stack;
  const stores = sharedStores(stack);
  if (!settings.forge || !stores) return undefined;
  const { domain, bucketSuffix, ...known } = knownForge(settings, settings.forge);
  if (domain === undefined || bucketSuffix === undefined) return undefined;
  return {
    ...known,
    domain,
    bucketSuffix,
    ...storeConnections(stores.args),
    ...(signsOnWithForge(settings) && {
      applications: [{ name: hubApplication, redirectUri: hubCallback(settings) }],
    }),
    platform: platformArgs(stack),
  };
}

/** The hub on the shared stores, signed on by the forge where the stack has one; none where the stack has no hub. */
export function hub(stack: Stack): HubArgs | undefined {
  const { settings } = stack;
  const stores = sharedStores(stack);
  if (!settings.hub || !stores) return undefined;
  const { database, keystore, objectStore } = storeConnections(stores.args);
  const { domain, bucket, signOn, ...known } = knownHub(settings, settings.hub);
  if (domain === undefined || bucket === undefined) return undefined;
  const forgeOf = signsOnWithForge(settings) && forge(stack);
  return {
    ...known,
    domain,
    bucket,
    database: { ...database, database: hubDatabase },
    databaseCluster: clusterName({ ...stores.args.database, name: sharedNames.database }),
    keystore,
    objectStore,
    signOn: signOnArgs({ ...signOn, ...(forgeOf && applicationConnection(forgeOf, hubApplication)) }),
    platform: platformArgs(stack),
  };
}

function signOnArgs({ issuer, clientId, clientSecret, ...rest }: Partial<HubSignOnArgs>): HubSignOnArgs | undefined {
  return issuer !== undefined && clientId && clientSecret ? { ...rest, issuer, clientId, clientSecret } : undefined;
}

/** The limits inside the cluster; none where the stack does not ask for them. */
export function admission(stack: Stack): AdmissionArgs | undefined {
  const { settings, suites } = stack;
  if (!settings.admission) return undefined;
  const forgeNamespace = sharedStores(stack)?.args.namespace;
  return {
    ...settings.admission,
    namespaces: [
      ...(forgeNamespace === undefined ? [] : [{ name: forgeNamespace }]),
      ...suites.map(({ config: { namespace, storage }, settings: { files } }) => ({
        name: namespace,
        storageClass: storage.storageClass,
        files,
      })),
    ],
    platform: platformArgs(stack),
  };
}

/** The webhook and its sites; none where the stack has no settings of it. */
export function siteWebhook(stack: Stack): SiteWebhookArgs | undefined {
  const { settings } = stack;
  const { siteWebhook } = settings;
  if (!siteWebhook) return undefined;
  const tag = siteWebhook.enabled && siteWebhook.repository ? contentTag(siteWebhook) : undefined;
  return { ...knownSiteWebhook(settings, siteWebhook, tag), platform: platformArgs(stack) };
}

/** How buckets are made, without where they are. */
function bucketSettings({ objectStorage }: StackSettings): BucketSettingsArgs | undefined {
  if (!objectStorage) return undefined;
  const { provider, provisioner, cluster } = objectStorage;
  return provider || provisioner || cluster ? { provider, provisioner, cluster } : undefined;
}

function storeName(endpoint: string): string {
  return new URL(endpoint).host;
}

function platformArgs({ settings, imageDigests }: Stack): PlatformArgs {
  const { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, limits, allowDataLoss } =
    settings;
  return {
    profile,
    ingress,
    images: images && { mirrors: images.mirrors, pullSecrets: images.pullSecrets, digests: imageDigests },
    workload,
    workloads,
    secrets,
    privateCa,
    monitoring,
    limits,
    allowDataLoss,
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
