import { join } from "node:path";
import { execa } from "execa";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { cleanUp, crash, type Point, shown } from "./support/crash.ts";
import { type EndState, endState } from "./support/end-state.ts";
import { largePlatform, smallPlatform } from "./support/platforms.ts";
import type { Operation } from "./support/provider-proxy.ts";
import { Snapshot } from "./support/snapshot.ts";
import { victims } from "./support/victims.ts";

/**
 * An update that is interrupted anywhere ends, after `hearth heal` and another `up`, as if it had not been. The operations
 * of an uninterrupted run are learnt first; a point is one of them, before or after it, and what is killed there.
 *
 * HEARTH_CRASH_SEEDS (numbers with commas between) and HEARTH_CRASH_POINTS (a seed) choose the points,
 * HEARTH_CRASH_FROM the first of each seed, so that a run that was ended goes on; HEARTH_CRASH_PLATFORM is `small` or `large`.
 */

const { HEARTH_CRASH_SEEDS = "1", HEARTH_CRASH_POINTS, HEARTH_CRASH_FROM = "0", HEARTH_CRASH_PLATFORM } = process.env;
const program = join(import.meta.dirname, "../../cli/main.mjs");
const platform = HEARTH_CRASH_PLATFORM === "large" ? largePlatform() : smallPlatform();
const stack = new DevStack(platform.made);
const isLong = HEARTH_CRASH_POINTS !== undefined;
const timeout = isLong ? 1_800_000 : 900_000;

/** An update that a point may lie in: from nothing, or from what was made to what is changed. */
interface Phase {
  readonly files: typeof platform.made;
  readonly operations: readonly Operation[];
  readonly end: EndState;
  /** The sandbox before it; only the short form does without one of the change. */
  readonly before?: Snapshot;
}

const phases: Phase[] = [];

async function learn(files: typeof platform.made, before?: Snapshot): Promise<void> {
  stack.use(files);
  const operations = await cleanUp(stack);
  phases.push({ files, before, operations, end: await endState() });
}

beforeAll(async () => {
  // Makes the stack, where nothing did.
  await succeed(sandbox("pulumi", "stack", "ls"));
  await learn(platform.made, await Snapshot.take());
  await learn(platform.changed, isLong ? await Snapshot.take() : undefined);
}, timeout);

// Other tests find the sandbox empty.
afterAll(async () => {
  await phases[0]?.before?.restore();
  for (const { before } of phases) await before?.delete();
}, timeout);

async function succeed(command: ReturnType<DevStack["pulumi"]>): Promise<void> {
  const { exitCode, all } = await command;
  expect(exitCode, all).toBe(0);
}

