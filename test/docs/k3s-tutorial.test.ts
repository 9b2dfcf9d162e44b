import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initCommand } from "@hearth-platform/cli/init/command";
import { prerequisitesCommand } from "@hearth-platform/cli/prerequisites/command";
import { stackPlans } from "@hearth-platform/stack/parts";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { call, hearthIn } from "../support/caller.ts";
import { freshK3s, k3sAsSeen } from "../support/fresh-k3s.ts";
import { helmRecorder, releaseOf } from "../support/helm-recorder.ts";

/** The tutorial's own commands, one after another, on a cluster as K3s makes it; what installs programs calls stand-ins for helm and kubectl. */

const page = readFileSync(join(import.meta.dirname, "../../docs/tutorial/k3s.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-tutorial-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Arguments of the page's one call of `./hearth COMMAND`. */
function words(command: string): string[] {
  const lines = [...page.matchAll(/^\$ \.\/hearth (.+)$/gm)].map(([, line = ""]) => line.split(" "));
  const found = lines.filter(([name]) => name === command);
  expect(found, command).toHaveLength(1);
  return found[0]?.slice(1) ?? [];
}

describe("the tutorial", () => {
  beforeAll(async () => {
    const find = async () => freshK3s;
    const { status, stderr } = await call((session) => initCommand(session, find), folder, words("init"), folder);
    expect(status, stderr).toBe(0);
  });

  it("writes the two files that the page names", () => {
    const named = [...page.matchAll(/^- `([\w./-]+\.yaml)` describes/gm)].map(([, file = ""]) => file);
    expect(named).toHaveLength(2);
    expect(named.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  it("has a valid stack, as validate says", async () => {
    const { status, stdout, stderr } = await hearthIn(folder, "validate", ...words("validate"));
    expect(status, `${stdout}${stderr}`).toBe(0);
    const { source } = sourceFromFile(folder, "k3s");
    const { stack } = source ? checkStack(folder, source) : {};
    const objects = stack ? stackPlans(stack).flatMap((plan) => plan.objects) : [];
    expect(objects.map(({ object }) => object.metadata.namespace)).toContain("demo");
  });

  it("installs what the page lists, and nothing else", async () => {
    const { calls, path } = helmRecorder(join(folder, "recorder"));
    vi.stubEnv("PATH", path);
    const look = async () => k3sAsSeen();
    const args = [...words("prerequisites"), "--yes"];
    const { status, stderr } = await call((session) => prerequisitesCommand(session, look), folder, args, folder);
    vi.unstubAllEnvs();
    expect(status, stderr).toBe(0);
    const charts = calls().filter(({ words: [program] }) => program === "helm");
    expect(charts.map(releaseOf)).toEqual(["cert-manager", "cloudnative-pg", "plugin-barman-cloud"]);
    const objects = calls().filter(({ words: [program] }) => program === "kubectl");
    expect(objects.map(({ input }) => parse(input).kind)).toEqual(["HelmChartConfig", "ClusterIssuer"]);
    expect(parse(objects[1]?.input ?? "").spec.acme.email).toBe("you@example.org");
    expect(charts.every(({ words: all }) => all.includes("default"))).toBe(true);
  });
});
