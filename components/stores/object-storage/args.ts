// Written by `npm run generate` from schema.ts: change that.
import type { StorePlatformArgs } from "../../core/platform-args.ts";

/** Provider of an S3-compatible object store. `profiles.ts` lists what each supports. */
export const ObjectStoreProvider = {
  hetzner: "hetzner",
  aws: "aws",
  ceph: "ceph",
  minio: "minio",
  generic: "generic",
} as const;
export type ObjectStoreProvider = (typeof ObjectStoreProvider)[keyof typeof ObjectStoreProvider];

/** Who makes the buckets. */
export const BucketProvisioner = {
  /** This program, with the S3 API. */
  aws: "aws",
  /** A resource manager in the cluster, from Bucket objects. */
  cluster: "cluster",
} as const;
export type BucketProvisioner = (typeof BucketProvisioner)[keyof typeof BucketProvisioner];

/** The Bucket objects of a resource manager in the cluster. */
export interface ClusterProvisionerArgs {
  /** API version of the objects; the default is Crossplane's AWS provider. @default s3.aws.upbound.io/v1beta2 */
  apiVersion?: string;
  /** Kind of the objects. @default Bucket */
  kind?: string;
  /** Name of the ProviderConfig with endpoint and credentials. @default default */
  providerConfig?: string;
  /** Namespace of the objects, for kinds that have one. @default none */
  namespace?: string;
}

/** A bucket to make. */
export interface BucketArgs {
  /** Name of the bucket, e.g. `backups-team-a1b2`. */
  name: string;
  /** Keeps former versions of an object. Set it to false for backups, caches and scratch space. @default `settings.versioning` */
  versioning?: boolean;
  /** Days after which a former version is deleted. At least 1. @default `settings.expireVersionsAfterDays` */
  expireVersionsAfterDays?: number;
}

/** How buckets are made. */
export interface BucketSettingsArgs {
  /** Provider of the object store. @default known from the endpoint, otherwise generic */
  provider?: ObjectStoreProvider;
  /** Who makes the buckets. @default aws */
  provisioner?: BucketProvisioner;
  /** The Bucket objects of provisioner `cluster`. @default Crossplane's */
  cluster?: ClusterProvisionerArgs;
  /** Keeps former versions of what is deleted or overwritten. Backups, caches and scratch space have none. @default true where this program makes the buckets and the provider lets former versions expire */
  versioning?: boolean;
  /** Days after which a former version is deleted. At least 1. @default 30 where former versions are kept and the provider lets them expire, otherwise never */
  expireVersionsAfterDays?: number;
}

/** Buckets at one endpoint of an S3-compatible object store. */
export interface ObjectStorageArgs {
  /** URL of the endpoint, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code for signing requests, e.g. `fsn1`. */
  region: string;
  /** How the buckets are made. @default by this program */
  settings?: BucketSettingsArgs;
  /** The buckets. */
  buckets: BucketArgs[];
  /** Secret with the two AWS keys that applications sign in with. */
  credentials: string;
  /** Settings that all components of the stack share. */
  platform: StorePlatformArgs;
}
