import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Alert } from "@hearth-platform/hearth/core/alert";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import { alertsPage } from "@hearth-platform/hearth/kubernetes/monitoring";
import { stackParts, stackPlans } from "@hearth-platform/stack/parts";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { allAlerts } from "../../../tools/alerts.ts";
import { checkFiles, committedStack, type StackFiles, withSettings } from "../../support/stack-files.ts";

/** Every alert with its cases in a file of its name beside this one; Prometheus' own tool judges them with the rules of stack `prod`. */

const alerts: readonly Alert<never>[] = [...(await allAlerts()).values()].flat();
const folder = mkdtempSync(join(tmpdir(), "hearth-alerts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A test of `promtool test rules`; labels and annotations that each alert has anyway are left out. */
interface Case {
  readonly name: string;
  /** Between two samples; of a file's first case, also between two judgements of the rule. */
  readonly interval: string;
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts?: readonly { readonly exp_labels: object; readonly exp_annotations: object }[];
  }[];
}

const prod = stackOf(
  withSettings(committedStack("prod"), {
    "cloudsuites[0].signOn.gitlabToken": { name: "gitlab-token", key: "token" },
    "cloudsuites[0].push": { enabled: true },
    "cloudsuites[0].previews": { enabled: true },
  }),
);

function stackOf(files: StackFiles) {
  const { stack } = checkFiles(files);
  if (!stack) throw new Error("The stack is not valid.");
  return stack;
}

const objects = ruleObjects(prod);
const rules = rulesOf(objects).filter(({ alert }) => alert !== undefined);
const textOf = ({ name }: Pick<Alert, "name">) => readFileSync(join(import.meta.dirname, `${name}.yaml`), "utf8");
const casesOf = (alert: Pick<Alert, "name">): Case[] => parse(textOf(alert));

function ruleObjects(stack: ReturnType<typeof stackOf>): PrometheusRule[] {
  const all = stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));
  return all.filter(({ kind }) => kind === "PrometheusRule") as PrometheusRule[];
}

function rulesOf(found: readonly PrometheusRule[]) {
  return found.flatMap(({ spec }) => (spec.groups ?? []).flatMap((group) => group.rules ?? []));
}

/** Where the cases of an alert take place: in `platform` if it is there, else in the one namespace that has it. */
function namespaceOf({ name }: Pick<Alert, "name">): string {
  const found = rules.filter(({ alert }) => alert === name).map(({ labels }) => labels?.namespace ?? "");
  return found.includes("platform") ? "platform" : (found[0] ?? "");
}

/** The rules of an alert where its cases take place, and those that record what it reads: a case of days is slow with all others. */
function needed({ name }: Pick<Alert, "name">) {
  const here = objects.filter(({ metadata }) => metadata.namespace === namespaceOf({ name }));
  const own = rulesOf(here).filter(({ alert }) => alert === name);
  const isRead = (record = "") => own.some(({ expr }) => String(expr).includes(`${record}{`));
  return [...rulesOf(here).filter(({ record }) => record !== undefined && isRead(record)), ...own];
}