/** What each Secret that the stack made holds, by its name: one that was deleted and made anew is to hold the same. */
async function secretData(): Promise<Map<string, unknown>> {
  const secrets = await kubernetesObjects("secrets", "--all-namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
  return new Map(
    secrets.map(({ metadata: { namespace, name }, ...secret }) => [
      `${namespace}/${name}`,
      (secret as { data?: object }).data,
    ]),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The points of a seed, each kill's share the same. */
function pointsOf(seed: number, count: number): { phase: Phase; point: Point }[] {
  // In an order of their own: that of an update differs from run to run, and a seed's points would with it.
  const all = phases.flatMap((phase) =>
    phase.operations
      .toSorted((a, b) => compare(`${a.urn} ${a.verb}`, `${b.urn} ${b.verb}`))
      .map((operation) => ({ phase, operation })),
  );
  const chosen = fc.record({
    at: fc.constantFrom(...all),
    moment: fc.constantFrom("before" as const, "after" as const),
  });
  return fc.sample(chosen, { numRuns: count, seed }).map(({ at: { phase, operation }, moment }, index) => ({
    phase,
    point: { operation, moment, victim: victims[index % victims.length] ?? "engine" },
  }));
}

/** Interrupts updates to the same end at these points, one after another; then the stack is as after an update that was not interrupted. */
async function endsAsUninterrupted({ files, end }: Phase, points: readonly Point[]): Promise<void> {
  stack.use(files);
  const written = new Map<string, unknown>();
  for (const point of points) {
    console.log(`  ${shown(point)}`);
    expect(await crash(stack, point), `the update came to: ${shown(point)}`).toBe(true);
    for (const [name, data] of await secretData()) written.set(name, written.get(name) ?? data);
    if (await isMade(point)) {
      const refused = await stack.pulumi("up", "--yes", "--skip-preview");
      expect([refused.exitCode === 0, refused.all]).toEqual([
        false,
        expect.stringContaining("./hearth heal --stack dev"),
      ]);
    }
    const healed = await heal();
    expect(healed.exitCode, `${shown(point)}\n${healed.all}`).toBe(0);
    expect(JSON.parse(healed.stdout), shown(point)).toMatchObject({ healed: true, foreign: [] });
  }
  await succeed(stack.pulumi("up", "--yes", "--skip-preview"));
  expect(await endState()).toEqual(end);
  const now = await secretData();
  for (const [name, data] of written) if (now.has(name)) expect(now.get(name), name).toEqual(data);
  expect(await stack.changes()).toEqual([]);
}

/** Whether an object is there that the state does not have: it says the object was being made, or the engine has forgotten it with the provider. */
async function isMade({ operation: { verb, urn }, moment, victim }: Point): Promise<boolean> {
  if (verb !== "create" || !urn.includes("kubernetes:") || moment !== "after") return false;
  if (victim !== "plugins") return victim === "engine";
  // The answer of a plugin may still have been written before the plugin died.
  const { stdout } = await sandbox("pulumi", "stack", "export", "--stack", "dev");
  const { resources = [] }: { resources?: readonly { urn: string }[] } = JSON.parse(stdout).deployment;
  return !resources.some((each) => each.urn === urn);
}

const heal = () =>
  execa(
    process.execPath,
    [program, "heal", "--stack", "dev", "--sandbox", "--yes", "--json", "--config-file", stack.stackFile],
    { all: true, reject: false },
  );

if (!isLong) {
  /** The first operation of a kind. @param name of what it is on, `team/cloudsuite`; default: any */
  const first = ({ operations }: Phase, verb: Operation["verb"], type: string, name = "") => {
    const operation = operations.find((each) => each.verb === verb && each.urn.includes(`:${type}::${name}`));
    if (!operation) throw new Error(`The update does not ${verb} a ${type} ${name}.`);
    return operation;
  };

  /** The delete and the create of the first object that is deleted to be made anew under its name. */
  const replacement = ({ operations }: Phase) => {
    const gone = operations.findIndex(
      ({ verb, urn }, index) =>
        verb === "delete" && operations.slice(index).some((each) => each.verb === "create" && each.urn === urn),
    );
    const { urn } = operations[gone] ?? {};
    if (urn === undefined) throw new Error("The update replaces nothing.");
    return { deleted: { verb: "delete", urn }, made: { verb: "create", urn } } as const;
  };

  test("a first update interrupted four times, and a change interrupted while it replaces and deletes, end as if they had not been", {
    timeout,
  }, async () => {
    const [made, changed] = phases as [Phase, Phase];
    await made.before?.restore();
    await endsAsUninterrupted(made, [
      { operation: first(made, "create", "Secret"), moment: "after", victim: "program" },
      { operation: first(made, "create", "Cluster"), moment: "after", victim: "engine" },
      { operation: first(made, "create", "Deployment", "team/cloudsuite"), moment: "before", victim: "kube-apiserver" },
      { operation: first(made, "create", "Deployment", "team/cloudsuite"), moment: "after", victim: "plugins" },
    ]);
    const { deleted, made: anew } = replacement(changed);
    await endsAsUninterrupted(changed, [
      { operation: deleted, moment: "before", victim: "engine" },
      { operation: deleted, moment: "after", victim: "engine" },
      { operation: anew, moment: "after", victim: "engine" },
      { operation: first(changed, "delete", "Deployment"), moment: "before", victim: "object-storage" },
    ]);
  });
} else {
  describe.each(HEARTH_CRASH_SEEDS.split(",").map(Number))("of seed %d", (seed) => {
    const from = Number(HEARTH_CRASH_FROM);
    const indexes = Array.from({ length: Number(HEARTH_CRASH_POINTS) - from }, (_, index) => from + index);
    test.each(indexes)("an update interrupted at point %d ends as if it had not been", { timeout }, async (index) => {
      const { phase, point } = pointsOf(seed, index + 1)[index] as ReturnType<typeof pointsOf>[number];
      console.log(`HEARTH_CRASH_SEEDS=${seed} HEARTH_CRASH_FROM=${index}: ${shown(point)}`);
      await phase.before?.restore();
      await endsAsUninterrupted(phase, [point]);
    });
  });
}
