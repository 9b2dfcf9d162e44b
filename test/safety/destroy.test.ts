import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { DevStack, kubernetesObjects } from "../support/stack.ts";
import { smallStack } from "../support/stack-files.ts";
import { type Data, dataOf } from "./support/data.ts";

/** A stack is destroyed, killed half-way and again: what holds data stays, nothing else is left, and an update brings the rest back. */

inEmptySandbox("e2e-destroy");

const root = join(import.meta.dirname, "../..");
const stack = new DevStack(smallStack());
/** Those with data; the webhook has none, and its namespace goes with it. */
const namespaces = ["team", "club", "pages"];
let data: Data = {};
/** Of what is made anew. */
let former: unknown[] = [];

const destroy = () =>
  execa(
    process.execPath,
    [join(root, "cli/main.mjs"), "destroy", "--stack", "dev", "--sandbox", "--yes", "--config-file", stack.stackFile],
    {
      cwd: root,
      all: true,
      reject: false,
      // A group of its own, which can be killed as a whole.
      detached: true,
    },
  );

/** What is to stay: of the Secrets the administrators' alone, since all others are made anew. */
async function held(): Promise<Data> {
  const entries = Object.entries(await dataOf(...namespaces));
  return Object.fromEntries(
    entries.filter(([name]) => !name.startsWith("Secret ") || name.endsWith("/cloudsuite-admin")),
  );
}

/** Hashes of the passwords of keystores and databases. */
async function passwords(): Promise<unknown[]> {
  const entries = Object.entries(await dataOf(...namespaces));
  return entries
    .filter(([name]) => /^Secret .*(?:keystore-password|cloudsuite-db-app)$/.test(name))
    .map(([, hash]) => hash);
}

/** Everything that a stack makes in its namespaces and that holds no data. */
async function others(): Promise<string[]> {
  const kinds =
    "deployments,statefulsets,services,ingressroutes,cronjobs,jobs,poolers,configmaps,networkpolicies,certificates";
  const objects = await kubernetesObjects(kinds, "--all-namespaces", "-l", "app.kubernetes.io/managed-by=hearth");
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
}

async function up(): Promise<void> {
  const { exitCode, all } = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(exitCode, all).toBe(0);
}

beforeAll(async () => {
  await up();
  data = await held();
  former = await passwords();
  expect(former.length).toBe(4);
  expect(Object.keys(data).length).toBeGreaterThan(10);
}, 900_000);

test("killed half-way and run again, it leaves what holds data and nothing else", async () => {
  const all = (await others()).length;
  expect(all).toBeGreaterThan(20);
  const first = destroy();
  await expect.poll(async () => (await others()).length, { timeout: 240_000, interval: 500 }).toBeLessThan(all);
  process.kill(-(first.pid ?? 0), "SIGKILL");
  await first;
  const second = await destroy();
  expect(second.exitCode, second.all).toBe(0);
  expect(await others()).toEqual([]);
  expect(await held()).toEqual(data);
  const again = await destroy();
  expect([again.exitCode, again.all]).toEqual([0, expect.stringContaining("only what holds data")]);
});

test("Pulumi's own destroy still deletes no data", async () => {
  expect((await stack.pulumi("destroy", "--yes", "--skip-preview")).exitCode).not.toBe(0);
  expect(await held()).toEqual(data);
});

test("an update brings the platform back on the data", async () => {
  await up();
  expect(await held()).toEqual(data);
  expect((await others()).length).toBeGreaterThan(20);
  expect((await stack.changes()).map(({ op, urn }) => `${op} ${urn}`)).toEqual([]);
  const anew = await passwords();
  expect(anew.length).toBe(former.length);
  expect(anew.filter((hash) => former.includes(hash))).toEqual([]);
});

test("Pulumi's own destroy with its program deletes what holds no data, and stops at the first that does", async () => {
  const all = (await others()).length;
  expect((await stack.pulumi("destroy", "--yes", "--skip-preview", "--run-program")).exitCode).not.toBe(0);
  expect((await others()).length).toBeLessThan(all);
  expect(await held()).toEqual(data);
  await up();
  expect(await held()).toEqual(data);
  expect((await others()).length).toBe(all);
});
