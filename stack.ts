import type { ProviderArgs as AwsProviderArgs } from "@pulumi/aws";
import type { ProviderArgs as KubernetesProviderArgs } from "@pulumi/kubernetes";
import type { CloudSuiteArgs } from "./components/cloudsuite/args.ts";
import { BucketProvisioner } from "./components/object-storage/args.ts";
import { awsProviderArgs } from "./components/object-storage/provider-args.ts";
import type { PlatformArgs } from "./components/platform.ts";
import type { ConfigFile } from "./settings/config-schema.ts";
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
  const stores = new Map(suites.map(({ config: { s3 } }) => [storeName(s3.endpoint), s3]));
  return [...stores].map(([name, s3]) => ({ name, args: awsProviderArgs({ ...s3, settings: objectStorage }) }));
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

function storeName(endpoint: string): string {
  return new URL(endpoint).host;
}

function platformArgs(settings: StackSettings): PlatformArgs {
  const { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, allowDataLoss } = settings;
  return { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, allowDataLoss };
}

function suiteArgs(
  { config, settings }: Suite,
  { objectStorage }: StackSettings,
  platform: PlatformArgs,
): CloudSuiteArgs {
  const { office, whiteboard, storage, ...rest } = config;
  return {
    ...rest,
    storage: { ...storage, webSize: settings.webSize },
    office: officeArgs(office, settings),
    whiteboard: whiteboard.enabled && whiteboard.resources ? { resources: whiteboard.resources } : undefined,
    objectStorage,
    platform,
    maintenance: settings.maintenance,
    database: settings.database,
    keystore: settings.keystore,
    existingBuckets: settings.existingBuckets,
  };
}

function officeArgs({ enabled, domain, resources }: ConfigFile["office"], { officeEngine }: Suite["settings"]) {
  return enabled && domain !== undefined && resources ? { domain, resources, engine: officeEngine } : undefined;
}
