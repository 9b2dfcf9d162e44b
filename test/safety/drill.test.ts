import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { planOf } from "@hearth-platform/hearth/core/component";
import { DrillApplication, type DrillArgs } from "@hearth-platform/hearth/drill/args";
import { runningCluster } from "@hearth-platform/hearth/drill/cluster";
import { drillComponent } from "@hearth-platform/hearth/drill/component";
import type { DrillResult } from "@hearth-platform/hearth/drill/scripts/findings";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Archive, archiveLog, archivingServer, fillArchive } from "../support/archived-database.ts";
import type { PostgresServer } from "../support/database-servers.ts";
import { DrillPod, type DrillRun, RecoveringApi } from "../support/drill-pod.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import { sandbox } from "../support/stack.ts";

/**
 * A drill as it is rendered, step by step with the real programs: rclone, Node.js, psql, against a real PostgreSQL, an archive that
 * barman-cloud wrote, an S3 server and an API server that knows the account's rights. The operator is not there: what it does with
 * the drill's cluster, a real PostgreSQL and barman-cloud do.
 */

const namespace = "drilled";
const [backups, objects] = ["backups-drilled", "objects-drilled"];
const database = "all-db";
const keys = "store-keys";
const repositories = mkdtempSync(join(tmpdir(), "hearth-repositories-"));
const clusterKind = { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" };
const podKind = { apiVersion: "v1", kind: "Pod" };

/** As much of each application's tables as the drill reads, in the types that they have there. */
const schema = {
  forge: [
    "CREATE TABLE project_repositories (id bigserial, shard_id bigint, disk_path text, project_id bigint)",
    "CREATE TABLE events (id bigserial, created_at timestamptz)",
  ],
  hub: [
    "CREATE TABLE blob (id serial, digest varchar(255), content_type varchar(1024), size bigint, status varchar(255) DEFAULT 'none')",
    "CREATE TABLE artifact (id serial, push_time timestamp DEFAULT CURRENT_TIMESTAMP)",
  ],
  cloudsuite: [
    "CREATE TABLE oc_storages (numeric_id bigserial, id varchar(64))",
    "CREATE TABLE oc_mimetypes (id bigserial, mimetype varchar(255))",
    "CREATE TABLE oc_filecache (fileid bigserial, storage bigint, mimetype bigint, size bigint, encrypted int DEFAULT 0)",
    "CREATE TABLE oc_filecache_extended (fileid bigint, upload_time bigint)",
    "INSERT INTO oc_storages (id) VALUES ('object::user:alice'), ('home::bob')",
    "INSERT INTO oc_mimetypes (mimetype) VALUES ('httpd/unix-directory'), ('text/plain')",
  ],
};

const [layer, foreign] = ["a".repeat(64), "b".repeat(64)];
const rows = {
  forge: [
    "INSERT INTO project_repositories (disk_path, project_id) VALUES ('@hashed/6b/86/one', 1), ('@hashed/d4/73/two', 2)",
    "INSERT INTO events (created_at) VALUES (now() - interval '3 days'), (now() - interval '1 day')",
  ],
  hub: [
    `INSERT INTO blob (digest, content_type, size) VALUES ('sha256:${layer}', 'application/vnd.oci.image.layer.v1.tar+gzip', 5)`,
    `INSERT INTO blob (digest, content_type, size) VALUES ('sha256:${foreign}', 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip', 7)`,
    "INSERT INTO artifact (push_time) VALUES (now() - interval '2 days')",
  ],
  cloudsuite: [
    // A folder, a file elsewhere, one that is encrypted and two that are not.
    "INSERT INTO oc_filecache (storage, mimetype, size, encrypted) VALUES (1, 1, 9, 0), (2, 2, 9, 0), (1, 2, 3, 1), (1, 2, 4, 0), (1, 2, 0, 0)",
    "INSERT INTO oc_filecache_extended VALUES (4, extract(epoch FROM now() - interval '2 hours')::bigint)",
  ],
};
const blob = `docker/registry/v2/blobs/sha256/aa/${layer}/data`;
const files = { "urn:oid:3": "a longer object", "urn:oid:4": "four", "urn:oid:5": "", [blob]: "layer" };

const owned = (statements: readonly string[]) =>
  [...statements, "GRANT ALL ON ALL TABLES IN SCHEMA public TO app"].join(";");

let s3: S3Client;
let client: KubeClient;
let archive: Archive;
let running: PostgresServer;
let api: RecoveringApi;
let rendered: KubernetesObject[];
let token: string;
let secrets: Record<string, string>;
let pods = 0;
/** Of the newest segment, which the last rows are in. */
let segment: string;
/** Before the last rows. */
let earlier: string;

beforeAll(async () => {
  const opened = await openSandbox();
  const environment = sandboxEnvironment(opened);
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "", AWS_REGION = "" } = environment;
  s3 = await sandboxObjectStore();
  client = KubeClient.fromKubeconfig(opened.paths.kubeconfig);
  for (const Bucket of [backups, objects]) await s3.send(new CreateBucketCommand({ Bucket }));
  for (const [Key, Body] of Object.entries(files)) await s3.send(new PutObjectCommand({ Bucket: objects, Key, Body }));
  for (const path of ["@hashed/6b/86/one", "@hashed/d4/73/two"]) {
    mkdirSync(join(repositories, `${path}.git`), { recursive: true });
    writeFileSync(join(repositories, `${path}.git/HEAD`), "ref: refs/heads/main\n");
  }
  const args = drillArgs(environment.AWS_ENDPOINT_URL_S3 ?? "", AWS_REGION);
  rendered = planOf({ component: drillComponent, args }).objects.map(
    ({ object }) => object as unknown as KubernetesObject,
  );
  secrets = {
    [`${keys}/AWS_ACCESS_KEY_ID`]: AWS_ACCESS_KEY_ID,
    [`${keys}/AWS_SECRET_ACCESS_KEY`]: AWS_SECRET_ACCESS_KEY,
    [`${database}-app/password`]: "not asked for",
  };
  archive = {
    endpoint: args.objectStore.endpoint,
    destination: `s3://${backups}/`,
    server: database,
    keys: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION: AWS_REGION },
  };
  await fill();
  await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, "test");
  await client.apply(runningCluster(args.database) as unknown as KubernetesObject, "test");
  for (const object of rendered) await client.apply(object, "test");
  ({ stdout: token } = await sandbox(
    "kubectl",
    "create",
    "token",
    `${database}-drill-job`,
    "-n",
    namespace,
    "--duration=2h",
  ));
  api = new RecoveringApi(opened.paths.kubeconfig, running, archive);
  await api.start();
}, 300_000);

afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await running?.[Symbol.asyncDispose]();
  rmSync(repositories, { recursive: true });
  await client.delete({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
}, 60_000);

function drillArgs(endpoint: string, region: string): DrillArgs {
  const platform = { profile: "development" as const };
  const checks = Object.values(DrillApplication).map((application) => ({
    application,
    ...(application !== "forge" && { bucket: objects }),
  }));
  return {
    namespace,
    database: {
      name: database,
      namespace,
      version: "16",
      database: "forge",
      clients: [],
      backup: { endpoint, region, bucket: backups, credentials: keys },
      platform,
    },
    objectStore: { endpoint, region, pathStyle: true, credentials: keys },
    checks,
    deadlineMinutes: 15,
    platform,
  };
}

/** The running database: its tables and first rows are in the base backup, the others in the log. */
async function fill(): Promise<void> {
  const names = Object.values(DrillApplication);
  const before = names.map((name) => [name, owned(schema[name])] as const);
  running = await archivingServer(archive, { roles: "CREATE ROLE app LOGIN", ...Object.fromEntries(before) });
  for (const name of names) await running.ask(rows[name].join(";"), name);
  await archiveLog(running);
  earlier = new Date().toISOString();
  await running.ask("SELECT pg_sleep(1.1)");
  await running.ask("INSERT INTO events (created_at) VALUES (now())", "forge");
  segment = await archiveLog(running);
}

async function newPod(): Promise<DrillRun["pod"]> {
  pods += 1;
  const cronJob = rendered.find(({ kind }) => kind === "CronJob") as CronJob | undefined;
  const template = cronJob?.spec?.jobTemplate.spec?.template;
  const name = `${database}-drill-${pods}`;
  const made = await client.apply<KubernetesObject>(
    {
      ...podKind,
      metadata: { name, namespace, labels: template?.metadata?.labels },
      spec: template?.spec,
    } as KubernetesObject,
    "test",
  );
  return { name, uid: made.metadata.uid ?? "" };
}

/** A whole drill. */
async function drill(run: Partial<DrillRun> = {}) {
  const around = { objects: rendered, api, token, running, repositories };
  await using pod = await DrillPod.of(around, { pod: await newPod(), secrets, ...run });
  const { exitCode, output } = await pod.run();
  const result = await client.get<KubernetesObject & { data: Record<string, string> }>(
    { apiVersion: "v1", kind: "ConfigMap" },
    `${database}-drill-result`,
    namespace,
  );
  expect(await leftovers(), output).toEqual([]);
  return {
    exitCode,
    output,
    line: result?.data.line,
    ...(JSON.parse(result?.data["result.json"] ?? "{}") as DrillResult),
  };
}

