import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gatewayApi, prerequisiteOf, prerequisites } from "@hearth-platform/hearth/catalogue/prerequisites";
import { clusterPrograms } from "@hearth-platform/hearth/catalogue/releases";
import { stackPlans } from "@hearth-platform/stack/parts";
import { expect, test } from "vitest";
import { checkFiles, committedStack, type StackFiles, wholePlatform, withSettings } from "../../support/stack-files.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/prerequisites.md"), "utf8");

/** Groups that Kubernetes itself serves. */
const builtIn = /^(v1|(apps|batch|policy|autoscaling)\/.*|[a-z.]+\.k8s\.io\/.*)$/;

/** API versions of all objects of a stack. */
function apiVersions(files: StackFiles): string[] {
  const { stack } = checkFiles(files);
  if (!stack) throw new Error("The stack is not valid.");
  return stackPlans(stack).flatMap(({ objects }) => objects.map(({ object }) => object.apiVersion));
}

test.each([
  ["prod", committedStack("prod")],
  ["dev", wholePlatform()],
])("each kind of stack %s that Kubernetes does not bring has its operator in the table", (_, files) => {
  const others = [...new Set(apiVersions(files))].filter((version) => !builtIn.test(version));
  expect(others.length).toBeGreaterThan(4);
  expect(others.filter((version) => !prerequisiteOf(version))).toEqual([]);
});

test("without monitoring no stack needs the Prometheus operator", () => {
  const files = withSettings(committedStack("prod"), { monitoring: false });
  expect(apiVersions(files).filter((version) => version.startsWith("monitoring.coreos.com"))).toEqual([]);
});

test("docs/reference/prerequisites.md has the table of what a cluster must have", () => {
  for (const { title, group, needs, when = "always", source } of prerequisites)
    expect(page).toContain(`| [${title}](${source}) | \`${group}\` | ${needs} | ${when} |`);
});

test("each chart installs the version that judges, and docs/reference/prerequisites.md has it", () => {
  const charts = prerequisites.flatMap(({ chart, release }) => (chart ? [{ ...chart, release }] : []));
  expect(charts.length).toBeGreaterThan(5);
  for (const { name, repository, version, ships, release } of charts) {
    expect(release && clusterPrograms[release].judged, name).toBe(ships);
    expect(page).toContain(`| ${ships} | [${name}](${repository}) ${version} |`);
  }
});

test("the CRDs of the Gateway API are those of the tests", () => {
  const modules = readFileSync(join(import.meta.dirname, "../../../sandbox/programs/crds/go.mod"), "utf8");
  expect(modules).toContain(`sigs.k8s.io/gateway-api v${gatewayApi.version}\n`);
  expect(gatewayApi.file("standard")).toContain(`/v${gatewayApi.version}/`);
  expect(page).toContain(`| ${gatewayApi.version} | no chart: `);
});

test("docs/reference/prerequisites.md has the network table, and its example firewall the rules of the nodes", () => {
  for (const row of [
    "| 22 TCP | anywhere |",
    "| 80 TCP | anywhere | load balancer |",
    "| 443 TCP | anywhere | load balancer |",
    "| 6443 TCP | your addresses | control plane |",
    "| 10250 TCP | the cluster's nodes | every node |",
  ])
    expect(page).toContain(row);
  const [, rules = ""] = /^```json\n([\s\S]*?)^```/m.exec(page) ?? [];
  const open = (JSON.parse(rules) as { port: string; source_ips: string[] }[]).map(({ port, source_ips }) => [
    port,
    source_ips.includes("0.0.0.0/0"),
  ]);
  expect(open).toEqual([
    ["22", true],
    ["6443", false],
    ["10250", false],
  ]);
});
