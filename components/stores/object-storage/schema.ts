import { apiVersion, objectKind, objectName } from "../../core/object-rules.ts";
import { storePlatform } from "../../core/platform-schema.ts";
import { as, block, choice, count, defaultsTo, filled, flag, list, optional, text } from "../../core/schema.ts";
import { bucketName, dnsLabel, endpointUrl } from "../../core/value-rules.ts";

export const objectStoreProvider = choice(
  "ObjectStoreProvider",
  { hetzner: "hetzner", aws: "aws", ceph: "ceph", minio: "minio", generic: "generic" },
  "Provider of an S3-compatible object store. `profiles.ts` lists what each supports.",
);

export const bucketProvisioner = choice(
  "BucketProvisioner",
  { aws: "aws", cluster: "cluster" },
  "Who makes the buckets.",
  { aws: "This program, with the S3 API.", cluster: "A resource manager in the cluster, from Bucket objects." },
);

export const clusterProvisioner = block(
  "ClusterProvisionerArgs",
  "The Bucket objects of a resource manager in the cluster.",
  {
    apiVersion: defaultsTo(
      text("API version of the objects; the default is Crossplane's AWS provider.", { rule: apiVersion }),
      "s3.aws.upbound.io/v1beta2",
    ),
    kind: defaultsTo(text("Kind of the objects.", { rule: objectKind }), "Bucket"),
    providerConfig: defaultsTo(
      text("Name of the ProviderConfig with endpoint and credentials.", { rule: objectName }),
      "default",
    ),
    namespace: optional(text("Namespace of the objects, for kinds that have one.", { rule: dnsLabel }), "none"),
  },
);

export const bucket = block("BucketArgs", "A bucket to make.", {
  name: text("Name of the bucket, e.g. `backups-team-a1b2`.", { rule: bucketName }),
  versioning: optional(
    flag("Keeps former versions of an object. Set it to false for backups, caches and scratch space."),
    "`settings.versioning`",
  ),
  expireVersionsAfterDays: optional(
    count("Days after which a former version is deleted.", { min: 1 }),
    "`settings.expireVersionsAfterDays`",
  ),
});

export const bucketSettings = block("BucketSettingsArgs", "How buckets are made.", {
  provider: optional(
    as(objectStoreProvider, "Provider of the object store."),
    "known from the endpoint, otherwise generic",
  ),
  provisioner: defaultsTo(as(bucketProvisioner, "Who makes the buckets."), "aws"),
  cluster: filled(as(clusterProvisioner, "The Bucket objects of provisioner `cluster`."), "Crossplane's"),
  versioning: optional(
    flag("Keeps former versions of what is deleted or overwritten. Backups, caches and scratch space have none."),
    "true where this program makes the buckets and the provider lets former versions expire",
  ),
  expireVersionsAfterDays: optional(
    count("Days after which a former version is deleted.", { min: 1 }),
    "30 where former versions are kept and the provider lets them expire, otherwise never",
  ),
});

export const objectStorage = block("ObjectStorageArgs", "Buckets at one endpoint of an S3-compatible object store.", {
  endpoint: text("URL of the endpoint, e.g. `https://fsn1.your-objectstorage.com`.", { rule: endpointUrl }),
  region: text("Region code for signing requests, e.g. `fsn1`."),
  settings: filled(as(bucketSettings, "How the buckets are made."), "by this program"),
  buckets: list(bucket, "The buckets."),
  credentials: text("Secret with the two AWS keys that applications sign in with.", { rule: objectName }),
  platform: as(storePlatform, "Settings that all components of the stack share."),
});
