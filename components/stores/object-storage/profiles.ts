import { BucketProvisioner, type BucketSettingsArgs, ObjectStoreProvider } from "./args.ts";

/** Optional features of an object store, beyond buckets and objects. */
export interface ProviderProfile {
  /** Shape of its endpoints, `{region}` in the region's place; absent: any host. */
  readonly endpoint?: string;
  /** Whether it keeps former versions of objects. */
  readonly versioning: boolean;
  /** Whether it takes lifecycle rules, which let former versions go. */
  readonly lifecycle: boolean;
  /** Whether the bucket stands in the path of a URL, not in its host. */
  readonly pathStyle: boolean;
}

/**
 * The object stores known. None gets tags: Hetzner's and others answer a request that sets one with NotImplemented.
 * A generic store is taken to have the S3 API's core alone.
 */
export const profiles: Readonly<Record<ObjectStoreProvider, ProviderProfile>> = {
  hetzner: {
    endpoint: "https://{region}.your-objectstorage.com",
    versioning: true,
    lifecycle: true,
    pathStyle: true,
  },
  aws: {
    endpoint: "https://s3.{region}.amazonaws.com",
    versioning: true,
    lifecycle: true,
    pathStyle: false,
  },
  ceph: { versioning: true, lifecycle: true, pathStyle: true },
  minio: { versioning: true, lifecycle: true, pathStyle: true },
  generic: { versioning: true, lifecycle: false, pathStyle: true },
};

/** Provider of an endpoint: the one named in the settings, else the one whose endpoints look like it, else generic. */
export function providerOf(endpoint: string, region: string, settings: BucketSettingsArgs = {}): ObjectStoreProvider {
  const known = Object.values(ObjectStoreProvider).find((name) => endpointOf(name, region) === endpoint);
  return settings.provider ?? known ?? ObjectStoreProvider.generic;
}

/** Endpoint of `provider` in `region`; undefined where it may be any. */
export function endpointOf(provider: ObjectStoreProvider, region: string): string | undefined {
  return profiles[provider].endpoint?.replace("{region}", region);
}

/** What the buckets made so can do: those that a resource manager in the cluster makes get no settings of their own. */
export function abilitiesOf(
  endpoint: string,
  region: string,
  settings: BucketSettingsArgs = {},
): Pick<ProviderProfile, "versioning" | "lifecycle"> {
  if (settings.provisioner === BucketProvisioner.cluster) return { versioning: false, lifecycle: false };
  return profiles[providerOf(endpoint, region, settings)];
}
