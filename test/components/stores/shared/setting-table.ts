import type { SettingTable } from "../../../support/setting-table.ts";
import { migrations, railsFiles, railsPods } from "../../forge/setting-table.ts";

const larger = { requests: { cpu: "300m", memory: "1Gi" }, limits: { cpu: "2500m", memory: "5Gi" } };
const hubAlone = {
  forge: undefined,
  "hub.signOn.with": "local",
  "cloudsuites[0].signOn": undefined,
};
const onOld = { "database.version": "16", "forge.version": "18.11.11" };
/** Buckets that keep former versions: all but those of backups, caches and scratch space. */
const versioned = [
  "agent-plans-d3v1-platform",
  "artifacts-d3v1-platform",
  "ci-catalog-d3v1-platform",
  "data-club-dev1",
  "data-team-dev1",
  "external-diffs-d3v1-platform",
  "lfs-d3v1-platform",
  "packages-d3v1-platform",
  "pages-d3v1-platform",
  "registry-d3v1-platform",
  "secure-files-d3v1-platform",
  "terraform-state-d3v1-platform",
  "uploads-d3v1-platform",
];
const longhorn = (expandable: boolean) => ({
  storageClasses: [{ name: "longhorn", multiWriter: false, expandable, reason: "x" }],
});
/** What a recovery of the database changes. */
const recovered = [
  "create Backup forge-db-r1-hub",
  "create Cluster forge-db-r1",
  "create Database forge-db-r1-forge",
  "create Database forge-db-r1-hub",
  "create PodMonitor forge-db-r1",
  "create ScheduledBackup forge-db-r1",
  "delete Backup forge-db-hub",
  "delete Database forge-db-forge",
  "delete Database forge-db-hub",
  "delete PodMonitor forge-db",
  "delete ScheduledBackup forge-db",
  "replace Pooler forge-db-pooler",
  "update PodDisruptionBudget forge-db-pooler",
  "update PrometheusRule forge-db",
];
const byCluster = { "objectStorage.provisioner": "cluster" };

