import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boards, panelSources } from "@hearth-platform/hearth/dashboards/boards";
import { type Dashboard, dashboardJson } from "@hearth-platform/hearth/dashboards/dashboard";
import { stackPlans } from "@hearth-platform/stack/parts";
import { afterAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { allAlerts } from "../../../tools/alerts.ts";
import { checkFiles, committedStack, type StackFiles, withSettings } from "../../support/stack-files.ts";

const all: readonly Dashboard[] = Object.values(boards);
const panels = all.flatMap((board) => board.panels.map((panel) => [`${board.name}: ${panel[0]}`, panel] as const));
const folder = mkdtempSync(join(tmpdir(), "hearth-dashboards-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As Grafana asks, once namespaces are chosen. */
const asked = (query: string) => query.replaceAll("$namespace", "platform|team");

function configMaps(files: StackFiles) {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(`The stack is not valid: ${JSON.stringify(problems)}`);
  return stackPlans(stack)
    .flatMap((plan) => plan.objects.map(({ object }) => object))
    .filter(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.startsWith("dashboard-"));
}

describe("dashboards", () => {
  it("have queries that Prometheus' own tool parses", () => {
    const rules = panels.map(([, [, , , query]], index) => ({ record: `panel:${index}`, expr: asked(query) }));
    const file = join(folder, "rules.yaml");
    writeFileSync(file, stringify({ groups: [{ name: "panels", rules }] }));
    const said = execFileSync("promtool", ["check", "rules", file], { encoding: "utf8", stdio: "pipe" });
    expect(said).toContain(`SUCCESS: ${panels.length} rules found`);
  });

  it("read no metric without a source, and name none that nothing reads", async () => {
    const alerts = [...(await allAlerts()).values()].flat();
    const ofAlerts = new Set(alerts.flatMap(({ metrics }) => Object.keys(metrics)));
    const metricsOf = (text: string) => [...text.matchAll(/([A-Za-z_:][\w:]*)\{/g)].map(([, metric = ""]) => metric);
    const read = new Set([
      ...panels.flatMap(([, [, , , query]]) => metricsOf(query)),
      ...all.map(({ chooses }) => chooses.metric.replace(/\{.*/, "")),
    ]);
    expect([...read].filter((metric) => !ofAlerts.has(metric)).sort()).toEqual(Object.keys(panelSources).sort());
  });

  it.each(panels)("%s follows the chosen namespaces, has a sentence, and names labels that it has", (_, panel) => {
    const [title, , description, query, legend] = panel;
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/^[A-Z0-9].*\.$/);
    if (title !== "Answers of public hosts") expect(query).toContain('=~"$namespace"');
    const grouped = /^(?:sum|max|min) by \(([^)]*)\)/.exec(query)?.[1]?.split(", ");
    const labels = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    if (grouped) expect(labels.filter((label) => !grouped.includes(label))).toEqual([]);
  });

  it("have an address, a choice of namespaces and a place for each panel of their own", () => {
    for (const board of all) {
      const json = JSON.parse(JSON.stringify(dashboardJson(board)));
      expect(json.uid).toBe(`hearth-${board.name}`);
      expect(json.templating.list.map(({ name }: { name: string }) => name)).toEqual(["datasource", "namespace"]);
      const places = json.panels.map(
        ({ gridPos }: { gridPos: { x: number; y: number } }) => `${gridPos.x} ${gridPos.y}`,
      );
      expect(new Set(places).size).toBe(board.panels.length);
    }
    expect(new Set(all.map(({ name }) => name)).size).toBe(8);
  });

  it("are ConfigMaps with the label of Grafana's sidecar, of what the stack has alone", () => {
    const prod = committedStack("prod");
    expect(configMaps(prod).map(({ metadata }) => metadata.name)).toEqual(all.map(({ name }) => `dashboard-${name}`));
    for (const { metadata } of configMaps(prod)) expect(metadata.labels).toMatchObject({ grafana_dashboard: "1" });
    const small = withSettings(committedStack("dev"), {
      ...{ forge: undefined, hub: undefined, siteWebhook: undefined, "cloudsuites[0].signOn": undefined },
      dashboards: {},
    });
    expect(configMaps(small).map(({ metadata }) => metadata.name.replace("dashboard-", ""))).toEqual([
      ...["platform", "databases", "keystores", "suites", "backups"],
    ]);
  });

  it("are left out without their setting, and without monitoring", () => {
    expect(configMaps(committedStack("dev"))).toEqual([]);
    expect(configMaps(withSettings(committedStack("prod"), { monitoring: false }))).toEqual([]);
  });
});
