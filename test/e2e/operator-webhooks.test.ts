import { objectId, type KubernetesObject as PlannedKubernetesObject } from "@hearth-platform/hearth/core/plan";
import { errorsOf } from "@hearth-platform/hearth/core/problems";
import type { DatabaseArgs } from "@hearth-platform/hearth/stores/database/args";
import { databaseProblems } from "@hearth-platform/hearth/stores/database/rules";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseCombinations } from "../components/stores/database/combinations.ts";
import { forgeDatabase, withBackup } from "../components/stores/database/forge-database.ts";
import { OperatorWebhooks } from "../support/operator-webhooks.ts";
import { planDatabase } from "../support/plans.ts";
import { type RenderedObject, type RenderedUpdate, renderedObjects } from "../support/rendered-objects.ts";
import { TestCluster, type Trial } from "../support/test-cluster.ts";

/**
 * The operators judge what we render: their own webhooks, in dry runs of the real API server that stores nothing. Each object of
 * both stacks, of every setting in the tables and of databases with any two options together.
 */

/** A new one each time: the one of the last run may still be ending. */
const namespace = `judged-${process.pid}`;
/** An object with the fields that the judges look at. */
type KubernetesObject = PlannedKubernetesObject & { readonly spec?: unknown };

const home: KubernetesObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
const kindsOf = {
  "postgresql.cnpg.io/v1": ["Cluster", "Pooler", "ScheduledBackup", "Database", "Backup"],
  "barmancloud.cnpg.io/v1": ["ObjectStore"],
  "cert-manager.io/v1": ["Certificate"],
  "external-secrets.io/v1": ["ExternalSecret"],
} as Readonly<Record<string, readonly string[]>>;

let cluster: TestCluster;
let webhooks: OperatorWebhooks;
let objects: RenderedObject[] = [];
let updates: readonly RenderedUpdate[] = [];
let combinations: KubernetesObject[] = [];

const isJudged = ({ apiVersion, kind }: KubernetesObject) => kindsOf[apiVersion]?.includes(kind) === true;

/** All objects lie in one namespace here, which no operator's check looks at. */
function moved(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

const tried = (object: KubernetesObject): Promise<Trial> => cluster.apply(moved(object));

beforeAll(async () => {
  cluster = new TestCluster(process.env.HEARTH_E2E_KUBECONFIG ?? "");
  await cluster.create(home);
  webhooks = await OperatorWebhooks.start(cluster, namespace);
  const rendered = renderedObjects();
  objects = rendered.objects.filter(({ object }) => isJudged(object));
  updates = rendered.updates.filter(({ now }) => isJudged(now));
  combinations = databaseCombinations().flatMap((args) =>
    planDatabase(args)
      .objects.map(({ object }) => object)
      .filter(isJudged),
  );
}, 1_200_000);

afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]();
  await cluster?.delete(home);
  await cluster?.close();
});

describe("the operators have no complaint of", () => {
  const complaints = async (all: readonly RenderedObject[]) => {
    const trials = await Promise.all(all.map(async ({ object, from }) => ({ object, from, ...(await tried(object)) })));
    return trials
      .filter(({ refusal, warnings }) => refusal !== undefined || warnings.length > 0)
      .map(({ object, from, refusal, warnings }) => `${objectId(object)} (${from}): ${refusal ?? warnings}`);
  };

  it.each(Object.values(kindsOf).flat())("any %s of the stacks and settings", async (kind) => {
    const all = objects.filter(({ object }) => object.kind === kind);
    expect(all.length).toBeGreaterThan(0);
    expect(await complaints(all)).toEqual([]);
  });

  it("any database with two options together", async () => {
    expect(combinations.filter(({ kind }) => kind === "Cluster").length).toBeGreaterThan(15);
    expect(await complaints(combinations.map((object) => ({ object, from: "combinations" })))).toEqual([]);
  });
});

it("CloudNativePG's defaults change no field that we set", async () => {
  const ours: KubernetesObject[] = [...objects.map(({ object }) => object), ...combinations];
  const stored = await Promise.all(ours.map(async (object) => (await tried(object)).stored));
  for (const [index, object] of ours.entries()) expect(stored[index]).toMatchObject({ spec: object.spec as object });
  const withDefaults = stored.filter((each) => each?.kind === "Cluster").map((each) => each?.spec as ClusterSpec);
  expect(withDefaults.every(({ postgresql }) => postgresql.parameters?.archive_timeout === "5min")).toBe(true);
});

interface ClusterSpec {
  postgresql: { parameters?: Record<string, string> };
}

/** What is said of a change of an object that is there: its name is another one then, so that several can be. */
async function changed(before: KubernetesObject, now: KubernetesObject): Promise<Trial> {
  const name = `stored-${++stored}`;
  const renamed = (object: KubernetesObject) => moved({ ...object, metadata: { ...object.metadata, name } });
  const { refusal } = await cluster.apply(renamed(before), { dryRun: false });
  if (refusal !== undefined) throw new Error(refusal);
  try {
    return await cluster.apply(renamed(now));
  } finally {
    await cluster.delete(renamed(before));
  }
}

let stored = 0;

