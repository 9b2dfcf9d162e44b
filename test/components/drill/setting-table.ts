import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import type { SettingTable } from "../../support/setting-table.ts";

/** The parts of a drill, whose database is the suite's. */
const objects = [
  "ConfigMap cloudsuite-db-drill",
  "ConfigMap cloudsuite-db-drill-result",
  "CronJob cloudsuite-db-drill",
  "PrometheusRule cloudsuite-db-drill",
  "Role cloudsuite-db-drill-job",
  "RoleBinding cloudsuite-db-drill-job",
  "ServiceAccount cloudsuite-db-drill-job",
];
const oneSuite = {
  forge: undefined,
  hub: undefined,
  siteWebhook: undefined,
  cloudsuites: [{ name: "team", config: "suites/team/config.yaml" }],
};
const drilled = { ...oneSuite, drill: {} };

/** What the settings of the drills do when they change. */
export const drillTable: SettingTable = {
  title: "The drills",
  root: "",
  without: Object.keys(StackSettings.shape).filter((key) => key !== "drill"),
  namespace: "team",
  rows: [
    { from: oneSuite, set: { drill: {} }, shows: objects.map((object) => `create ${object}`) },
    { from: drilled, set: { "drill.schedule": "0 6 * * 0" }, shows: ["update CronJob cloudsuite-db-drill"] },
    { from: drilled, set: { "drill.schedule": "0 6 * *" }, refused: "not a schedule of five fields" },
    { from: drilled, set: { "drill.deadlineMinutes": 60 }, shows: ["update CronJob cloudsuite-db-drill"] },
    { from: drilled, set: { "drill.maxAgeDays": 14 }, shows: ["update PrometheusRule cloudsuite-db-drill"] },
    { from: drilled, set: { "drill.sample": 50 }, shows: ["update CronJob cloudsuite-db-drill"] },
  ],
};
