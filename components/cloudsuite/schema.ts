import { programs } from "../catalogue/releases.ts";
import { fixedImage } from "../core/image-rules.ts";
import { mail } from "../core/mail-schema.ts";
import { platform } from "../core/platform-schema.ts";
import { alternatives } from "../core/problems.ts";
import type { Resolved } from "../core/resolve.ts";
import { as, block, defaultsTo, flag, map, optional, text, textMap, type ValueRule, whole } from "../core/schema.ts";
import { bytes, endpointUrl, forms, hostName, ownNamespaceName } from "../core/value-rules.ts";
import { recommendedResources } from "../kubernetes/resources-schema.ts";
import { allowedMajors, databaseMajor } from "../limits/counts.ts";
import { locations, storageClasses } from "../limits/sets.ts";
import { limits } from "../limits/table.ts";
import { allowedCount, allowedName, leastSize, singleWriterClass } from "../limits/value-rules.ts";
import { databaseConnectionSchema, keystoreConnectionSchema } from "../stores/connections-schema.ts";
import { databaseRecovery } from "../stores/database/schema.ts";
import { keystoreVersion } from "../stores/keystore/value-rules.ts";
import { bucketSettings } from "../stores/object-storage/schema.ts";
import { otherApps } from "./apps/other-apps.ts";
import { appArguments } from "./apps/registry.ts";
import { cloudSuiteSystem } from "./system-config.ts";
import {
  cloudsuiteVersion,
  country,
  databaseVersion,
  language,
  partVersion,
  storeUrl,
  suiteBucket,
} from "./value-rules.ts";

const size = (description: string, example: string, rule: ValueRule<string> = bytes) =>
  text(description, { rule, examples: [example], hints: { pattern: forms.bytes } });

export const cloudSuiteVersions = block(
  "CloudSuiteVersionsArgs",
  "Versions of a suite's parts: `versions` of config.yaml.",
  {
    cloudsuite: text(
      `Tag of the Nextcloud Apache image, e.g. \`${programs.nextcloud.deployed}\`; never older than the data, at most one major newer.`,
      { rule: cloudsuiteVersion, examples: [programs.nextcloud.deployed] },
    ),
    db: text(
      `PostgreSQL major in quotes: ${allowedMajors(databaseMajor)
        .map((major) => `\`"${major}"\``)
        .join(", ")}.`,
      {
        rule: databaseVersion,
        hints: { anyOf: [{ enum: allowedMajors(databaseMajor) }, { pattern: "^1[2-8]$" }] },
      },
    ),
    keystore: text(`Tag of the keystore image, e.g. \`${programs.valkey.deployed}\`.`, {
      rule: keystoreVersion,
      examples: [programs.valkey.deployed],
    }),
    office: optional(
      text(`Tag of the office image, needed with \`office\`; of Collabora e.g. \`${programs.collabora.deployed}\`.`, {
        rule: partVersion,
      }),
      "none",
    ),
    whiteboard: optional(
      text(`Tag of the whiteboard image, needed with \`whiteboard\`, e.g. \`${programs.whiteboard.deployed}\`.`, {
        rule: partVersion,
      }),
      "none",
    ),
  },
);

export const cloudSuiteBuckets = block(
  "CloudSuiteBucketsArgs",
  "Names of a suite's buckets: `s3.buckets` of config.yaml.",
  {
    data: text("Bucket of the users' files, e.g. `data-team-a1b2`.", {
      rule: suiteBucket("data"),
      examples: ["data-team-a1b2"],
    }),
    backups: text("Bucket of the database backups, e.g. `backups-team-a1b2`.", {
      rule: suiteBucket("backups"),
      examples: ["backups-team-a1b2"],
    }),
  },
);

