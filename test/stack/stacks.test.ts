import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runningStack } from "@hearth-platform/stack/running-stack";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import { jsonSchema } from "../../tools/json-schemas.ts";
import { type JsonSchema, resolved } from "../../tools/settings-table.ts";
import { engineConfig, runProgram } from "../support/program.ts";
import { type RegisteredResource, registered } from "../support/pulumi-mocks.ts";

const project = join(import.meta.dirname, "../..");
const read = (file: string) => parse(readFileSync(join(project, file), "utf8"));

describe.each(["dev", "prod"])("stack %s", (stack) => {
  it("has no problem and no warning", () => {
    const { source, problems } = sourceFromFile(project, stack);
    expect(problems).toEqual([]);
    expect(source && checkStack(project, source).problems).toEqual([]);
  });

  it("names the schema its editor checks it with", () => {
    const files = [
      `Pulumi.${stack}.yaml`,
      ...read(`Pulumi.${stack}.yaml`).config["hearth:cloudsuites"].map(({ config }: { config: string }) => config),
    ];
    for (const file of files) {
      const schema =
        /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(join(project, file), "utf8"))?.[1] ?? "";
      expect(readdirSync(join(project, "schemas"))).toContain(join(file, "..", schema).split("schemas/")[1]);
    }
  });

  it("holds no encrypted value", () => {
    expect(readFileSync(join(project, `Pulumi.${stack}.yaml`), "utf8")).not.toMatch(
      /secure:|encryptionsalt|encryptedkey/,
    );
  });
});

describe("Pulumi.yaml", () => {
  it("asks of a stack exactly the settings that have no default, in the schema's words", () => {
    const { properties = {}, required = [] } = resolved(jsonSchema(StackSettings) as JsonSchema);
    const asked = Object.entries<{ description: string }>(read("Pulumi.yaml").config);
    expect(asked.map(([key]) => key).sort()).toEqual(required.map((key) => `${settingsPrefix}${key}`).sort());
    for (const [key, { description }] of asked)
      expect(description).toBe(properties[key.slice(settingsPrefix.length)]?.description);
  });

  it("starts a file that says what is wrong under a Node that can't run TypeScript", () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });";
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(older)}`, join(project, read("Pulumi.yaml").main)],
      { encoding: "utf8", cwd: project },
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain("hearth needs Node 24, and Pulumi found Node 20.20.2");
  });

  it("names the Node that comes with the packages", () => {
    expect(execFileSync("node", ["--version"], { encoding: "utf8" }).trim()).toBe(
      `v${readFileSync(join(project, ".node-version"), "utf8").trim()}`,
    );
  });
});

describe("the program of stack dev", () => {
  let outputs: Record<string, unknown> = {};
  let resources: RegisteredResource[] = [];

  beforeAll(async () => {
    ({ resources, outputs } = await runProgram("dev"));
  });

  it("makes one provider of the sandbox's cluster and one of its object store", () => {
    const providers = resources.filter(({ type }) => type.startsWith("pulumi:providers:"));
    expect(providers.map(({ type, name, inputs }) => [type, name, inputs.context ?? inputs.region])).toEqual([
      ["pulumi:providers:kubernetes", "cluster", "hearth-sandbox"],
      ["pulumi:providers:aws", "fsn1.your-objectstorage.com", "fsn1"],
    ]);
  });

  it("makes the suite that its config.yaml describes", () => {
    const suite = resources.find(({ type, name }) => type === "hearth:index:CloudSuite" && name === "team");
    expect(suite?.inputs).toMatchObject({
      namespace: "team",
      versions: { db: "16" },
    });
  });

  it("tells the public URLs and the first administrator", () => {
    expect(outputs.endpoints).toEqual({
      team: {
        web: "https://team.example.org",
        office: "https://office.team.example.org",
        whiteboard: "https://team.example.org/whiteboard",
      },
      club: { web: "https://club.example.org" },
    });
    expect(outputs.administrators).toMatchObject({ team: { user: "admin" }, club: { user: "admin" } });
  });
});

describe("the program of stack prod", () => {
  it("warns once, before it builds an image from a tag, how to lock that", async () => {
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
    onTestFinished(() => warn.mockRestore());
    await registered(() => {
      pulumi.runtime.setAllConfig(engineConfig("prod"));
      runningStack(project);
    });
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /hearth:siteWebhook\.baseImage: The image of hearth's own services starts from gcr\.io\S+, .*\[unlocked-base\]\n.*hearth images lock --stack test/,
      ),
    ]);
  });
});

describe("a stack with problems", () => {
  it("registers nothing, and tells all of them at once without a stack trace", async () => {
    let failure: unknown;
    const resources = await registered(() => {
      pulumi.runtime.setAllConfig({ ...engineConfig("dev"), "hearth:profile": "test", "hearth:surprise": "1" });
      try {
        runningStack(project);
      } catch (error) {
        failure = error;
      }
    });
    expect(pulumi.RunError.isInstance(failure)).toBe(true);
    expect(String(failure)).toMatch(/hearth:profile[\s\S]*hearth:surprise/);
    expect(resources).toEqual([]);
  });
});
