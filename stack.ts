import type { ProviderArgs as AwsProviderArgs } from "@pulumi/aws";
import type { ProviderArgs as KubernetesProviderArgs } from "@pulumi/kubernetes";
import type { AdmissionArgs } from "./components/admission/args.ts";
import type { CloudSuiteArgs } from "./components/cloudsuite/args.ts";
import type { ForgeArgs } from "./components/forge/args.ts";
import { forgeBucketArgs, forgeClients, forgeDatabase, forgeExtensions } from "./components/forge/store-needs.ts";
import { BucketProvisioner, type BucketSettingsArgs } from "./components/object-storage/args.ts";
import { forgeBucket } from "./components/object-storage/bucket-names.ts";
import { awsProviderArgs } from "./components/object-storage/provider-args.ts";
import type { PlatformArgs } from "./components/platform.ts";
import type { StoresArgs } from "./components/stores/args.ts";
import { storeConnections } from "./components/stores/plan.ts";
import type { ConfigFile } from "./settings/config-schema.ts";
import { knownForge } from "./settings/forge-settings.ts";
import type { StackSettings } from "./settings/stack-schema.ts";
import type { Stack, Suite } from "./settings/stack-settings.ts";

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
  if (settings.forge && endpoint && region) stores.set(storeName(endpoint), { endpoint, region });
  return [...stores].map(([name, { endpoint, region }]) => ({
    name,
    args: awsProviderArgs({ endpoint, region, settings: bucketSettings(settings) }),
  }));
}

/** The suites, each with the name of its object store's provider. */
export function suites({ settings, suites }: Stack): { name: string; args: CloudSuiteArgs; store: string }[] {
  const platform = platformArgs(settings);
  return suites.map((suite) => ({
    name: suite.settings.name,
    args: suiteArgs(suite, settings, platform),
    store: storeName(suite.config.s3.endpoint),
  }));
}

interface Place {
  readonly endpoint: string;
  readonly region: string;
}

/** The stores that forge and hub share, with the name of their object store's provider; none where the stack has neither. */
export function sharedStores({ settings }: Stack): { args: StoresArgs; store: string } | undefined {
  const { forge, database, keystore, objectStorage } = settings;
  if (!forge || !objectStorage?.endpoint || !objectStorage.region || !objectStorage.bucketSuffix) return undefined;
  const { endpoint, region, bucketSuffix, existingBuckets } = objectStorage;
  const { namespace = "" } = knownForge(settings, forge);
  const platform = platformArgs(settings);
  const args: StoresArgs = {
    namespace,
    database: {
      ...database,
      database: forgeDatabase,
      extensions: forgeExtensions,
      clients: forgeClients({ platform, replicas: forge.replicas }),
    },
    keystore,
    objectStorage: {
      endpoint,
      region,
      buckets: forgeBucketArgs(bucketSuffix, namespace),
      databaseBackups: forgeBucket("db-backups", bucketSuffix, namespace),
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
  return {
    ...(knownForge(settings, settings.forge) as ForgeArgs),
    ...storeConnections(stores.args),
    platform: platformArgs(settings),
  };
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
    platform: platformArgs(settings),
  };
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

function platformArgs(settings: StackSettings): PlatformArgs {
  const { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, allowDataLoss } = settings;
  return { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, allowDataLoss };
}

function suiteArgs({ config, settings }: Suite, stack: StackSettings, platform: PlatformArgs): CloudSuiteArgs {
  const { office, whiteboard, storage, ...rest } = config;
  return {
    ...rest,
    storage: { ...storage, webSize: settings.webSize },
    office: officeArgs(office, settings),
    whiteboard: whiteboard.enabled && whiteboard.resources ? { resources: whiteboard.resources } : undefined,
    objectStorage: bucketSettings(stack),
    platform,
    maintenance: settings.maintenance,
    recover: settings.recover,
    database: settings.database,
    keystore: settings.keystore,
    existingBuckets: settings.existingBuckets,
  };
}

function officeArgs({ enabled, domain, resources }: ConfigFile["office"], { officeEngine }: Suite["settings"]) {
  return enabled && domain !== undefined && resources ? { domain, resources, engine: officeEngine } : undefined;
}