it("CloudNativePG takes every change of the setting tables that the engine makes in place", async () => {
  const inPlace = updates.filter(({ before, now }) => now.kind !== "Pooler" || clusterOf(before) === clusterOf(now));
  expect(new Set(inPlace.map(({ now }) => now.kind))).toEqual(
    new Set(["Cluster", "Pooler", "ScheduledBackup", "ObjectStore", "Certificate", "ExternalSecret"]),
  );
  const trials = await Promise.all(
    inPlace.map(async ({ before, now, by }) => ({ by, now: objectId(now), ...(await changed(before, now)) })),
  );
  const complaints = trials.filter(({ refusal, warnings }) => refusal !== undefined || warnings.length > 0);
  expect(complaints.map(({ by, now, refusal, warnings }) => `${by}: ${now}: ${refusal ?? warnings}`)).toEqual([]);
});

const clusterOf = ({ spec }: KubernetesObject) => (spec as { cluster: { name: string } }).cluster.name;

/** The object of the forge's database, changed. */
function objectOf(kind: string, changes: Partial<DatabaseArgs> = {}): KubernetesObject {
  const found = planDatabase({ ...forgeDatabase, ...changes }).objects.find(({ object }) => object.kind === kind);
  if (!found) throw new Error(`The plan has no ${kind}.`);
  return found.object;
}

describe("what our rules refuse, the operator refuses too:", () => {
  it.each<[string, Partial<DatabaseArgs>, string, RegExp]>([
    ["a size with a suffix of bytes", { storageSize: "10Gib" }, "Cluster", /quantit|storage/i],
    ["a name in capitals", { name: "Forge-DB" }, "Cluster", /lowercase RFC 1123|Invalid value/],
    ["a retention in words", withBackup({ retention: "30 days" }), "ObjectStore", /retentionPolicy/],
    [
      "a database of PostgreSQL's own",
      { extensions: [], databases: [{ name: "postgres" }], clients: [] },
      "Database",
      /reserved/,
    ],
  ])("%s", async (_, changes, kind, words) => {
    expect(errorsOf(databaseProblems({ ...forgeDatabase, ...changes }))).not.toEqual([]);
    expect((await tried(objectOf(kind, changes))).refusal).toMatch(words);
  });
});

describe("the operator", () => {
  it("only warns of a schedule of five fields, which our rules refuse", async () => {
    const backup = withBackup({ schedule: "0 3 * * *" });
    expect(errorsOf(databaseProblems({ ...forgeDatabase, ...backup }))).not.toEqual([]);
    const { refusal, warnings } = await tried(objectOf("ScheduledBackup", backup));
    expect(refusal).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("six arguments")]);
  });

  it.each([
    ["12", false],
    ["13", true],
    ["16", true],
  ])("judges PostgreSQL %s as we do: accepts it is %s", async (version, accepted) => {
    const { refusal } = await tried(objectOf("Cluster", { version }));
    if (accepted) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(/version|unsupported/i);
  });

  it.each<[string, string, object, RegExp]>([
    [
      "shared buffers above the request",
      "Cluster",
      { postgresql: { parameters: { shared_buffers: "4GB" } } },
      /shared_buffers/,
    ],
    [
      "a parameter it manages",
      "Cluster",
      { postgresql: { parameters: { port: "5433" } } },
      /fixed configuration parameter/,
    ],
    [
      "more synchronous standbys than there are",
      "Cluster",
      { minSyncReplicas: 2, maxSyncReplicas: 1 },
      /minSyncReplicas/,
    ],
    [
      "a pooler's unknown parameter",
      "Pooler",
      { pgbouncer: { poolMode: "session", parameters: { max_clients: "5" } } },
      /max_clients/,
    ],
    ["a pooler's unknown field", "Pooler", { pool: "session" }, /field not declared in schema/],
  ])("refuses %s, which no setting of ours comes to", async (_, kind, fields, words) => {
    const object = objectOf(kind);
    expect((await tried({ ...object, spec: { ...(object.spec as object), ...fields } })).refusal).toMatch(words);
  });

  it.each<[string, Partial<DatabaseArgs>, Partial<DatabaseArgs>, RegExp | undefined]>([
    ["a smaller volume", {}, { storageSize: "10Gi" }, /shrink/i],
    ["an older major: only our own rule does", {}, { version: "15" }, undefined],
  ])("as an update refuses %s", async (_, before, now, words) => {
    const { refusal } = await changed(objectOf("Cluster", before), objectOf("Cluster", now));
    if (words) expect(refusal).toMatch(words);
    else expect(refusal).toBeUndefined();
  });

  it("refuses another cluster for a pooler, which our plan therefore replaces", async () => {
    const recovered = objectOf("Pooler", { recover: { suffix: "r1" } });
    expect((await changed(objectOf("Pooler"), recovered)).refusal).toMatch(/cluster/i);
  });
});

describe("their webhooks are asked:", () => {
  const certificate = () => objects.find(({ object }) => object.kind === "Certificate")?.object as KubernetesObject;
  const secret = () => objects.find(({ object }) => object.kind === "ExternalSecret")?.object as KubernetesObject;

  it.each<[string, () => KubernetesObject, object, RegExp]>([
    ["cert-manager's refuses a certificate for no name", certificate, { dnsNames: [] }, /at least one of/i],
    ["cert-manager's refuses a lifetime under an hour", certificate, { duration: "10m0s" }, /duration/],
    ["External Secrets' refuses a Secret of nothing", secret, { data: [], dataFrom: [] }, /data or dataFrom/],
    [
      "External Secrets' refuses to delete what it does not own",
      secret,
      { target: { deletionPolicy: "Delete", creationPolicy: "Merge" } },
      /deletionPolicy=Delete must not be used/,
    ],
  ])("%s", async (_, object, fields, words) => {
    const changed = { ...object(), spec: { ...(object().spec as object), ...fields } };
    expect((await tried(changed)).refusal).toMatch(words);
  });
});
