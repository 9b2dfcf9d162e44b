import type { Plan } from "@hearth-platform/hearth/core/plan";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import { stackPlans } from "@hearth-platform/stack/parts";
import { expect, it } from "vitest";
import { allAlerts } from "../../../tools/alerts.ts";
import { planDatabase, planHub } from "../../support/plans.ts";
import { checkFiles, committedStack, type StackFiles, withConfig, withSettings } from "../../support/stack-files.ts";
import { completeHub } from "../hub/hub.ts";
import { forgeDatabase } from "../stores/database/forge-database.ts";

/** Alerts that a stack does not have, since what they watch is not there or stands still on purpose. */

type Change = (files: StackFiles) => StackFiles;

const set =
  (setting: string, value?: unknown): Change =>
  (files) =>
    withSettings(files, { [setting]: value });
const ofSuite =
  (setting: string, value?: unknown): Change =>
  (files) =>
    withConfig(files, "suites/example/config.yaml", { [setting]: value });

/** Stack `prod`, with all that has alerts of its own. */
const all: StackFiles = withSettings(committedStack("prod"), {
  "cloudsuites[0].signOn.gitlabToken": { name: "gitlab-token", key: "token" },
  "cloudsuites[0].push": { enabled: true },
  "cloudsuites[0].previews": { enabled: true },
});

const ofStandbys = [
  "HearthDatabaseInstanceGone",
  "HearthDatabaseNotStreaming",
  "HearthDatabaseReplicaBehind",
  "HearthDatabaseUnsynchronised",
];
const ofCaches = ["HearthKeystoreEvicts", "HearthKeystoreNearlyFull"];
const ofDatabaseBackups = [
  "HearthDatabaseArchivingFails",
  "HearthDatabaseBackupFailed",
  "HearthDatabaseBackupOld",
  "HearthDatabaseBackupUnknown",
  "HearthDatabaseNeverBackedUp",
  "HearthDatabaseWalPilesUp",
];
const ofHubBackups = ["HearthHubKeyBackupOld", "HearthHubKeyBackupUnknown"];

const leftOut: readonly (readonly [what: string, place: string, change: Change, names: readonly string[]])[] = [
  ["a database of one instance", "platform/forge-db", set("database.instances", 1), ofStandbys],
  ["a suite's database of one instance", "cloud/cloudsuite-db", ofSuite("replicas.db", 1), ofStandbys],
  [
    "a forge in maintenance",
    "platform/forge-metrics",
    set("forge.maintenance", true),
    ["HearthForgeBackupOld", "HearthForgeJobsDown", "HearthForgeRunnerDown", "HearthForgeWebDown"],
  ],
  ["a forge without pages", "platform/forge-metrics", set("forge.pages"), ["HearthForgePagesDown"]],
  ["a forge without a runner", "platform/forge-metrics", set("forge.runner"), ["HearthForgeRunnerDown"]],
  [
    "a hub without the forge's tokens",
    "platform/hub-alerts",
    set("hub.forgeTokens", false),
    ["HearthHubSignInDown", "HearthHubSignInFails"],
  ],
  [
    "a suite in maintenance",
    "cloud/cloudsuite-alerts",
    set("cloudsuites[0].maintenance", true),
    ["HearthSuiteBlockedUsersOld", "HearthSuiteCronOld"],
  ],
  [
    "a suite that asks for no blocked users",
    "cloud/cloudsuite-alerts",
    set("cloudsuites[0].signOn.gitlabToken"),
    ["HearthSuiteBlockedUsersOld"],
  ],
  ["a suite without push", "cloud/cloudsuite-alerts", set("cloudsuites[0].push"), ["HearthPushDown"]],
  [
    "a suite with push turned off",
    "cloud/cloudsuite-alerts",
    set("cloudsuites[0].push.enabled", false),
    ["HearthPushDown"],
  ],
  ["a suite without previews", "cloud/cloudsuite-alerts", set("cloudsuites[0].previews"), ["HearthPreviewsDown"]],
  [
    "a suite with previews turned off",
    "cloud/cloudsuite-alerts",
    set("cloudsuites[0].previews.enabled", false),
    ["HearthPreviewsDown"],
  ],
  ["a suite without office", "cloud/cloudsuite-alerts", ofSuite("office", { enabled: false }), ["HearthOfficeDown"]],
  [
    "a suite without a whiteboard",
    "cloud/cloudsuite-alerts",
    ofSuite("whiteboard", { enabled: false }),
    ["HearthWhiteboardDown"],
  ],
];

function alertsOf(plans: readonly Plan[], place?: string): Set<string> {
  const objects = plans.flatMap((plan) => plan.objects.map(({ object }) => object));
  const rules = objects.filter(({ kind }) => kind === "PrometheusRule") as PrometheusRule[];
  const own = rules.filter(({ metadata: { name, namespace } }) => !place || place === `${namespace}/${name}`);
  const groups = own.flatMap(({ spec }) => spec.groups ?? []);
  return new Set(groups.flatMap((group) => group.rules?.flatMap(({ alert }) => alert ?? []) ?? []));
}

function plansOf(files: StackFiles): Plan[] {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(JSON.stringify(problems));
  return stackPlans(stack);
}

const before = plansOf(all);

it.each(leftOut)("%s (%s) has all alerts of its like but those of what is not there", (_, place, change, names) => {
  const [there, left] = [alertsOf(before, place), alertsOf(plansOf(change(all)), place)];
  expect(there.difference(left)).toEqual(new Set(names));
  expect(left.difference(there)).toEqual(new Set());
});

it("a keystore that is a cache may be full", () => {
  const [queue, cache] = [alertsOf(before, "platform/keystore"), alertsOf(before, "cloud/keystore")];
  expect(queue.difference(cache)).toEqual(new Set(ofCaches));
});

it("a database without backups has no alert on them", () => {
  const { backup: _, ...without } = forgeDatabase;
  const [there, left] = [alertsOf([planDatabase(forgeDatabase)]), alertsOf([planDatabase(without)])];
  expect(there.difference(left)).toEqual(new Set(ofDatabaseBackups));
});

it("a hub without a bucket for backups has no alert on them", () => {
  const { backups: _, ...without } = completeHub;
  const [there, left] = [alertsOf([planHub(completeHub)]), alertsOf([planHub(without)])];
  expect(there.difference(left)).toEqual(new Set(ofHubBackups));
});

it("each alert that can be left out is in one of these tests", async () => {
  const conditional = [...(await allAlerts()).values()]
    .flat()
    .filter(({ expression }) => String(expression).includes("undefined"))
    .map(({ name }) => name);
  const tested = [...leftOut.flatMap(([, , , names]) => names), ...ofCaches, ...ofDatabaseBackups, ...ofHubBackups];
  expect(conditional.sort()).toEqual([...new Set(tested)].sort());
});
