import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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
    [
      "a prefix that begins as hearth's",
      "  hearths:profile: production",
      "Nothing reads hearths:profile below config. Did you mean hearth:profile?",
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

describe("the dry run of hearth validate --stack", () => {
  const servers: Server[] = [];
  /** Addresses that were asked. */
  const asked: string[] = [];
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const server of servers.splice(0)) server.close();
    asked.splice(0);
  });

  /** An API server that knows no kind; gives its address. */
  async function clusterWithoutKinds(): Promise<string> {
    const server = createServer((_, response) => {
      asked.push(address);
      response.setHeader("content-type", "application/json").end("{}");
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return address;
  }

  /** A kubeconfig with the contexts `first`, which is current, and `second`. */
  async function kubeconfig(): Promise<{ file: string; addresses: Record<string, string> }> {
    const addresses = { first: await clusterWithoutKinds(), second: await clusterWithoutKinds() };
    const file = join(project, "kubeconfig");
    const named = (make: (name: string, server: string) => object) =>
      Object.entries(addresses).map(([name, server]) => ({ name, ...make(name, server) }));
    const content = {
      "current-context": "first",
      clusters: named((_, server) => ({ cluster: { server, "insecure-skip-tls-verify": true } })),
      contexts: named((name) => ({ context: { cluster: name, user: name } })),
      users: named(() => ({ user: { token: "x" } })),
    };
    writeFileSync(file, JSON.stringify(content));
    return { file, addresses };
  }

  const run = async (context: string | undefined, ...args: string[]) => {
    writeStack(withSettings(whole, { kubernetes: context && { context } }), project, "Pulumi.acme.yaml");
    return (await hearthIn(project, "validate", "--stack", "acme", ...args)).stdout;
  };

  it.each([
    ["the cluster of its settings", "second", [], "second"],
    ["the current one of the kubeconfig, where they name none", undefined, [], "first"],
    ["another one that is named", "second", ["--context", "first"], "first"],
  ])("is made on %s", async (_, context, args, expected) => {
    const { file, addresses } = await kubeconfig();
    vi.stubEnv("KUBECONFIG", file);
    expect(await run(context, ...args)).toContain(`4  failed       Dry run of apply (at ${addresses[expected]}; `);
    expect(new Set(asked)).toEqual(new Set([addresses[expected]]));
  });

  it("fails where the settings name a context that is not there", async () => {
    vi.stubEnv("KUBECONFIG", (await kubeconfig()).file);
    const stdout = await run("absent");
    expect(stdout).toContain('No cluster for the dry run: The context "absent" does not exist');
    expect(asked).toEqual([]);
  });

  it.each([
    ["there is no kubeconfig", undefined, "There is no kubeconfig"],
    ["its cluster is the sandbox, and that does not run", "hearth-sandbox", "./hearth sandbox start"],
  ])("is left out where %s", async (_, context, told) => {
    vi.stubEnv("KUBECONFIG", join(project, "absent"));
    vi.stubEnv("HEARTH_SANDBOX", "never-started");
    vi.stubEnv("XDG_STATE_HOME", project);
    const stdout = await run(context);
    expect(stdout).toContain("Pulumi.acme.yaml: valid");
    expect(stdout).toMatch(/4 {2}left out +Dry run of apply/);
    expect(stdout).toContain(told);
  });
});
