import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { DevStack } from "../support/stack.ts";

const stack = new DevStack();

const gate = (...args: string[]) =>
  hearth(stack.folder, "gate", "--stack", "dev", "--sandbox", "--config-file", "Pulumi.dev.yaml", ...args);

it("the committed stack passes the gate, and every policy comes to a verdict", async () => {
  const { status, stdout } = await gate("--summary", "summary.md");
  expect(status, stdout).toBe(0);
  expect(stdout).toMatch(/^Stack dev passes the gate: 0 violations.*, 0 of [1-9]\d+ evaluations skipped\.$/m);
  expect(readFileSync(join(stack.folder, "summary.md"), "utf8")).toMatch(/^### ✅ Stack `dev`/);
});

it("a stack held to production is refused for its single database instance, of the suite and not again of its objects", async () => {
  const { status, stdout } = await gate("--profile", "production");
  expect(status, stdout).toBe(1);
  expect(stdout).toMatch(
    /\n {2}lim-db-replicas \(high\): hearth\/CloudSuite team, replicas\.db, \S+config\.yaml:\d+\n {4}Profile production/,
  );
  expect(stdout).not.toContain("lim-db-replicas (high): postgresql.cnpg.io/Cluster");
});

it("a warning of the program about its settings is advice, with its file and path", async () => {
  stack.editSettings((config) => {
    config["hearth:secrets"] = { ...Object(config["hearth:secrets"]), revisions: { "cloudsuite-admin": 1 } };
  });
  const { status, stdout } = await gate();
  expect(status, stdout).toBe(0);
  expect(stdout).toMatch(
    /\n {2}constant-secret: Pulumi\.dev\.yaml, hearth:secrets\.revisions\.cloudsuite-admin\n {4}cloudsuite-admin is /,
  );
});

it("a setting that the program refuses is told as the program tells it", async () => {
  stack.editSettings((config) => {
    config["hearth:profile"] = "devel";
  });
  const { status, stdout } = await gate();
  expect(status, stdout).toBe(1);
  expect(stdout).toContain("error: hearth:profile: The value is not allowed. [value]");
});
