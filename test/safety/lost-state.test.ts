import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { wholePlatform, withSettings } from "../support/stack-files.ts";

/**
 * The state of a whole platform is lost, or an older copy of it is put back: heal finds everything in the cluster and the
 * object store again. Afterwards an update changes nothing, and every key and password is what it was, byte for byte.
 */

inEmptySandbox("e2e-lost-state");

const root = join(import.meta.dirname, "../..");
const before = wholePlatform();
const robots = (before.settings.hub as { robots: object[] }).robots;
const files = withSettings(before, {
  "hub.robots": [...robots, { name: "deploy", access: "pull", projects: ["apps"] }],
});
const stack = new DevStack(before);
const folder = mkdtempSync(join(tmpdir(), "hearth-lost-"));
const older = join(folder, "older.json");

/** Identity and, of a Secret, content of objects by kind and name. */
type Platform = Readonly<Record<string, readonly [uid: string, data: Readonly<Record<string, string>> | undefined]>>;

/** Every Secret that the stack made, with its data, and the identity of everything else of these kinds. */
async function platform(): Promise<Platform> {
  const kinds = "secrets,configmaps,services,deployments,clusters.postgresql.cnpg.io,persistentvolumeclaims,namespaces";
  const objects = await kubernetesObjects(kinds, "--all-namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
  return Object.fromEntries(
    objects.map(({ kind, metadata, ...object }) => [
      `${kind} ${metadata.namespace ?? ""}/${metadata.name}`,
      [metadata.uid, kind === "Secret" ? (object as { data?: Record<string, string> }).data : undefined],
    ]),
  );
}

let made: Platform = {};

async function succeed(command: ReturnType<DevStack["pulumi"]>): Promise<void> {
  const { exitCode, all } = await command;
  expect(exitCode, all).toBe(0);
}

const manage = (...args: string[]) => succeed(sandbox("pulumi", "stack", ...args, "--stack", "dev"));
const up = () => stack.pulumi("up", "--yes", "--skip-preview");

/** Loses the state; the stack stands there empty. */
async function loseState(): Promise<void> {
  await manage("rm", "--yes", "--force");
  await succeed(sandbox("pulumi", "stack", "ls"));
}

const healOptions = ["heal", "--lost-state", "--stack", "dev", "--sandbox", "--yes", "--json", "--config-file"];
const heal = (env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, [join(root, "cli/main.mjs"), ...healOptions, stack.stackFile], {
    cwd: root,
    env,
    all: true,
    reject: false,
    // A group of its own, which can be killed as a whole.
    detached: true,
  });

/** Whether everything is as it was made, and an update would change nothing. */
async function expectSame(): Promise<void> {
  expect(await stack.changes()).toEqual([]);
  expect(await platform()).toEqual(made);
}

beforeAll(async () => {
  await succeed(up());
  await manage("export", "--file", older);
  stack.use(files);
  await succeed(up());
  made = await platform();
  expect(Object.keys(made).length).toBeGreaterThan(90);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("an older copy of the state lacks a robot: an update is refused, and heal takes in what the copy does not know", async () => {
  await manage("import", "--file", older);
  const refused = await up();
  expect([refused.exitCode === 0, refused.all]).toEqual([false, expect.stringContaining("./hearth heal --stack dev")]);
  const { exitCode, stdout, all } = await heal();
  expect(exitCode, all).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ healed: true, foreign: [] });
  await expectSame();
}, 300_000);

/** Ends heal with all that it began, at one of the moments at which it asks something of others or gets Pulumi's answer: `request 7`. */
const killer = `
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
const { HEAL_KILLED_AT, HEAL_MOMENTS } = process.env;
if (process.argv.includes("heal")) {
  const moments = [];
  const counts = { request: 0, begin: 0, end: 0 };
  const pass = (kind) => {
    counts[kind] += 1;
    moments.push(kind + " " + counts[kind]);
    if (moments.at(-1) === HEAL_KILLED_AT) process.kill(-process.pid, "SIGKILL");
  };
  subscribe("http.client.request.start", () => pass("request"));
  subscribe("child_process", ({ process: child }) => {
    pass("begin");
    child.once("exit", () => pass("end"));
  });
  process.on("exit", () => HEAL_MOMENTS && writeFileSync(HEAL_MOMENTS, JSON.stringify(moments)));
}`;
const watched = {
  NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(killer)}"`,
  HEAL_MOMENTS: join(folder, "moments.json"),
};

