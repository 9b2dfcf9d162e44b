import type { SettingTable } from "../../support/setting-table.ts";

/** A stack whose buckets are copied. */
const copied = {
  to: { endpoint: "https://s3.eu-central-003.backblazeb2.com", region: "eu-central-003", bucket: "copies-d3v1" },
};
const from = copied;
const everyCopy = ["update CronJob copy-club", "update CronJob copy-platform", "update CronJob copy-team"];
const everyPod = [...everyCopy, "roll Deployment copies-metrics"];

/** What the settings of the copies do when they change. */
export const copiesTable: SettingTable = {
  title: "Second copies",
  root: "copies",
  namespace: "copies",
  rows: [
    {
      set: copied,
      shows: [
        "create ConfigMap copies-scripts",
        "create CronJob copy-club",
        "create CronJob copy-platform",
        "create CronJob copy-team",
        "create Deployment copies-metrics",
        "create ExternalSecret copies-s3-credentials",
        "create ExternalSecret source-club-s3-credentials",
        "create ExternalSecret source-platform-s3-credentials",
        "create ExternalSecret source-team-s3-credentials",
        "create Namespace copies",
        "create PodMonitor copies-metrics",
        "create PrometheusRule copies-alerts",
        "update CronJob platform/forge-backup",
      ],
    },
    {
      from,
      set: { namespace: "second" },
      shows: [
        "create Namespace second",
        "delete Namespace copies",
        "replace ConfigMap second/copies-scripts",
        "replace CronJob second/copy-club",
        "replace CronJob second/copy-platform",
        "replace CronJob second/copy-team",
        "replace Deployment second/copies-metrics",
        "replace ExternalSecret second/copies-s3-credentials",
        "replace ExternalSecret second/source-club-s3-credentials",
        "replace ExternalSecret second/source-platform-s3-credentials",
        "replace ExternalSecret second/source-team-s3-credentials",
        "replace PodMonitor second/copies-metrics",
        "replace PrometheusRule second/copies-alerts",
      ],
    },
    { from, set: { "to.endpoint": "https://s3.eu-central-2.wasabisys.com" }, shows: everyPod },
    { from, set: { "to.endpoint": "https://nbg1.your-objectstorage.com" }, refused: "Write region nbg1" },
    { from, set: { "to.region": "eu-central-004" }, shows: everyPod },
    { from, set: { "to.pathStyle": false }, shows: everyPod },
    { from, set: { "to.bucket": "copies-other" }, shows: everyPod },
    {
      from,
      set: { "to.bucket": "registry-d3v1-platform" },
      refused: "The bucket is also the hearth:objectStorage.bucketSuffix of this stack.",
    },
    { from, set: { schedule: "0 22 * * *" }, shows: everyCopy },
    { from, set: { schedule: "0 22 * * 1" }, refused: "The value is not a schedule of every day." },
    { from, set: { hours: 2 }, shows: everyCopy },
    { from, set: { bandwidth: 20 }, shows: everyCopy },
    { from, set: { maxDeletedPercent: 5 }, shows: everyCopy },
    {
      from,
      set: { networkPolicies: true },
      shows: [
        "create NetworkPolicy allow-all",
        "create NetworkPolicy allow-copies",
        "create NetworkPolicy allow-copies-metrics",
        "create NetworkPolicy default-deny",
      ],
    },
    {
      from,
      set: { resources: { requests: { cpu: "200m", memory: "512Mi" }, limits: { cpu: "2000m", memory: "2Gi" } } },
      shows: everyCopy,
    },
  ],
};