/** What forge and hub share: namespace, domain and stores. */
export const storesTable: SettingTable = {
  title: "Shared by forge and hub",
  root: "",
  without: [
    "forge",
    "databaseOperator",
    "dashboards",
    "hub",
    "siteWebhook",
    "cloudsuites",
    "copies",
    "drill",
    "profile",
    "kubernetes",
    "ingress",
    "secrets",
    "images",
    "kit",
    "workload",
    "workloads",
    "privateCa",
    "monitoring",
    "monitoringLabels",
    "privacy",
    "mail",
    "networkPolicies",
    "clusterNetworks",
    "storageClass",
    "limits",
    "existingNamespaces",
    "allowDataLoss",
    "admission",
  ],
  namespace: "platform",
  rows: [
    {
      set: { "database.version": "15" },
      refused: "hearth:database.version: Forge 19.4.3 runs on PostgreSQL 17 to 18, and the database is 15",
    },
    { from: hubAlone, set: { "database.version": "15" }, refused: "version: goes from 17 to 15" },
    {
      from: { ...hubAlone, "database.version": "15" },
      set: { "database.version": "16" },
      shows: ["update Cluster forge-db"],
    },
    {
      from: { ...hubAlone, "database.version": "16" },
      set: { "database.version": undefined },
      refused: "version: goes from 16 to 17, the default of a new database, because no version is named",
    },
    { set: { "database.version": "18" }, shows: ["update Cluster forge-db"] },
    { set: { "database.version": "19" }, refused: "hearth:database.version: The value is not a supported major" },
    { from: onOld, set: { "database.version": "17" }, shows: ["update Cluster forge-db"] },
    {
      from: onOld,
      set: { "database.version": "17", "forge.version": "19.0.8" },
      refused: "version: goes from 18.11.11 to 19.0.8, which needs PostgreSQL 17, but the database still runs 16",
    },
    {
      from: { ...onOld, "database.version": "17" },
      set: { "forge.version": "19.0.8" },
      shows: [
        ...railsPods,
        ...migrations,
        "roll Deployment forge-pages",
        "roll Deployment forge-runner",
        "roll Deployment forge-shell",
        "roll StatefulSet forge-gitstore",
      ],
    },
    {
      set: { "database.instances": 2 },
      shows: [
        "update Cluster forge-db",
        "update PodDisruptionBudget forge-db-pooler",
        "update Pooler forge-db-pooler",
        "update PrometheusRule forge-db",
      ],
    },
    { set: { "database.storageSize": "20Gi" }, shows: ["update Cluster forge-db"] },
    { set: { "database.storageSize": "5Gi" }, refused: "storageSize: shrinks the volume from 10Gi to 5Gi" },
    {
      set: { "database.storageClass": "longhorn", limits: longhorn(true) },
      refused: "storageClass: changes from replicated-block to longhorn, which leaves the data of platform/forge-db",
    },
    {
      from: { "database.storageClass": "longhorn", limits: longhorn(false) },
      set: { "database.storageSize": "20Gi" },
      refused: "storageSize: grows the volume from 10Gi to 20Gi, but volumes of longhorn can't",
    },
    { set: { "database.resources": larger }, shows: ["update Cluster forge-db"] },
    { set: { "database.backupSchedule": "0 0 4 * * *" }, shows: ["update ScheduledBackup forge-db"] },
    { set: { "database.backupRetention": "60d" }, shows: ["update ObjectStore forge-db-backup"] },
    {
      set: { "database.recover": { targetTime: "2026-11-20 08:30:00", suffix: "r1" } },
      shows: recovered,
    },
    // The new cluster's volumes are of the new class, and the former one's stay as they are.
    {
      set: { "database.recover": { suffix: "r1" }, "database.storageClass": "longhorn", limits: longhorn(true) },
      shows: recovered,
    },
    {
      set: { "database.recover": { suffix: "r1", source: "other" } },
      refused: "recover: changes from forge-db to forge-db-r1",
    },
    {
      set: { "database.recover": { suffix: "r1", keepSource: false } },
      refused: "- platform/forge-db, of platform-db",
    },
    { set: { "keystore.version": "8.1.10-alpine" }, shows: ["roll StatefulSet keystore"] },
    { set: { "keystore.version": "8.0.1-alpine" }, refused: "version: goes from 8.1.9-alpine to 8.0.1-alpine" },
    { set: { "keystore.storageSize": "6Gi" }, shows: ["update PersistentVolumeClaim data-keystore-0"] },
    { set: { "keystore.storageSize": "4Gi" }, refused: "storageSize: shrinks the volume from 5Gi to 4Gi" },
    {
      set: { "keystore.storageClass": "longhorn", limits: longhorn(true) },
      refused:
        "storageClass: changes from replicated-block to longhorn, which leaves the data of platform/data-keystore-0",
    },
    {
      from: { "keystore.storageClass": "longhorn", limits: longhorn(false) },
      set: { "keystore.storageSize": "6Gi" },
      refused: "storageSize: grows the volume from 5Gi to 6Gi, but volumes of longhorn can't",
    },
    { set: { "keystore.resources": larger }, shows: ["roll StatefulSet keystore", "update ConfigMap keystore"] },
    {
      set: { "objectStorage.endpoint": "https://nbg1.your-objectstorage.com", "objectStorage.region": "nbg1" },
      refused: "endpoint: changes from https://fsn1.your-objectstorage.com to https://nbg1.your-objectstorage.com",
    },
    { set: { "objectStorage.region": "nbg1" }, refused: "hearth:objectStorage.region: The region is nbg1" },
    {
      set: { "objectStorage.bucketSuffix": "x9" },
      refused: "buckets[0].name: changes from artifacts-d3v1-platform to none",
    },
    {
      set: { "objectStorage.existingBuckets": true },
      refused: "- artifacts-d3v1-platform, of platform-storage",
    },
    { set: { "objectStorage.provider": "generic" }, shows: versioned.map((name) => `delete BucketVersioning ${name}`) },
    {
      set: { "objectStorage.versioning": false },
      shows: versioned.map((name) => `delete BucketVersioning ${name}`),
    },
    {
      from: { "objectStorage.versioning": false },
      set: { "objectStorage.versioning": true },
      shows: ["update Bucket", "create BucketVersioning"].flatMap((change) =>
        versioned.map((name) => `${change} ${name}`),
      ),
    },
    {
      set: { "objectStorage.expireVersionsAfterDays": 90 },
      shows: versioned.map((name) => `update Bucket ${name}`),
    },
    {
      set: { "objectStorage.provider": "aws" },
      refused: '"https://fsn1.your-objectstorage.com" is not the endpoint of aws in region fsn1',
    },
    {
      set: { "objectStorage.provisioner": "cluster" },
      refused: "- artifacts-d3v1-platform, of platform-storage",
    },
    {
      from: byCluster,
      set: { "objectStorage.cluster.providerConfig": "other" },
      shows: [
        "update Bucket agent-plans-d3v1-platform",
        "update Bucket artifacts-d3v1-platform",
        "update Bucket backups-club-dev1",
        "update Bucket backups-d3v1-platform",
        "update Bucket backups-team-dev1",
        "update Bucket ci-catalog-d3v1-platform",
        "update Bucket data-club-dev1",
        "update Bucket data-team-dev1",
        "update Bucket db-backups-d3v1-platform",
        "update Bucket dependency-proxy-d3v1-platform",
        "update Bucket external-diffs-d3v1-platform",
        "update Bucket lfs-d3v1-platform",
        "update Bucket packages-d3v1-platform",
        "update Bucket pages-d3v1-platform",
        "update Bucket registry-d3v1-platform",
        "update Bucket runner-cache-d3v1-platform",
        "update Bucket secure-files-d3v1-platform",
        "update Bucket terraform-state-d3v1-platform",
        "update Bucket tmp-d3v1-platform",
        "update Bucket uploads-d3v1-platform",
      ],
    },
    {
      from: byCluster,
      set: { "objectStorage.cluster.apiVersion": "s3.aws.upbound.io/v1beta1" },
      refused: "- artifacts-d3v1-platform, of platform-storage",
    },
    {
      from: byCluster,
      set: { "objectStorage.cluster.kind": "ObjectBucket" },
      refused: "- artifacts-d3v1-platform, of platform-storage",
    },
    {
      from: byCluster,
      set: { "objectStorage.cluster.namespace": "crossplane" },
      refused: '/artifacts-d3v1-platform" cannot be deleted because it is protected',
    },
    { set: { namespace: "forge" }, refused: "buckets[0].name: changes from artifacts-d3v1-platform to none" },
    {
      set: { domain: "example.com" },
      refused: "signOn.issuer: goes from https://forge.example.org to https://forge.example.com",
    },
    {
      from: { hub: undefined },
      set: { domain: "example.com" },
      shows: [
        ...railsFiles,
        ...migrations,
        "rerun Job forge-runner-registration",
        "rerun Job forge-settings",
        "roll Deployment forge-jobs",
        "roll Deployment forge-pages",
        "roll Deployment forge-toolbox",
        "roll Deployment forge-webservice",
        "update Certificate forge-pages-tls",
        "update Certificate forge-tls",
        "update ConfigMap forge-migrations",
        "update ConfigMap forge-pages",
        "update CronJob forge-backup",
        "update IngressRoute forge-pages",
        "update IngressRoute forge-to-https",
        "update IngressRoute forge-webservice",
        "rerun Job forge-application-suite-team",
        "rerun Job team/cloudsuite-configure",
        "roll Deployment team/cloudsuite",
        "update ConfigMap team/cloudsuite-config",
        "update CronJob team/cloudsuite-cron",
      ],
    },
    {
      set: { forge: undefined, hub: undefined, "cloudsuites[0].signOn": undefined },
      refused: "- platform, of platform",
    },
    { set: { hub: undefined }, refused: "buckets[14].name: changes from registry-d3v1-platform to none" },
  ],
};
