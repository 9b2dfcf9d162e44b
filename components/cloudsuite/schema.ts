import { programs } from "../catalogue/releases.ts";
import { platform } from "../core/platform-schema.ts";
import { as, block, count, defaultsTo, flag, optional, text } from "../core/schema.ts";
import { resourceSpec } from "../kubernetes/resources-schema.ts";
import { databaseConnection, keystoreConnection } from "../stores/connections-schema.ts";
import { databaseRecovery } from "../stores/database/schema.ts";
import { bucketSettings } from "../stores/object-storage/schema.ts";
import { appArguments } from "./apps/registry.ts";

export const cloudSuiteVersions = block(
  "CloudSuiteVersionsArgs",
  "Versions of a suite's parts: `versions` of config.yaml.",
  {
    cloudsuite: text(
      `Tag of the Nextcloud Apache image, e.g. \`${programs.nextcloud.deployed}\`; never older than the data, at most one major newer.`,
    ),
    db: text("PostgreSQL major, 12 to 16, e.g. `16`."),
    keystore: text("Tag of the keystore image, e.g. `8-alpine`."),
    office: optional(text("Tag of the office image, needed with `office`."), "none"),
    whiteboard: optional(text("Tag of the whiteboard image, needed with `whiteboard`."), "none"),
  },
);

export const cloudSuiteBuckets = block(
  "CloudSuiteBucketsArgs",
  "Names of a suite's buckets: `s3.buckets` of config.yaml.",
  {
    data: text("Bucket of the users' files, e.g. `data-team-a1b2`."),
    backups: text("Bucket of the database backups, e.g. `backups-team-a1b2`."),
  },
);

export const cloudSuiteS3 = block("CloudSuiteS3Args", "Object storage of a suite: `s3` of config.yaml.", {
  endpoint: text("URL of the S3-compatible endpoint, e.g. `https://fsn1.your-objectstorage.com`."),
  region: text("Region code of the endpoint's location: fsn1, nbg1 or hel1."),
  buckets: as(cloudSuiteBuckets, "Names of the buckets."),
});

export const cloudSuiteStorage = block("CloudSuiteStorageArgs", "Volumes of a suite: `storage` of config.yaml.", {
  storageClass: text(
    "Class of the web volume: `replicated-block` (single-writer) or `smb-csi` (multi-writer); database and keystore always use `replicated-block`.",
  ),
  dbSize: text("Volume of each database replica, binary suffix, e.g. `10Gi`."),
  keystoreSize: text("Volume of the keystore, binary suffix, e.g. `5Gi`."),
  webSize: defaultsTo(
    text("Volume of the program, its apps and configuration, binary suffix; users' files are in the object store."),
    "10Gi",
  ),
});

export const cloudSuiteResources = block(
  "CloudSuiteResourcesArgs",
  "Resources of a suite's own parts: `resources` of config.yaml.",
  {
    cloudsuite: as(resourceSpec, "Of each web pod."),
    db: as(resourceSpec, "Of each database instance."),
    keystore: as(resourceSpec, "Of the keystore."),
  },
);

export const cloudSuiteReplicas = block(
  "CloudSuiteReplicasArgs",
  "Replica counts of a suite: `replicas` of config.yaml.",
  {
    cloudsuite: count("Web pods: 1 with `replicated-block`, up to 3 with `smb-csi`."),
    db: count("Database instances: 2 for production, 1 for development."),
    keystore: count("Keystore pods: 1."),
  },
);

export const cloudSuite = block(
  "CloudSuiteArgs",
  "A collaboration suite in a namespace of its own, described by the fields of one config.yaml.",
  {
    namespace: text("Namespace of the suite; made with it."),
    domain: text("Public host, e.g. `cloud.example.org`: ingress, TLS certificate, trusted domain, office server URL."),
    versions: as(cloudSuiteVersions, "Versions of the parts."),
    s3: as(cloudSuiteS3, "Object storage."),
    storage: as(cloudSuiteStorage, "Volumes."),
    resources: as(cloudSuiteResources, "Resources of the pods."),
    replicas: as(cloudSuiteReplicas, "Replica counts."),
    ...appArguments,
    platform: as(platform, "Settings every component of the stack shares."),
    maintenance: defaultsTo(flag("Shows visitors the maintenance page and stops background jobs."), false),
    recover: optional(
      as(
        databaseRecovery,
        "Recovery of the suite's own database to a point in time; files in the object store do not go back with it.",
      ),
      "none",
    ),
    database: optional(
      as(databaseConnection, "A PostgreSQL database of one's own instead of the suite's."),
      "a cluster of its own",
    ),
    keystore: optional(
      as(keystoreConnection, "A keystore of one's own instead of the suite's."),
      "a keystore of its own",
    ),
    existingBuckets: optional(flag("The buckets exist already and are only used."), "false: they are made"),
    objectStorage: optional(as(bucketSettings, "How the buckets are made."), "by this program"),
  },
);
