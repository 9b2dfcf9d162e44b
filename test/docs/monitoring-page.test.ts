import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PrometheusObject, prometheusFindings } from "@hearth-platform/cli/doctor/prometheus";
import { stackPlans } from "@hearth-platform/stack/parts";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { allAlerts } from "../../tools/alerts.ts";
import { checkFiles, committedStack } from "../support/stack-files.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/monitoring.md"), "utf8");
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
const objects = blocks.flatMap((text) => parseAllDocuments(text).map((each) => each.toJS()));

test("the Prometheus of the page takes every monitor and rule of a stack, as the doctor judges it", () => {
  const { stack } = checkFiles(committedStack("prod"));
  const planned = stack ? stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object)) : [];
  const [prometheus] = objects.filter(({ kind }) => kind === "Prometheus") as PrometheusObject[];
  if (!prometheus) throw new Error("The page has no Prometheus.");
  const found = prometheusFindings(planned, [prometheus], []);
  expect(found.map(({ status, subject }) => `${status} ${subject}`)).toEqual(["ok PodMonitors", "ok PrometheusRules"]);
});

test("the page's values send each alert of ours to a receiver with an address, by its severity", async () => {
  const { route, receivers } = parse(blocks.find((text) => text.includes("smtp_smarthost")) ?? "").alertmanager.config;
  const names = [...(await allAlerts()).values()].flat().map(({ name }) => name);
  const addressed = receivers.filter(({ email_configs: to }: { email_configs?: object[] }) => to?.length).map(nameOf);
  for (const { matchers, receiver } of route.routes as { matchers: string[]; receiver: string }[]) {
    const ours = /^alertname=~"(.+)"$/.exec(matchers[0] ?? "")?.[1] ?? "";
    expect(names.filter((name) => !new RegExp(`^(?:${ours})$`).test(name))).toEqual([]);
    expect(addressed).toContain(receiver);
  }
  expect(route.routes.map(({ matchers }: { matchers: string[] }) => matchers.length)).toEqual([2, 1]);
  expect(receivers.map(nameOf)).toContain(route.receiver);
});

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