export const cloudSuiteS3 = block("CloudSuiteS3Args", "Object storage of a suite: `s3` of config.yaml.", {
  endpoint: text("URL of the S3-compatible endpoint, e.g. `https://fsn1.your-objectstorage.com`.", {
    rule: endpointUrl,
    examples: locations.map((code) => `https://${code}.your-objectstorage.com`),
    hints: { format: "uri", pattern: "^https://[^/]+$" },
  }),
  region: text(`Region code of the endpoint's location: ${alternatives(locations.map((code) => `\`${code}\``))}.`, {
    rule: allowedName(limits.region),
    hints: { anyOf: [{ enum: locations }, { pattern: "^[a-z][a-z0-9-]*$" }] },
  }),
  buckets: as(cloudSuiteBuckets, "Names of the buckets."),
});

export const cloudSuiteStorage = block("CloudSuiteStorageArgs", "Volumes of a suite: `storage` of config.yaml.", {
  storageClass: text(
    "Storage class of the web volume: `replicated-block` (single-writer), `smb-csi` (multi-writer), or one that `platform.limits` adds. Database and keystore have the stack's `storageClass`.",
    {
      rule: allowedName(limits.storageClass),
      hints: { anyOf: [{ enum: Object.values(storageClasses) }, { pattern: "^[a-z0-9][a-z0-9.-]*$" }] },
    },
  ),
  dbSize: size("Size of each database replica's volume, with a binary suffix, e.g. `10Gi`.", "10Gi"),
  keystoreSize: size(
    "Size of the keystore's volume, with a binary suffix, e.g. `5Gi`.",
    "5Gi",
    leastSize(limits.keystoreSize),
  ),
  dbClass: defaultsTo(
    text("Storage class of the database's volumes; in a stack its `storageClass` unless it is set here.", {
      rule: singleWriterClass,
    }),
    storageClasses.replicatedBlock,
  ),
  keystoreClass: defaultsTo(
    text("Storage class of the keystore's volume; in a stack its `storageClass` unless it is set here.", {
      rule: singleWriterClass,
    }),
    storageClasses.replicatedBlock,
  ),
  webSize: defaultsTo(
    size(
      "Size of the volume with the program, its apps and configuration, with a binary suffix. Users' files are in the object store.",
      "10Gi",
    ),
    "10Gi",
  ),
});

export const cloudSuiteResources = block(
  "CloudSuiteResourcesArgs",
  "Resources of a suite's own parts: `resources` of config.yaml.",
  {
    cloudsuite: recommendedResources("Of each web pod.", limits.cloudsuiteResources.least()),
    db: recommendedResources("Of each database instance.", limits.databaseResources.least()),
    keystore: recommendedResources("Of the keystore.", limits.keystoreResources.least()),
  },
);

export const cloudSuiteReplicas = block(
  "CloudSuiteReplicasArgs",
  "Replica counts of a suite: `replicas` of config.yaml.",
  {
    cloudsuite: whole("Web pods: 1 with `replicated-block`, up to 3 with `smb-csi`.", {
      rule: allowedCount(limits.cloudsuiteReplicas),
      hints: { minimum: 1 },
    }),
    db: whole("Database instances: 2 for production, 1 for development.", {
      rule: allowedCount(limits.databaseInstances),
      hints: { minimum: 1 },
    }),
    keystore: whole("Keystore pods: 1.", {
      rule: allowedCount(limits.keystoreReplicas),
      hints: { const: limits.keystoreReplicas.least() },
    }),
  },
);

export const cloudSuitePhp = block("CloudSuitePhpArgs", "Limits of PHP.", {
  memory: optional(size("Memory of one request, of a background job, or of a command, e.g. `1Gi`.", "1Gi"), "512Mi"),
  upload: optional(
    size(
      "Greatest form, and greatest file that is sent in one piece. Nextcloud's clients send larger ones in parts.",
      "4Gi",
    ),
    "512Mi for a form, 1Gi for a request",
  ),
});

export const cloudSuiteAppStore = block("CloudSuiteAppStoreArgs", "A mirror of Nextcloud's app store.", {
  url: text(
    "URL that the list of apps is below, as `apps.json` and `categories.json`, e.g. `https://apps.example.org/api/v1`.",
    { rule: storeUrl, examples: ["https://apps.example.org/api/v1"] },
  ),
  privateAddress: defaultsTo(
    flag(
      "The mirror has a private address. Nextcloud then calls private addresses for its users too, e.g. for federated shares.",
    ),
    false,
  ),
});