test("with the state lost an update is refused and names heal, which takes in the whole platform", async () => {
  await loseState();
  const refused = await up();
  expect(refused.all).toContain("./hearth heal --lost-state --stack dev");
  const { exitCode, stdout, stderr } = await heal(watched);
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ healed: true, foreign: [], forgotten: [] });
  const values = Object.values(made).flatMap(([, data]) => Object.values(data ?? {}));
  for (const value of values.filter(({ length }) => length > 20)) expect(stdout + stderr).not.toContain(value);
  await expectSame();
  await succeed(up());
  await expectSame();
}, 300_000);

test("heal that is killed at ten points, and then run again, comes to the same", async () => {
  const moments: string[] = JSON.parse(readFileSync(watched.HEAL_MOMENTS, "utf8"));
  const isRequest = (moment: string) => moment.startsWith("request");
  const calls = moments.filter((moment) => !isRequest(moment));
  // At its end heal writes the new state, and has the buckets read.
  const last = calls.slice(-4, -1);
  const some = (from: string[], count: number) =>
    fc.sample(fc.shuffledSubarray(from, { minLength: count, maxLength: count }), { numRuns: 1, seed: 1 })[0] ?? [];
  const points = [...some(calls.slice(0, -4), 3), ...some(moments.filter(isRequest), 4), ...last];
  expect(points).toHaveLength(10);
  await loseState();
  for (const point of points) {
    // What writes the state may have ended before the kill.
    if (last.indexOf(point) > 0) await loseState();
    console.log(`  heal killed at ${point}, of ${moments.length} moments`);
    const { signal, all } = await heal({ ...watched, HEAL_MOMENTS: "", HEAL_KILLED_AT: point });
    expect(signal, all).toBe("SIGKILL");
  }
  const { exitCode, stdout, all } = await heal();
  expect(exitCode, all).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ healed: true, foreign: [] });
  await expectSame();
}, 600_000);

test("objects of others under the platform's names are left, and named; all else is found", async () => {
  const others = ["configmap/hub-core", "service/hub-core", "secret/hub-robot-ci"];
  await loseState();
  for (const [index, name] of others.entries()) {
    const [object] = await kubernetesObjects(name, "--namespace", "platform");
    const file = join(folder, `${index}.json`);
    writeFileSync(
      file,
      JSON.stringify({
        ...object,
        metadata: { ...object?.metadata, resourceVersion: undefined, uid: undefined, managedFields: undefined },
      }),
    );
    await succeed(sandbox("kubectl", "delete", name, "--namespace", "platform"));
    await succeed(sandbox("kubectl", "create", "--filename", file));
  }
  const theirs = await platform();
  const { exitCode, stdout, stderr } = await heal();
  expect(exitCode, stderr).toBe(1);
  const { adopted, foreign } = JSON.parse(stdout) as Record<string, { urn: string; why: string }[]>;
  expect(foreign?.map(({ urn }) => urn.split("::").at(-1)).sort()).toEqual([
    "hub/hub-core",
    "hub/hub-core",
    "hub/hub-robot-ci",
  ]);
  expect(adopted?.length).toBeGreaterThan(290);
  for (const name of ["ConfigMap hub/hub-core", "Service hub/hub-core", "Secret hub/hub-robot-ci"])
    expect(stderr).toContain(`leave   ${name}: `);
  expect(stderr).not.toMatch(/\b(?:delete|remove|unprotect|replace)\b/);
  const refused = await up();
  expect([refused.exitCode === 0, refused.all]).toEqual([false, expect.stringContaining("Service platform/hub-core")]);
  expect(await platform()).toEqual(theirs);
}, 300_000);
