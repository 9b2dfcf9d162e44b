import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initCommand } from "@hearth-platform/cli/init/command";
import { prerequisiteOf } from "@hearth-platform/hearth/catalogue/prerequisites";
import { stackPlans } from "@hearth-platform/stack/parts";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { violationsOf } from "../policy/support/whole-stack.ts";
import { call } from "../support/caller.ts";
import { freshK3s } from "../support/fresh-k3s.ts";
import { AppliedStack } from "../support/stack-changes.ts";
import { checkFiles, type StackFiles, withConfig, withSettings } from "../support/stack-files.ts";

/** The page The smallest start: its commands write its stack, which is sound, and grows as the page says. */

const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/smallest-start.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-smallest-"));
afterAll(() => rmSync(folder, { recursive: true }));

// Which UID it has is not the page's matter.
const find = async () => ({ ...freshK3s, identity: undefined });

const config = "suites/cloud/config.yaml";
let files: StackFiles = { settings: {}, suites: {} };
const settingsOf = (stack: { config: Record<string, unknown> }) =>
  Object.fromEntries(
    Object.entries(stack.config).flatMap(([key, value]) =>
      key.startsWith(settingsPrefix) ? [[key.slice(settingsPrefix.length), value]] : [],
    ),
  );

beforeAll(async () => {
  const [, line = ""] = /^\$ \.\/hearth init (.+)$/m.exec(page) ?? [];
  const words = line.split(/\s+#/)[0]?.split(" ") ?? [];
  const { status, stderr } = await call((session) => initCommand(session, find), folder, [...words, "--yes"], folder);
  if (status !== 0) throw new Error(stderr);
  files = {
    settings: settingsOf(parse(readFileSync(join(folder, "Pulumi.small.yaml"), "utf8"))),
    suites: { [config]: parse(readFileSync(join(folder, config), "utf8")) },
  };
});

describe("the smallest start", () => {
  it("has the stack that its page shows", () => {
    const [, shown = ""] = /^```yaml\n(config:[\s\S]*?)^```/m.exec(page) ?? [];
    expect(files.settings).toEqual(settingsOf(parse(shown)));
  });

  it("is valid, with nothing to be told but the class it allows", () => {
    const { stack, problems } = checkFiles(files);
    expect(stack).toBeDefined();
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ["limit-widened", expect.stringContaining("local-path")],
    ]);
  });

  it("passes the policies", () => {
    const { stack } = checkFiles(files);
    if (!stack) throw new Error("The stack is not valid.");
    // The policy that forbids hearth:limits altogether is off unless its level is set.
    expect(violationsOf(stack).filter(({ policy }) => policy !== "lim-widening")).toEqual([]);
  });

  it("needs cert-manager, CloudNativePG with its plugin, and Traefik alone", () => {
    const { stack } = checkFiles(files);
    const kinds = stack ? stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object.apiVersion)) : [];
    const names = new Set(kinds.flatMap((version) => prerequisiteOf(version)?.name ?? []));
    expect([...names].sort()).toEqual(["Barman Cloud plugin", "CloudNativePG", "Traefik", "cert-manager"]);
  });

  it("has one pod and one instance of everything, and backups all the same", () => {
    const { stack } = checkFiles(files);
    const objects = stack ? stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object)) : [];
    const cluster = objects.find(({ kind }) => kind === "Cluster");
    expect(cluster).toMatchObject({ spec: { instances: 1 } });
    expect(objects.some(({ kind }) => kind === "ScheduledBackup")).toBe(true);
    expect(objects.some(({ kind }) => kind === "NetworkPolicy")).toBe(false);
  });
});

describe("it is left", () => {
  const standby = (from: StackFiles) => withConfig(from, config, { "replicas.db": 2 });
  it.each<[string, (from: StackFiles) => StackFiles]>([
    ["for monitoring", (from) => withSettings(from, { monitoring: undefined })],
    ["for a standby of the database", standby],
    ["for profile production", (from) => withSettings(standby(from), { profile: "production" })],
    [
      "for all of it",
      (from) => withSettings(standby(from), { profile: "production", monitoring: undefined, networkPolicies: true }),
    ],
    [
      "for a secret store",
      (from) =>
        withSettings(from, { "secrets.existing": undefined, "secrets.store": { name: "v" }, "secrets.generate": true }),
    ],
  ])("%s, and nothing is made anew or deleted that holds data", (_, leave) => {
    const { refusal, changes } = new AppliedStack(files).to(leave(files));
    expect(refusal).toBeUndefined();
    expect(changes.length).toBeGreaterThan(0);
    const lost = changes.filter(({ operation }) => operation === "replace" || operation === "delete");
    expect(
      lost.filter(({ kind }) => ["Cluster", "PersistentVolumeClaim", "Namespace", "StatefulSet"].includes(kind)),
    ).toEqual([]);
  });

  it("another class of volumes is refused: the data moves with a new cluster", () => {
    const moved = withConfig(withSettings(files, { storageClass: undefined }), config, {
      "storage.storageClass": "replicated-block",
    });
    expect(new AppliedStack(files).to(moved).refusal?.text).toContain("storage.storageClass");
  });
});
