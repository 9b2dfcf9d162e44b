import { beforeAll, expect, it } from "vitest";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { smallStack, withConfig, withSettings } from "../support/stack-files.ts";

const namespace = "gateway-suite";
const club = "suites/club/config.yaml";

/** The least suite in a stack of its own, with ways in by the Gateway API. */
const files = withConfig(
  withSettings(smallStack(), {
    cloudsuites: [{ name: "gateway", config: club }],
    siteWebhook: undefined,
    "ingress.kind": "gateway",
  }),
  club,
  {
    namespace,
    domain: "gateway.example.org",
    "s3.buckets": { data: "data-gateway-e2e1", backups: "backups-gateway-e2e1" },
  },
);
const stack = new DevStack(files);

const pulumi = (...args: string[]) =>
  sandbox(
    "pulumi",
    ...args,
    "--stack",
    "gateway",
    "--config-file",
    stack.stackFile,
    "--non-interactive",
    "--color",
    "never",
  );

beforeAll(async () => {
  const made = await stack.init("gateway");
  expect(made.exitCode, made.all).toBe(0);
  const up = await pulumi("up", "--yes", "--skip-preview");
  expect(up.exitCode, up.all).toBe(0);
});

it("up waits for the Gateway, which has its certificates, and makes its routes", async () => {
  const gateways = await kubernetesObjects("gateways.gateway.networking.k8s.io", "--namespace", namespace);
  expect(gateways.map(({ metadata, status }) => [metadata.name, status?.conditions])).toEqual([
    ["cloudsuite", expect.arrayContaining([expect.objectContaining({ type: "Programmed", status: "True" })])],
  ]);
  const routes = await kubernetesObjects("httproutes.gateway.networking.k8s.io", "--namespace", namespace);
  expect(routes.map(({ metadata }) => metadata.name).sort()).toEqual(["cloudsuite", "cloudsuite-to-https"]);
});

it("a second up changes nothing", async () => {
  const again = await pulumi("preview", "--expect-no-changes");
  expect(again.exitCode, again.all).toBe(0);
});
