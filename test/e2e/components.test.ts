import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPackage } from "../../tools/package.ts";
import { schemaPage } from "../components/package-schema.ts";
import { type PreviewStep, sandbox } from "../support/stack.ts";

const root = join(import.meta.dirname, "..", "..");
const packed = mkdtempSync(join(tmpdir(), "hearth-packed-"));
/** What `pulumi package add` names. */
const plugin = join(packed, "package", "plugin");

beforeAll(async () => {
  await buildPackage(join(packed, "package"));
  symlinkSync(join(root, "node_modules"), join(packed, "node_modules"));
}, 300_000);
afterAll(() => rmSync(packed, { recursive: true }));

it("the real engine reads the package's schema as it was agreed on", async () => {
  const { exitCode, stdout, all } = await sandbox("pulumi", "package", "get-schema", plugin);
  expect(exitCode, all).toBe(0);
  const made = JSON.parse(stdout);
  expect(made.name).toBe("hearth");
  expect(schemaPage(made)).toBe(readFileSync(join(root, "test/components/package-schema.txt"), "utf8"));
});

it("the plugin makes a component for a program that has no class of it, and checks its arguments", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-remote-"));
  const runtime = "name: remote\nruntime: nodejs\nmain: index.mjs\n";
  const program = (args: object) =>
    `import * as pulumi from "@pulumi/pulumi";
new pulumi.ComponentResource("hearth:index:Keystore", "jobs", ${JSON.stringify(args)}, {}, true);
`;
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      `${runtime}plugins: { providers: [{ name: hearth, path: ${JSON.stringify(plugin)} }] }\n`,
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const args = { namespace: "default", version: "8.1.9-alpine", platform: { profile: "development" } };
    writeFileSync(join(folder, "index.mjs"), program(args));
    const types = (await previewedIn(folder)).map(({ newState }) => newState.type);
    expect(types).toEqual(expect.arrayContaining(["hearth:index:Keystore", "kubernetes:apps/v1:StatefulSet"]));

    writeFileSync(join(folder, "index.mjs"), program({ ...args, version: "1", namespace: undefined }));
    const refused = await preview(folder);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.all).toContain("namespace");
    expect(refused.all).toContain("The field is missing");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("pulumi new makes a project of the template, which is previewed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-template-"));
  try {
    const project = ["--cwd", folder, "--non-interactive"];
    const template = [join(root, "examples", "template"), "--name", "mine", "--description", "My suite", "--yes"];
    const made = await sandbox("pulumi", ...project, "new", ...template, "--generate-only", "--force");
    expect(made.exitCode, made.all).toBe(0);
    expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toMatch(/^name: mine\n/);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const steps = await previewedIn(folder, [
      ...["domain=cloud.example.org", "clusterIssuer=letsencrypt-prod", "bucketSuffix=new1"],
      ...["endpoint=https://fsn1.your-objectstorage.com", "region=fsn1"],
    ]);
    expect(steps.map(({ newState }) => newState.type)).toContain("hearth:index:CloudSuite");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

type Registered = PreviewStep & { newState: { type: string; inputs: Record<string, unknown> } };

const previewed = (example: string) => previewedIn(join(root, "examples", example));

/** What the program in a folder would make, by the real engine. */
async function previewedIn(folder: string, config: readonly string[] = []): Promise<Registered[]> {
  const { exitCode, stdout, all } = await preview(folder, config);
  expect(exitCode, all).toBe(0);
  return JSON.parse(stdout).steps;
}

async function preview(folder: string, config: readonly string[] = []) {
  const project = ["--cwd", folder, "--non-interactive"];
  const init = await sandbox("pulumi", ...project, "stack", "init", "test", "--no-select");
  expect(init.exitCode, init.all).toBe(0);
  const settings = config.flatMap((setting) => ["--config", setting]);
  const previewed = await sandbox("pulumi", ...project, "preview", "--json", "--stack", "test", ...settings);
  await sandbox("pulumi", ...project, "stack", "rm", "test", "--yes");
  return previewed;
}

it("a transform changes exactly what it is meant to: the example of the docs", async () => {
  const made = await previewed("transforms");
  const service = made.find(({ newState }) => newState.type === "kubernetes:core/v1:Service");
  expect(service?.newState.inputs).toMatchObject({
    metadata: { name: "keystore", annotations: { "load-balancer.hetzner.cloud/use-private-ip": "true" } },
    spec: { type: "LoadBalancer", ports: [expect.objectContaining({ port: 6379 })] },
  });
  const others = made.filter((step) => step !== service).map(({ newState }) => JSON.stringify(newState.inputs));
  expect(others.join()).not.toContain("LoadBalancer");
});

it.each([
  ["one-suite", "hearth:index:CloudSuite"],
  ["forge-and-hub", "hearth:index:Hub"],
  ["packs-alone", "kubernetes:apps/v1:Deployment"],
])("the example %s is previewed, and makes a %s", async (example, type) => {
  const made = await previewed(example);
  expect(made.map(({ newState }) => newState.type)).toContain(type);
  expect(new Set(made.map(({ op }) => op))).toEqual(new Set(["create"]));
});