describe("alerts", () => {
  it("each fire, stay silent and meet an absent metric as their cases say, judged by Prometheus' own tool", () => {
    const files = objects.map(({ metadata, spec }) => {
      const file = `${metadata.namespace}-${metadata.name}.yaml`;
      writeFileSync(join(folder, file), stringify(spec));
      return file;
    });
    expect(promtool("check", "rules", "--lint=all", "--lint-fatal", ...files)).toContain("SUCCESS");
    const tests = alerts.map((alert) => {
      const [own, test] = [`${alert.name}-rules.yaml`, `${alert.name}-test.yaml`];
      const cases = casesOf(alert).map((each) => withUsual(alert, each));
      writeFileSync(join(folder, own), stringify({ groups: [{ name: alert.name, rules: needed(alert) }] }));
      writeFileSync(
        join(folder, test),
        stringify({ rule_files: [own], evaluation_interval: cases[0]?.interval, tests: cases }),
      );
      return test;
    });
    expect(promtool("test", "rules", ...tests)).toContain("SUCCESS");
  });

  it.each(alerts.map((alert) => [alert.name, alert] as const))(
    "%s has cases that fire, are silent and lack the metric",
    (_, alert) => {
      expect(textOf(alert), "promtool reads 0x60 as a hexadecimal number: write 0+0x60").not.toMatch(
        /values:( .*)? 0x/,
      );
      const names = casesOf(alert).map(({ name }) => name);
      expect(names.filter((name) => name.startsWith("fires"))).not.toEqual([]);
      expect(names.filter((name) => name.startsWith("is silent"))).not.toEqual([]);
      expect(names.filter((name) => /says nothing|is absent/.test(name))).not.toEqual([]);
      const fired = casesOf(alert).flatMap((each) => each.alert_rule_test.flatMap(({ exp_alerts: all = [] }) => all));
      expect(fired.length).toBeGreaterThan(0);
      expect(casesOf(alert).flatMap((each) => each.alert_rule_test.map(({ alertname }) => alertname))).toEqual(
        casesOf(alert).flatMap((each) => each.alert_rule_test.map(() => alert.name)),
      );
    },
  );

  it("have a source for each metric, and read none that stands still with the backup plugin or that nobody exports", () => {
    const frozen =
      /cnpg_collector_(last_available_backup_timestamp|last_failed_backup_timestamp|first_recoverability_point)|cnpg_pgbouncer_up/;
    for (const { alert = "", expr } of rules) {
      expect(String(expr), alert).not.toMatch(frozen);
      const metrics = [...String(expr).matchAll(/([a-z_:]+)\{/g)].map(([, metric = ""]) => metric);
      const { metrics: sources = {} } = alerts.find(({ name }) => name === alert) ?? {};
      expect([...new Set(metrics)].sort(), alert).toEqual(Object.keys(sources).sort());
    }
  });

  it("are declared by their component, in its list", () => {
    const declared = stackParts(prod).flatMap(({ all }) => all().flatMap(({ component }) => component.alerts ?? []));
    expect([...new Set(declared.map(({ name }) => name))].sort()).toEqual(alerts.map(({ name }) => name).sort());
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  });

  it("stand in a file of their own name, without the prefix", () => {
    const named = alerts.map(({ name }) =>
      name
        .slice("Hearth".length)
        .replace(/(?<!^)[A-Z]/g, "-$&")
        .toLowerCase(),
    );
    const files = globSync("**/alerts/*.ts", {
      cwd: join(import.meta.dirname, "../../../components"),
      exclude: ["dist"],
    });
    expect(files.map((file) => basename(file, ".ts")).sort()).toEqual(named.sort());
  });

  it("have their section on the page of alerts, and name it", () => {
    const page = readFileSync(join(import.meta.dirname, "../../..", alertsPage), "utf8");
    for (const { alert = "", annotations } of rules) {
      expect(annotations?.runbook).toBe(`${alertsPage}#${alert.toLowerCase()}`);
      expect(page).toContain(`\n## ${alert}\n`);
    }
  });

  it("tell of each monitor by which nothing is read, but of those of which HearthOfficeDown, HearthPushDown and HearthCopyUnknown tell", () => {
    const all = stackPlans(prod).flatMap((plan) => plan.objects.map(({ object }) => object));
    const monitors = all.filter(({ kind }) => kind === "PodMonitor").map(({ metadata }) => metadata);
    const told = rules.filter(({ expr }) => String(expr).startsWith("absent(")).map(({ expr }) => String(expr));
    const untold = monitors.filter(
      ({ name, namespace }) => !told.some((expr) => expr.includes(`job="${namespace}/${name}"`)),
    );
    expect([...new Set(untold.map(({ name }) => name))]).toEqual(["office", "push", "copies-metrics"]);
    expect(monitors.length).toBeGreaterThan(15);
  });

  it("are left out without monitoring", () => {
    expect(ruleObjects(stackOf(withSettings(committedStack("prod"), { monitoring: false })))).toEqual([]);
  });
});

function withUsual(alert: Alert<never>, { name, ...each }: Case) {
  const labels = { namespace: namespaceOf(alert), severity: severity(alert) };
  const runbook = `${alertsPage}#${alert.name.toLowerCase()}`;
  return {
    ...each,
    name: `${alert.name} ${name}`,
    alert_rule_test: each.alert_rule_test.map(({ exp_alerts: expected = [], ...rest }) => ({
      ...rest,
      exp_alerts: expected.map(({ exp_labels: own, exp_annotations: said }) => ({
        exp_labels: { ...labels, ...own },
        exp_annotations: { runbook, ...said },
      })),
    })),
  };
}

function severity(alert: Alert<never>): string {
  return alert.severity === "page" ? "critical" : "warning";
}

function promtool(...args: string[]): string {
  return execFileSync("promtool", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}