/** What drills have made and not removed. */
async function leftovers(): Promise<string[]> {
  const clusters = await client.list<KubernetesObject>(clusterKind, namespace);
  const claims = await client.list<KubernetesObject>({ apiVersion: "v1", kind: "PersistentVolumeClaim" }, namespace);
  return [...clusters.items, ...claims.items]
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.includes("-drill"));
}

/** Objects of a bucket below a prefix, with their content. */
async function stored(Bucket: string, Prefix: string): Promise<Map<string, Uint8Array>> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  const read = async ({ Key = "" }) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return [Key, (await Body?.transformToByteArray()) ?? new Uint8Array()] as const;
  };
  return new Map(await Promise.all(Contents.map(read)));
}

/** Runs `work` while the objects below a prefix are others. @param others undefined: it is deleted */
async function whileStored<T>(
  bucket: string,
  prefix: string,
  others: (key: string, content: Uint8Array) => Uint8Array | string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const all = await stored(bucket, prefix);
  expect(all.size).toBeGreaterThan(0);
  for (const [Key, content] of all) {
    const Body = others(Key, content);
    await s3.send(
      Body === undefined
        ? new DeleteObjectCommand({ Bucket: bucket, Key })
        : new PutObjectCommand({ Bucket: bucket, Key, Body }),
    );
  }
  try {
    return await work();
  } finally {
    for (const [Key, Body] of all) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
  }
}

test("a good archive passes with its tables, rows, newest row and files", async () => {
  const { exitCode, output, line, good, problems, databases, backup } = await drill();
  expect([problems, good, exitCode], output).toEqual([[], true, 0]);
  expect(databases).toEqual({
    forge: expect.objectContaining({ tables: 2, rows: 5, sampled: 2, found: 2 }),
    hub: expect.objectContaining({ tables: 2, rows: 3, sampled: 1, found: 1 }),
    cloudsuite: expect.objectContaining({ tables: 4, rows: 10, sampled: 3, found: 3 }),
  });
  expect(databases.forge?.newestAge).toBeGreaterThanOrEqual(0);
  expect(databases.forge?.newestAge).toBeLessThan(900);
  expect(databases.cloudsuite?.newestAge).toBeGreaterThanOrEqual(7200);
  expect(line).toMatch(
    new RegExp(`^all-db: good, to \\S+Z from base backup ${backup}, in \\d+ s: forge 2 tables, 5 rows,`),
  );
}, 120_000);

test("an earlier time is recovered to: what came later is not there", async () => {
  const { good, databases, target, output } = await drill({ env: { TARGET_TIME: earlier } });
  expect(good, output).toBe(true);
  expect(databases.forge?.rows).toBe(4);
  expect(target).toBe(earlier.replace(/\.\d+Z$/, "Z"));
}, 120_000);

/** Tells a fault with an exit status by which it is not tried again. */
async function expectFault(result: Promise<Awaited<ReturnType<typeof drill>>>, told: RegExp) {
  const { exitCode, good, problems, line, output } = await result;
  expect([good, exitCode], output).toEqual([false, 3]);
  expect(problems.join("\n")).toMatch(told);
  expect(line).toMatch(/^all-db: FAILED, /);
}

test("a segment of the log that is missing is named, before a recovery passes over it", async () => {
  const folder = `${database}/wals/`;
  const missing = (key: string, content: Uint8Array) => (key.includes(before(segment)) ? undefined : content);
  await expectFault(
    whileStored(backups, folder, missing, () => drill()),
    new RegExp(`^Segment ${before(segment)} of the write-ahead log is missing\\.$`),
  );
}, 120_000);

/** The segment before one. */
function before(name: string): string {
  const number = (Number.parseInt(name.slice(-8), 16) - 1).toString(16).toUpperCase();
  return name.slice(0, -8) + number.padStart(8, "0");
}

test("the end of the log that was never archived is told by the newest row", async () => {
  const event = await running.ask(
    "INSERT INTO events (created_at) VALUES (now() - interval '1 hour') RETURNING id",
    "forge",
  );
  await archiveLog(running);
  const lost = (key: string, content: Uint8Array) =>
    (/[0-9A-F]{24}/.exec(key)?.[0] ?? "") >= segment ? undefined : content;
  await expectFault(
    whileStored(backups, `${database}/wals/`, lost, () => drill()),
    /^Database forge: rows are missing\. The newest that came back is of \S+Z, the running database has one of \S+Z\.$/,
  );
  await running.ask(`DELETE FROM events WHERE id = ${event}`, "forge");
}, 120_000);

