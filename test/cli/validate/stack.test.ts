import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forgeValues } from "../../stack/bad-settings/forge.ts";
import { hubValues } from "../../stack/bad-settings/hub.ts";
import { platformValues } from "../../stack/bad-settings/platform.ts";
import type { BadValues } from "../../stack/bad-settings/row.ts";
import { siteWebhookValues } from "../../stack/bad-settings/site-webhook.ts";
import { storeValues } from "../../stack/bad-settings/stores.ts";
import { suiteValues } from "../../stack/bad-settings/suites.ts";
import { hearthIn } from "../../support/caller.ts";
import { type StackFiles, wholePlatform, withConfig, withSettings, writeStack } from "../../support/stack-files.ts";

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "hearth-stack-"));
});
afterEach(() => rmSync(project, { recursive: true }));

const whole = wholePlatform();
const suiteFile = Object.keys(whole.suites)[0] ?? "";

async function validate(files: StackFiles, ...args: string[]) {
  writeStack(files, project, "Pulumi.acme.yaml");
  const { status, stdout } = await hearthIn(project, "validate", "--stack", "acme", "--offline", "--json", ...args);
  const [{ file, valid, problems }] = JSON.parse(stdout);
  return { status, file, valid, problems };
}

describe("hearth validate --stack", () => {
  it("takes a whole platform through the steps", async () => {
    expect(await validate(whole)).toEqual({ status: 0, file: "Pulumi.acme.yaml", valid: true, problems: [] });
    const { stdout } = await hearthIn(project, "validate", "--stack", "acme", "--offline");
    expect(stdout).toMatch(/3 {2}passed +Synthesis of the manifests \(objects: \d{3}\)/);
  });

  it("tells the problems of the stack and of the files that it names, each with its own file", async () => {
    const bad = withConfig(withSettings(whole, { "hub.replicas.core": 0 }), suiteFile, { "versions.db": "9" });
    const { status, valid, problems } = await validate(bad);
    expect([status, valid]).toEqual([1, false]);
    expect(problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      "hearth:hub.replicas.core",
      "versions.db",
    ]);
    writeFileSync(join(project, suiteFile), "a:\n\tb: 1\n");
    const { stdout } = await hearthIn(project, "validate", "--stack", "acme", "--offline");
    expect(stdout).toContain(`${suiteFile}:2:1: error:`);
    expect(stdout).toMatch(/1 {2}failed/);
  });

  it.each([
    [
      "a prefix like hearth's",
      "  heart:profile: production",
      "Nothing reads heart:profile below config. Did you mean hearth:profile?",
    ],
    ["an area without prefix", "  hub: {}", "Nothing reads hub below config. Did you mean hearth:hub?"],
    [
      "a setting beside config",
      "hearth:privacy: {}",
      "Nothing reads hearth:privacy beside config. Did you mean hearth:privacy below config?",
    ],
  ])("names %s, with its place", async (_, line, text) => {
    writeStack(whole, project, "Pulumi.acme.yaml");
    const stackFile = join(project, "Pulumi.acme.yaml");
    const before = readFileSync(stackFile, "utf8");
    writeFileSync(
      stackFile,
      line.startsWith(" ")
        ? before.replace("config:\n", `config:\n${line}\n  aws:region: fsn1\n`)
        : `${before}${line}\n`,
    );
    const { status, stdout } = await hearthIn(project, "validate", "--stack", "acme", "--offline");
    expect(status).toBe(1);
    expect(stdout.replace(/\s+|\[unknown-key\]/g, " ").replace(/ +/g, " ")).toContain(text);
    expect(stdout.match(/ error: /g)).toHaveLength(1);
  });

  const areas = { platformValues, storeValues, forgeValues, hubValues, siteWebhookValues, suiteValues };
  it.each(Object.entries(areas))(
    "and hearth render refuse %s in the same words, and render writes nothing",
    async (_, values) => {
      for (const [path, [[value] = []]] of Object.entries<BadValues[string]>(values).slice(0, 3)) {
        writeStack(withSettings(whole, { [path]: value }), project, "Pulumi.acme.yaml");
        const validated = await hearthIn(project, "validate", "--stack", "acme", "--offline");
        const rendered = await hearthIn(project, "render", "--stack", "acme", "--out", "manifests");
        expect([validated.status, rendered.status], path).toEqual([1, 1]);
        const told = validated.stdout.match(/^Pulumi\.acme\.yaml:\d+:\d+: error: .*\n {4}.+$/gm) ?? [];
        expect(told, path).not.toEqual([]);
        for (const problem of told) expect(rendered.stderr).toContain(problem);
        expect(existsSync(join(project, "manifests"))).toBe(false);
      }
    },
  );

  it("names the stacks that are there where one is not", async () => {
    writeStack(whole, project, "Pulumi.acme.yaml");
    const { status, stdout } = await hearthIn(project, "validate", "--stack", "acem", "--offline");
    expect(status).toBe(1);
    expect(stdout).toContain("The stacks here: acme.");
  });
});
