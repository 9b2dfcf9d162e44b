import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import fc from "fast-check";
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

/** At how many resources in the state the update is killed, one after another; `npm run test:long` takes more of them. */
const points = Number(process.env.HEARTH_CRASH_POINTS ?? 2);
/** The short run is the same each time; the long one looks for more. */
const seed = Number(process.env.HEARTH_CRASH_SEED ?? (points > 2 ? Date.now() % 100_000 : 1));

/** Ascending numbers of resources, spread over those of the whole stack. */
function countsAtKills(): number[] {
  const slice = (index: number) => 5 + Math.floor((100 * index) / points);
  const numbers = Array.from({ length: points }, (_, i) => fc.integer({ min: slice(i), max: slice(i + 1) - 1 }));
  return fc.sample(fc.tuple(...numbers), { numRuns: 1, seed }).flat();
}

async function secretData(): Promise<Map<string, unknown>> {
  const secrets = await kubernetesObjects("secrets", "--all-namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
  return new Map(secrets.map((secret) => [secret.metadata.uid, (secret as { data?: object }).data]));
}

test(`a stack whose first update was killed ${points} times ends as if it had not been`, {
  timeout: 600_000 + points * 120_000,
}, async () => {
  const counts = countsAtKills();
  console.log(`HEARTH_CRASH_SEED=${seed}: killed at ${counts.join(", ")} resources`);
  const written = new Map<string, unknown>();
  for (const count of counts) {
    await killAt(count);
    const healed = await heal("--json");
    expect(healed.exitCode, healed.stderr).toBe(0);
    expect(JSON.parse(healed.stdout), `at ${count}`).toMatchObject({ stack: "dev", healed: true, foreign: [] });
    for (const [uid, data] of await secretData()) {
      expect(data, `at ${count}`).toEqual(written.get(uid) ?? data);
      written.set(uid, data);
    }
  }

  const up = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(up.exitCode, up.all).toBe(0);
  expect(await stack.changes()).toEqual([]);
  const now = await secretData();
  for (const [uid, data] of written) expect(now.get(uid)).toEqual(data);
  expect((await heal()).stderr).toContain("Nothing is to be healed");
});
