import { programs } from "../../catalogue/releases.ts";
import { storePlatform } from "../../core/platform-schema.ts";
import {
  as,
  block,
  count,
  defaultsTo,
  filled,
  flag,
  list,
  optional,
  perProfile,
  text,
  texts,
} from "../../core/schema.ts";
import { bucketName, dnsLabel, endpointUrl, namespaceName } from "../../core/value-rules.ts";
import { resources } from "../../kubernetes/resources-schema.ts";
import { storageClasses } from "../../limits/sets.ts";
import { limits } from "../../limits/table.ts";
import { allowedCount, leastSize, singleWriterClass } from "../../limits/value-rules.ts";
import {
  backupRetention,
  backupSchedule,
  databaseName,
  extensions,
  majorVersion,
  recoverySuffix,
  recoveryTarget,
  recoveryTime,
} from "./value-rules.ts";

export const extraDatabase = block("ExtraDatabaseArgs", "A further database in the same cluster, owned by `app`.", {
  name: text("Name of the database, e.g. `registry`.", { rule: databaseName }),
  extensions: filled(texts("PostgreSQL extensions it has.", { rule: extensions }), "none"),
});

export const databaseClient = block("DatabaseClientArgs", "A client of the database, through the pooler.", {
  name: text("Name of the client, e.g. `forge-jobs`."),
  database: optional(text("Name of the database it connects to."), "the cluster's own `database`"),
  connections: count("Most connections open at the same time, over all pods of the client.", { min: 1 }),
});

export const databaseBackup = block("DatabaseBackupArgs", "Target of backups and the write-ahead log.", {
  endpoint: text("URL of the S3-compatible endpoint, e.g. `https://fsn1.your-objectstorage.com`.", {
    rule: endpointUrl,
  }),
  region: text("Region code for signing requests, e.g. `fsn1`."),
  bucket: text("Name of the bucket, e.g. `backups-team-a1b2`.", { rule: bucketName }),
  credentials: text(
    "Name of the Secret with the keys AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in the database's namespace.",
  ),
  schedule: defaultsTo(
    text("Schedule of base backups, as a cron schedule of six fields, seconds first.", { rule: backupSchedule }),
    "0 0 3 * * *",
  ),
  retention: defaultsTo(
    text("How far back a recovery can go, in days, weeks or months: `30d`.", { rule: backupRetention }),
    "30d",
  ),
});

export const databaseRecovery = block(
  "DatabaseRecoveryArgs",
  "Recovery to a point in time. It makes a new cluster from the backups of an old one and switches the pooler to it; clients keep their address. Keep it set afterwards: the new cluster is the database from then on.",
  {
    suffix: optional(
      text("Suffix of the new cluster's name: `r1` gives `forge-db-r1`.", { rule: recoverySuffix }),
      "the instant: `20261120-083000`",
    ),
    source: optional(
      text("Name of the cluster whose backups are read.", { rule: dnsLabel }),
      "the name without suffix",
    ),
    targetTime: optional(
      text("Point in time, in UTC unless it has an offset: `2026-11-20 08:30:00`, `2026-11-20 10:30:00+02:00`.", {
        rule: recoveryTime,
      }),
      "the end of the write-ahead log",
    ),
    keepSource: defaultsTo(
      flag(
        "Keeps the old cluster beside the new one. To delete it, name it in `allowDataLoss` and run `up`; then set this to false and run `up` again.",
      ),
      true,
    ),
  },
  recoveryTarget,
);

export const database = block(
  "DatabaseArgs",
  "A PostgreSQL cluster of the CloudNativePG operator behind a connection pooler.",
  {
    name: text(
      "Name of the cluster, e.g. `forge-db`; its instances are `forge-db-1`, `forge-db-2`, its pooler `forge-db-pooler`.",
      { rule: dnsLabel },
    ),
    namespace: text("Namespace of the component; it must exist.", { rule: namespaceName }),
    version: defaultsTo(
      text(
        `PostgreSQL major, ${limits.sharedDatabaseMajor.allowed()}, which forge and hub must run on. The operator refuses 12. hearth pins the minor.`,
        { rule: majorVersion },
      ),
      programs.postgresql.deployed,
    ),
    database: text("Name of the application's database, owned by `app`.", { rule: databaseName }),
    extensions: filled(texts("PostgreSQL extensions of that database.", { rule: extensions }), "none"),
    databases: filled(list(extraDatabase, "Further databases."), "none"),
    instances: perProfile(
      count("Number of instances: 2 are a primary and a standby; 1 has no failover.", {
        rule: allowedCount(limits.databaseInstances),
        hints: { minimum: 1 },
      }),
      {
        production: limits.databaseInstances.least({ profile: "production" }),
        development: limits.databaseInstances.least({ profile: "development" }),
      },
    ),
    storageSize: defaultsTo(
      text("Size of each instance's volume, with a binary suffix.", { rule: leastSize(limits.databaseSize) }),
      limits.databaseSize.least(),
    ),
    storageClass: defaultsTo(
      text("Storage class of these volumes; in a stack its `storageClass` unless it is set here.", {
        rule: singleWriterClass,
      }),
      storageClasses.replicatedBlock,
    ),
    resources: resources(
      "Resources of each instance.",
      "100m",
      "256Mi",
      "500m",
      "512Mi",
      limits.databaseResources.least(),
    ),
    clients: list(databaseClient, "All clients; pooler and server are sized for the sum of their connections."),
    backup: optional(as(databaseBackup, "Target of backups."), "none are made"),
    recover: optional(as(databaseRecovery, "Recovery to a point in time."), "none"),
    partOf: optional(
      text("Application it belongs to, for the label `app.kubernetes.io/part-of`."),
      "the cluster's name",
    ),
    platform: as(storePlatform, "Settings that all components of the stack share."),
  },
);
