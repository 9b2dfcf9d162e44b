import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineEvent, jsonLines } from "@hearth-platform/cli/gate/events";
import { EnforcementLevel } from "@hearth-platform/policy/core/policy";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { checkout } from "@hearth-platform/sandbox/paths";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type Fixture, fixturesOf } from "../policy/support/fixtures.ts";
import { packs } from "../policy/support/verdicts.ts";
import { DevStack } from "../support/stack.ts";

/** A program that registers the fixtures of the limits: raw objects as they are, components without their own checks before them. */
const program = `
import { Provider } from "@pulumi/kubernetes";
import { ComponentResource, CustomResource, getStack } from "@pulumi/pulumi";
import { fixturesOf } from "${join(checkout, "test/policy/support/fixtures.ts")}";

const provider = new Provider("cluster");
let count = 0;
for (const [id, fixtures] of await fixturesOf("limits"))
  for (const [name, { resources, settings, stack }] of Object.entries(fixtures[getStack()])) {
    if (settings || stack) continue;
    count++;
    resources.forEach(({ type, props }, index) => {
      const label = [id, name, index].join("/");
      if (type.startsWith("hearth:")) return new ComponentResource(type, label, props);
      // Each fixture has a namespace of its own: claims of one are not those of another.
      const namespace = (props.metadata.namespace ?? "team") + "-" + count;
      return new CustomResource(type, label, { ...props, metadata: { ...props.metadata, namespace } }, { provider });
    });
  }
`;

const limits = ["--policy-pack", join(checkout, "policy", "limits")];
const both = [...limits, "--policy-pack", join(checkout, "policy", "baseline")];

/** A policy's word on a resource. */
interface Told {
  readonly policy: string;
  readonly level: string;
  readonly resource: string;
}

function toldIn(events: string): Told[] {
  return jsonLines<EngineEvent>(events).flatMap(({ policyEvent: event }) =>
    event
      ? [
          {
            policy: event.policyName,
            level: event.enforcementLevel,
            resource: event.resourceUrn?.split("::").slice(3).join("::") ?? "",
          },
        ]
      : [],
  );
}

describe("the policies in a real preview", async () => {
  const sandbox = await openSandbox();
  const folder = mkdtempSync(join(tmpdir(), "hearth-policies-"));
  const state = mkdtempSync(join(tmpdir(), "hearth-policies-state-"));
  const fixtures = await fixturesOf("limits");

  async function pulumi(stack: string, ...args: string[]) {
    const env = {
      ...sandboxEnvironment(sandbox),
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_STACK: stack,
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    };
    const options = { cwd: folder, env, all: true, reject: false, stdin: "ignore", maxBuffer: 2 ** 28 } as const;
    return await execa(sandbox.programs.pulumi, [...args, "--non-interactive", "--color", "never"], options);
  }

  /** The fixtures of a policy that need no configuration and no certain stack. */
  function plain(kind: "good" | "bad", id: string): [name: string, fixture: Fixture][] {
    return Object.entries(fixtures.get(id)?.[kind] ?? {}).filter(([, { settings, stack }]) => !settings && !stack);
  }

  beforeAll(async () => {
    const runtime = "runtime: { name: nodejs, options: { typescript: false, packagemanager: npm } }";
    writeFileSync(join(folder, "Pulumi.yaml"), `name: policies\n${runtime}\nmain: index.ts\n`);
    writeFileSync(join(folder, "package.json"), '{ "name": "policies", "type": "module", "main": "index.ts" }');
    writeFileSync(join(folder, "index.ts"), program);
    symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
    for (const stack of ["good", "bad"]) expect((await pulumi(stack, "stack", "init", stack)).exitCode).toBe(0);
  });
  afterAll(() => {
    for (const path of [folder, state]) rmSync(path, { recursive: true });
  });

  it("refuses whatever breaks a row of the limits, by the policy's name", async () => {
    const { exitCode, stdout, all } = await pulumi("bad", "preview", "--json", ...limits);
    expect(exitCode, all).not.toBe(0);
    const told = toldIn(stdout);
    // What is off until a configuration turns it on says nothing without one.
    const active = (packs.limits?.policies ?? []).filter(({ level }) => level !== EnforcementLevel.disabled);
    for (const { id } of active)
      for (const [name] of plain("bad", id)) {
        const found = told.filter(({ policy, resource }) => policy === id && resource.startsWith(`${id}/${name}/`));
        expect(
          found.map(({ level }) => level),
          `${id}: ${name}`,
        ).toContain("mandatory");
      }
  });

  it("lets whatever keeps them pass", async () => {
    const { stdout, all } = await pulumi("good", "preview", "--json", ...limits);
    const told = toldIn(stdout).filter(({ policy, resource }) => resource.startsWith(`${policy}/`));
    expect(told, all).toEqual([]);
    expect(stdout).toContain("lim-db-major/");
  });

  it.each([
    ["", []],
    [", without a preview before it", ["--skip-preview"]],
  ])("refuses it in an up too, and changes nothing%s", async (_, options) => {
    const { exitCode, all } = await pulumi("bad", "up", "--yes", ...options, ...limits);
    expect(exitCode, all).not.toBe(0);
    expect(all).toContain("lim-");
    const { deployment } = JSON.parse((await pulumi("bad", "stack", "export")).stdout);
    const types: string[] = (deployment.resources ?? []).map(({ type }: { type: string }) => type);
    expect(types.filter((type) => type.startsWith("kubernetes:"))).toEqual([]);
  });
});

// What they say of dev is the gate's test.
describe("the policies on the stacks' own program", () => {
  it("have nothing to say of prod, and can judge all of it", async () => {
    const stack = new DevStack();
    writeFileSync(stack.stackFile, readFileSync(join(checkout, "Pulumi.prod.yaml")));
    const { exitCode, all } = await stack.pulumi("preview", ...both);
    expect(exitCode, all).toBe(0);
    expect(all).toContain("✅ platform-limits");
    expect(all).toContain("✅ platform-baseline");
    expect(all).not.toContain("can't run policy");
  });

  it("refuse in production what the program itself only recommends", async () => {
    const stack = new DevStack();
    stack.editSettings((config) => {
      config["hearth:profile"] = "production";
    });
    const config = parse(readFileSync(stack.configFile, "utf8"));
    config.storage = { ...config.storage, dbSize: "9Gi", keystoreSize: "4Gi" };
    config.office.domain = "office.example.org";
    const parts = [...Object.values(config.resources), config.office.resources, config.whiteboard.resources];
    for (const resources of parts as { limits: { memory: string } }[]) resources.limits.memory = "250Mi";
    for (const resources of parts as { requests: { memory: string } }[]) resources.requests.memory = "100Mi";
    writeFileSync(stack.configFile, stringify(config));
    const { exitCode, all } = await stack.pulumi("preview", ...limits);
    expect(exitCode, all).not.toBe(0);
    const rows = [
      "lim-db-replicas",
      "lim-db-volume",
      "lim-keystore-volume",
      "lim-cloudsuite-resources",
      "lim-db-resources",
      "lim-keystore-resources",
      "lim-office-resources",
      "lim-whiteboard-resources",
      "lim-office-domain",
    ];
    for (const row of rows)
      expect(all).toMatch(new RegExp(`\\[mandatory\\].* ${row} +\\(hearth:index:CloudSuite: team\\)`));
  });
});