test("a base backup that ends too early is named, after the recovery failed", async () => {
  const truncated = (key: string, content: Uint8Array) =>
    key.endsWith(".tar.gz") ? content.subarray(0, content.length / 2) : content;
  await expectFault(
    whileStored(backups, `${database}/base/`, truncated, () => drill()),
    /^Base backup \d{8}T\d{6} is damaged: data\.tar\.gz can't be unpacked to its end\.\nThe recovery failed 3 times\./,
  );
}, 120_000);

test("a key that the object store refuses is told", async () => {
  await expectFault(
    drill({ secrets: { ...secrets, [`${keys}/AWS_SECRET_ACCESS_KEY`]: "another" } }),
    /^The object store refuses the key: /,
  );
}, 120_000);

test("objects that are missing or of another size are named, and so are repositories", async () => {
  const faulty = (key: string, content: Uint8Array) =>
    key === "urn:oid:4" ? undefined : key === blob ? "other layer" : content;
  rmSync(join(repositories, "@hashed/d4/73/two.git/HEAD"));
  await expectFault(
    whileStored(objects, "", faulty, () => drill()),
    new RegExp(
      [
        "^Database forge: 1 of 2 sampled repositories are missing: @hashed/d4/73/two\\.",
        `Database hub: 1 of 1 sampled blobs have another size than their row says: ${blob}\\.`,
        "Database cloudsuite: 1 of 3 sampled files are missing: urn:oid:4\\.$",
      ].join("\n"),
    ),
  );
  writeFileSync(join(repositories, "@hashed/d4/73/two.git/HEAD"), "ref: refs/heads/main\n");
}, 120_000);

test("rows that were changed or deleted since are no witnesses", async () => {
  await running.ask("DELETE FROM oc_filecache WHERE fileid = 4", "cloudsuite");
  const gone = (key: string, content: Uint8Array) => (key === "urn:oid:4" ? undefined : content);
  const { good, databases, output } = await whileStored(objects, "urn", gone, () =>
    drill({ env: { TARGET_TIME: earlier } }),
  );
  expect(good, output).toBe(true);
  expect(databases.cloudsuite).toMatchObject({ sampled: 2, found: 2 });
}, 120_000);

test("a bucket that is empty is told", async () => {
  await expectFault(
    whileStored(
      backups,
      `${database}/`,
      () => undefined,
      () => drill(),
    ),
    /^The archive is empty: /,
  );
}, 120_000);

test("another cluster's archive is told", async () => {
  const other = { ...archive, server: "other-db" };
  await fillArchive(other, { forge: "SELECT 1" }, {});
  const others = await stored(backups, "other-db/");
  const replaced = whileStored(
    backups,
    `${database}/`,
    () => undefined,
    async () => {
      for (const [key, Body] of others)
        await s3.send(new PutObjectCommand({ Bucket: backups, Key: key.replace("other-db", database), Body }));
      try {
        return await drill();
      } finally {
        for (const key of others.keys())
          await s3.send(new DeleteObjectCommand({ Bucket: backups, Key: key.replace("other-db", database) }));
      }
    },
  );
  await expectFault(
    replaced,
    /^The archive is another cluster's: its system identifier is \d+, the running database's \d+\.$/,
  );
}, 120_000);

/** A drill that was killed while it waited for its cluster. */
async function killed(pod: DrillRun["pod"]): Promise<void> {
  api.idle = true;
  await using run = await DrillPod.of({ objects: rendered, api, token, running, repositories }, { pod, secrets });
  await run.run("archive");
  const recovering = run.start("recover");
  await vi.waitFor(async () => expect(await leftovers()).toContain(`${database}-drill`), { timeout: 30_000 });
  recovering.kill("SIGKILL");
  await recovering;
  api.idle = false;
}

test("a drill that was killed leaves what goes with its pod; while that is there no other begins", async () => {
  const pod = await newPod();
  await killed(pod);
  const around = { objects: rendered, api, token, running, repositories };
  await using second = await DrillPod.of(around, { pod: await newPod(), secrets });
  const { output } = await second.run();
  expect(output).toContain(`Another drill of this database is running, in pod ${pod.name}.`);
  expect(await leftovers()).toContain(`${database}-drill`);
  await client.delete({ ...podKind, metadata: { name: pod.name, namespace } });
  await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { timeout: 60_000, interval: 500 });
}, 180_000);

test("the next drill removes what a killed one left whose pod has ended", async () => {
  const pod = await newPod();
  await killed(pod);
  await client.apply(
    { ...podKind, metadata: { name: pod.name, namespace }, status: { phase: "Failed" } },
    "test",
    "status",
  );
  const { good, output } = await drill();
  expect(good, output).toBe(true);
}, 180_000);