export const cloudSuite = block(
  "CloudSuiteArgs",
  "A collaboration suite in a namespace of its own, described by the fields of one config.yaml.",
  {
    namespace: text(
      "Namespace of the suite, e.g. `team`: a DNS label that nothing else uses. It is created with the suite.",
      {
        rule: ownNamespaceName,
        examples: ["team"],
        hints: { pattern: forms.dnsLabel },
      },
    ),
    domain: text(
      "Public host, e.g. `cloud.example.org`, used for ingress, TLS certificate, trusted domain and office server URL.",
      { rule: hostName, examples: ["cloud.example.org"], hints: { format: "hostname" } },
    ),
    versions: as(cloudSuiteVersions, "Versions of the parts."),
    s3: as(cloudSuiteS3, "Object storage."),
    storage: as(cloudSuiteStorage, "Volumes."),
    resources: as(cloudSuiteResources, "Resources of the pods."),
    replicas: as(cloudSuiteReplicas, "Replica counts."),
    ...appArguments,
    platform: as(platform, "Settings that all components of the stack share."),
    apps: optional(
      map(
        textMap("Settings of the app, as `occ config:app:set` takes them."),
        "Nextcloud's apps that are on, with their settings: the app's id → its settings, e.g. `calendar: {}` or `files: {default_quota: 10 GB}`. `core` has settings alone. An app that leaves the list stays on.",
        { rule: otherApps },
      ),
      "those of the image",
    ),
    internet: defaultsTo(
      flag(
        "The suite reaches the internet. If not, Nextcloud asks no app store but a mirror, and calls none of its makers' services.",
      ),
      true,
    ),
    appStore: optional(
      as(cloudSuiteAppStore, "A mirror of Nextcloud's app store."),
      "https://apps.nextcloud.com/api/v1",
    ),
    appsImage: optional(
      text(
        "Image with apps of Nextcloud, each in a folder of `/apps`, with the program `cp`, e.g. `registry.example.org/team/nextcloud-apps:34.0.4-1`.",
        { rule: fixedImage, examples: ["registry.example.org/team/nextcloud-apps:34.0.4-1"] },
      ),
      "none: apps come from the app store",
    ),
    system: optional(
      as(cloudSuiteSystem, "Nextcloud's own system settings, by the names that they have in `config.php`."),
      "Nextcloud's defaults",
    ),
    phoneRegion: optional(
      text("Country of telephone numbers without a prefix, e.g. `DE`.", { rule: country, examples: ["DE"] }),
      "none: numbers need their prefix",
    ),
    language: optional(
      text("Language of new users whose browser names none, e.g. `de`.", { rule: language, examples: ["de"] }),
      "English",
    ),
    php: optional(as(cloudSuitePhp, "Limits of PHP."), "the image's"),
    mail: optional(as(mail, "Mail of this suite."), "the platform's `mail`; without it the suite sends none"),
    maintenance: defaultsTo(flag("Shows visitors the maintenance page and stops background jobs."), false),
    recover: optional(
      as(
        databaseRecovery,
        "Recovery of the suite's database to a point in time. Files in the object store do not go back with it.",
      ),
      "none",
    ),
    database: optional(
      as(databaseConnectionSchema, "Uses an existing PostgreSQL database instead of making one."),
      "a cluster of its own",
    ),
    keystore: optional(
      as(keystoreConnectionSchema, "Uses an existing keystore instead of making one."),
      "a keystore of its own",
    ),
    networkPolicies: optional(
      flag("Network policies that allow exactly the connections the suite needs and deny all others."),
      "as the whole stack: with profile production",
    ),
    existingBuckets: optional(flag("Uses existing buckets instead of making them."), "false: they are made"),
    objectStorage: optional(as(bucketSettings, "How the buckets are made."), "by this program"),
  },
);

/** A suite's arguments with their defaults. */
export interface ResolvedSuite extends Resolved<typeof cloudSuite> {}
