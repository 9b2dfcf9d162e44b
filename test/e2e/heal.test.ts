import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { expect, test } from "vitest";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { DevStack, kubernetesObjects } from "../support/stack.ts";

/** An update that is killed while it creates: what it made is there and not in the state, and every later update would stop at it. */

inEmptySandbox("e2e-heal");

const program = join(import.meta.dirname, "../../cli/main.mjs");
const stack = new DevStack();

async function backend() {
  const { paths } = await openSandbox();
  const folder = join(paths.pulumiState, ".pulumi");
  return {
    state: join(folder, "stacks/hearth/dev.json"),
    locks: join(folder, "locks/organization/hearth/dev"),
  };
}

/** Kills Pulumi as soon as the state has `count` resources. */
async function killAt(count: number): Promise<void> {
  const { state, locks } = await backend();
  const ended = stack.pulumi("up", "--yes", "--skip-preview");
  const resources = () => (existsSync(state) ? (readFileSync(state, "utf8").match(/"urn":/g)?.length ?? 0) : 0);
  await expect.poll(resources, { interval: 20, timeout: 120_000 }).toBeGreaterThanOrEqual(count);
  const [lock = ""] = readdirSync(locks).filter((name) => name.endsWith(".json"));
  process.kill(JSON.parse(readFileSync(join(locks, lock), "utf8")).pid, "SIGKILL");
  expect((await ended).exitCode).not.toBe(0);
}

const heal = (...args: string[]) =>
  execa(process.execPath, [program, "heal", "--stack", "dev", "--sandbox", "--yes", ...args], { reject: false });

test("a stack whose first update was killed twice ends as if it had not been", async () => {
  const passwords = async () => {
    const secrets = await kubernetesObjects("secrets", "--all-namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
    return new Map(secrets.map((secret) => [secret.metadata.uid, (secret as { data?: object }).data]));
  };
  await killAt(30);
  const first = await heal("--json");
  expect(first.exitCode, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ stack: "dev", healed: true, foreign: [] });
  const before = await passwords();
  await killAt(80);
  const second = await heal();
  expect(second.exitCode, second.stderr).toBe(0);

  const up = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(up.exitCode, up.all).toBe(0);
  expect(await stack.changes()).toEqual([]);
  const after = await passwords();
  for (const [uid, data] of before) expect(after.get(uid)).toEqual(data);
  expect((await heal()).stderr).toContain("Nothing is to be healed");
});
