import { BucketProvisioner, type BucketSettingsArgs } from "@hearth-platform/hearth/stores/object-storage/args";
import { awsProviderArgs } from "@hearth-platform/hearth/stores/object-storage/provider-args";
import type { ProviderArgs as AwsProviderArgs } from "@pulumi/aws/provider.js";
import type { ProviderArgs as KubernetesProviderArgs } from "@pulumi/kubernetes/provider.js";
import type { ClusterChoice } from "./settings/cluster-choice.ts";
import type { StackSettings } from "./settings/stack-schema.ts";
import type { Stack } from "./stack-settings.ts";

/** The cluster that the settings name. @param named what a person names instead */
export function clusterChoice({ settings: { kubernetes } }: Stack, named: ClusterChoice = {}): ClusterChoice {
  const { kubeconfig = kubernetes?.kubeconfig, context = kubernetes?.context } = named;
  return { kubeconfig, context };
}

/** The provider of the cluster. */
export function clusterArgs(stack: Stack): KubernetesProviderArgs {
  const { context, kubeconfig } = clusterChoice(stack);
  return {
    context,
    kubeconfig,
    // Another path or content of the kubeconfig is still the same cluster: without this, all objects would be replaced.
    // Only of a new stack: `clusterOptions` keeps what the state has.
    clusterIdentifier: context ?? "default",
    // Names are fixed, so a changed ConfigMap or Secret is updated; pods roll by the hash they carry.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
  };
}

/** A provider for each object store in which this program makes buckets, named by its host. */
export function objectStores({ settings, suites }: Stack): { name: string; endpoint: string; args: AwsProviderArgs }[] {
  const { objectStorage } = settings;
  if (objectStorage?.provisioner === BucketProvisioner.cluster) return [];
  const stores = new Map(suites.map(({ config: { s3 } }) => [storeName(s3.endpoint), s3 as Place]));
  const { endpoint, region } = objectStorage ?? {};
  if ((settings.forge || settings.hub) && endpoint && region) stores.set(storeName(endpoint), { endpoint, region });
  return [...stores].map(([name, { endpoint, region }]) => ({
    name,
    endpoint,
    args: awsProviderArgs({ endpoint, region, settings: bucketSettingsOf(settings) }),
  }));
}

interface Place {
  readonly endpoint: string;
  readonly region: string;
}

/** How buckets are made, without where they are. */
export function bucketSettingsOf({ objectStorage }: StackSettings): BucketSettingsArgs | undefined {
  if (!objectStorage) return undefined;
  const { provider, provisioner, cluster, versioning, expireVersionsAfterDays } = objectStorage;
  const settings = { provider, provisioner, cluster, versioning, expireVersionsAfterDays };
  return Object.values(settings).some((value) => value !== undefined) ? settings : undefined;
}

/** Name of the provider of an object store: its host. */
export function storeName(endpoint: string): string {
  return new URL(endpoint).host;
}
