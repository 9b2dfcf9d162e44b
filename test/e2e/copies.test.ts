import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { copiesComponent } from "@hearth-platform/hearth/copies/component";
import { planOf } from "@hearth-platform/hearth/core/component";
import { choosePorts } from "@hearth-platform/sandbox/ports";
import { ensureJudges, ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa } from "execa";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { copiesArgs } from "../components/copies/copies.ts";

/**
 * The nightly copy between two S3 servers by the real rclone, and the commands of docs/how-to/copies.md as they stand there. The
 * buckets are in the sandbox's server; the copies in gofakes3, since the sandbox's gives a former version the time at which it became one.
 */

const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/copies.md"), "utf8");
const script = join(import.meta.dirname, "../../components/copies/scripts/copy.sh");
const folder = mkdtempSync(join(tmpdir(), "hearth-copies-"));
const [files, users, copies] = ["uploads-a1b2-platform", "data-team-a1b2", "copies-a1b2"];
const plan = planOf({
  component: copiesComponent,
  args: copiesArgs({
    sources: [
      {
        name: "platform",
        endpoint: "https://fsn1.your-objectstorage.com",
        region: "fsn1",
        pathStyle: true,
        buckets: [files, users],
      },
    ],
  }),
});

let programs: { versitygw: string; gofakes3: string };
let endpoints: { store: string; copies: string; metrics: string };
let stores: { store: S3Client; copies: S3Client };
let servers: ChildProcess[];

beforeAll(async () => {
  const progress = createProgress();
  const [judge = ""] = await ensureJudges(["gofakes3"], progress);
  programs = { versitygw: (await ensurePrograms(progress)).versitygw, gofakes3: join(judge, "gofakes3") };
  const { ports } = await choosePorts({});
  const at = (port: number) => `http://127.0.0.1:${port}`;
  endpoints = { store: at(ports["object-storage"]), copies: at(ports.registry), metrics: at(ports.page) };
  stores = { store: client(endpoints.store, "fsn1"), copies: client(endpoints.copies, "eu-central-003") };
}, 300_000);

function client(endpoint: string, region: string) {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: "KEY", secretAccessKey: "SECRET" },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

beforeEach(async () => {
  rmSync(join(folder, "objects"), { recursive: true, force: true });
  mkdirSync(join(folder, "objects"));
  const { host } = new URL(endpoints.store);
  servers = [
    spawn(programs.versitygw, ["--port", host, "--region", "fsn1", "--quiet", "posix", join(folder, "objects")], {
      env: { PATH: process.env.PATH, ROOT_ACCESS_KEY_ID: "KEY", ROOT_SECRET_ACCESS_KEY: "SECRET" },
      stdio: "ignore",
    }),
    spawn(programs.gofakes3, ["-backend", "memory", "-host", new URL(endpoints.copies).host], { stdio: "ignore" }),
  ];
  await vi.waitFor(() => Promise.all([fetch(endpoints.store), fetch(endpoints.copies)]), { timeout: 30_000 });
  for (const Bucket of [files, users]) {
    await stores.store.send(new CreateBucketCommand({ Bucket }));
    for (const name of ["plan.pdf", "kept.txt", "gone.txt"]) await put(Bucket, `team/${name}`, `first ${name}`);
  }
  await stores.copies.send(new CreateBucketCommand({ Bucket: copies }));
  await follow("Set up");
});

afterEach(async () => {
  for (const server of servers) {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
});

afterAll(() => {
  stores?.store.destroy();
  stores?.copies.destroy();
  rmSync(folder, { recursive: true });
});

const put = (Bucket: string, Key: string, Body: string | Uint8Array) =>
  stores.store.send(new PutObjectCommand({ Bucket, Key, Body }));
const remove = (Bucket: string, Key: string) => stores.store.send(new DeleteObjectCommand({ Bucket, Key }));

/** A container's command as a process here: the script from the checkout, the servers' addresses, and keys that both know. */
function inContainer(kind: "CronJob" | "Deployment", changes: Record<string, string> = {}) {
  const found = plan.objects.map(({ object }) => object).find((object) => object.kind === kind);
  const template =
    kind === "CronJob" ? (found as CronJob).spec?.jobTemplate.spec?.template : (found as Deployment).spec?.template;
  const [container] = template?.spec?.containers ?? [];
  const variables = (container?.env ?? []).map(({ name, value, valueFrom }) => [
    name,
    valueFrom ? (valueFrom.secretKeyRef?.key === "AWS_ACCESS_KEY_ID" ? "KEY" : "SECRET") : value,
  ]);
  const [command = "", ...args] = (container?.command ?? []).map((part) =>
    part.replace("/hearth/copy.sh", script).replace(":8080", new URL(endpoints.metrics).host),
  );
  return execa(command, args, {
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(variables),
      RCLONE_CONFIG: "/dev/null",
      RCLONE_CONFIG_STORE_ENDPOINT: endpoints.store,
      RCLONE_CONFIG_COPIES_ENDPOINT: endpoints.copies,
      ...changes,
    },
    extendEnv: false,
    reject: false,
    all: true,
    // So that rclone ends with the shell that waits for it.
    detached: true,
  });
}

/** Copies as the Job does. */
async function copy(changes: Record<string, string> = {}) {
  const { exitCode, all } = await inContainer("CronJob", changes);
  return { exitCode, all };
}

/** The commands below a heading that are of rclone, with those that tell it of the stores before them. @param then the page's minute */
async function follow(heading: string, then = "") {
  const script = ["Tell rclone of both stores", heading].flatMap((title) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
    return [...section.matchAll(/^ *\$ ((?:export|rclone) .*)$/gm)].map(([, command = ""]) => command);
  });
  const here = script
    .join("\n")
    .replaceAll("https://fsn1.your-objectstorage.com", endpoints.store)
    .replaceAll("https://s3.eu-central-003.backblazeb2.com", endpoints.copies)
    .replaceAll("2026-11-20T12:00:00Z", then);
  const { exitCode, all } = await execa("sh", ["-ec", here], {
    env: { PATH: process.env.PATH, HOME: folder, RCLONE_CONFIG: "/dev/null" },
    extendEnv: false,
    reject: false,
    all: true,
  });
  expect(exitCode, all).toBe(0);
  return all;
}

/** What a bucket has below a folder, by the names there. */
async function contents(of: "store" | "copies", Bucket: string, Prefix = "team/") {
  const { Contents = [] } = await stores[of].send(new ListObjectsV2Command({ Bucket, Prefix }));
  const entries = await Promise.all(
    Contents.map(async ({ Key }) => {
      const { Body } = await stores[of].send(new GetObjectCommand({ Bucket, Key }));
      return [Key?.replace(Prefix, ""), await Body?.transformToString()] as const;
    }),
  );
  return Object.fromEntries(entries);
}

const copied = (bucket: string) => contents("copies", copies, `${bucket}/team/`);

/** Every version of the copies, without what is told of them. */
async function versions() {
  const { Versions = [], DeleteMarkers = [] } = await stores.copies.send(
    new ListObjectVersionsCommand({ Bucket: copies }),
  );
  return [...Versions, ...DeleteMarkers].filter(({ Key }) => !Key?.startsWith("_copies/"));
}

/** What is told of the copies. */
async function told(): Promise<Record<string, number>> {
  const text = (await contents("copies", copies, "_copies/"))["platform.txt"] ?? "";
  return Object.fromEntries(
    text.split("\n").flatMap((line: string) => {
      const [, name = "", bucket, value] = /^(\w+)\{bucket="(.*)"\} (\d+)$/.exec(line) ?? [];
      return name ? [[`${name} ${bucket}`, Number(value)]] : [];
    }),
  );
}

/** A moment after all that was copied until now, and before all that will be: S3 tells times by the second. */
async function betweenCopies(): Promise<string> {
  const last = Math.max(...(await versions()).map(({ LastModified }) => LastModified?.getTime() ?? 0));
  const moment = (Math.floor(last / 1000) + 1) * 1000;
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(moment + 1000), { timeout: 10_000, interval: 50 });
  return new Date(moment).toISOString().replace(".000Z", "Z");
}

const first = { "plan.pdf": "first plan.pdf", "kept.txt": "first kept.txt", "gone.txt": "first gone.txt" };

test("a new, a changed and a deleted file arrive, and nothing is sent twice", async () => {
  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect([await copied(files), await copied(users)]).toEqual([first, first]);
  const sent = await versions();

  // In another second than the file of the same size that it overwrites: rclone knows it by its time.
  await betweenCopies();
  await put(files, "team/plan.pdf", "FIRST plan.pdf");
  await put(files, "team/young.txt", "new");
  await remove(files, "team/gone.txt");
  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect(await copied(files)).toEqual({
    "plan.pdf": "FIRST plan.pdf",
    "kept.txt": "first kept.txt",
    "young.txt": "new",
  });
  // A version of what changed, one of what is new, and the mark of what was deleted.
  expect((await versions()).length).toBe(sent.length + 3);
});

test("says when each bucket was copied and how large it is, and serves that to Prometheus", async () => {
  await copy();
  const before = await told();
  expect(before).toMatchObject({
    [`hearth_copy_objects ${files}`]: 3,
    [`hearth_copy_size_bytes ${users}`]: Object.values(first).join("").length,
  });
  const age = Date.now() / 1000 - (before[`hearth_copy_last_success_timestamp_seconds ${files}`] ?? 0);
  expect(Math.abs(age)).toBeLessThan(600);

  const server = inContainer("Deployment");
  const answer = await vi.waitFor(() => fetch(`${endpoints.metrics}/platform.txt`), { timeout: 30_000 });
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await answer.text()).toContain(`hearth_copy_objects{bucket="${files}"} 3\n`);
  server.kill();
  await server;
});

test("an emptied bucket leaves its copy whole; the Job fails, copies the others, and the copy grows old", async () => {
  await copy();
  const before = await told();
  for (const name of Object.keys(first)) await remove(files, `team/${name}`);
  await put(users, "team/young.txt", "new");
  await betweenCopies();

  const { exitCode, all } = await copy();
  expect(exitCode).toBe(1);
  expect(all).toContain(`${files}: not copied: more than 2 of the 3 objects in the copy are gone from the bucket.`);
  expect(all).toMatch(new RegExp(`^Not copied: ${files}$`, "m"));
  expect(await copied(files)).toEqual(first);
  expect(await copied(users)).toEqual({ ...first, "young.txt": "new" });
  const after = await told();
  const time = "hearth_copy_last_success_timestamp_seconds";
  expect(after[`${time} ${files}`]).toBe(before[`${time} ${files}`]);
  expect(after[`${time} ${users}`]).toBeGreaterThan(before[`${time} ${users}`] ?? 0);
});

test("a share of many objects may go, more may not, and all where that is allowed once", async () => {
  const names = Array.from({ length: 48 }, (_, index) => `n/${index}`);
  await Promise.all(names.map((name) => put(files, name, name)));
  await copy();
  const count = async () => Object.keys(await contents("copies", copies, `${files}/n/`)).length;
  // Of 51 objects, 12 are less than 25 %.
  await Promise.all(names.slice(0, 12).map((name) => remove(files, name)));
  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect(await count()).toBe(36);
  // Of 39 objects, 11 are more than 10.
  await Promise.all(names.slice(12, 23).map((name) => remove(files, name)));
  expect(await copy()).toMatchObject({ exitCode: 1 });
  expect(await count()).toBe(36);
  expect(await copy({ MAX_DELETED_PERCENT: "100" })).toMatchObject({ exitCode: 0 });
  expect(await count()).toBe(25);
});

test("nothing is copied into a bucket without versions", async () => {
  await stores.copies.send(new CreateBucketCommand({ Bucket: "plain-bucket" }));
  const { exitCode, all } = await copy({ COPIES_BUCKET: "plain-bucket" });
  expect(exitCode).toBe(1);
  expect(all).toMatch(/bucket plain-bucket must keep former versions, and its versioning is (Unversioned|off)\./);
  expect(await contents("copies", "plain-bucket", "")).toEqual({});
});

test("a copy whose time is over says so, and deletes nothing", async () => {
  await copy();
  await remove(files, "team/gone.txt");
  const { exitCode, all } = await copy({ SECONDS_ALLOWED: "0" });
  expect(exitCode).toBe(1);
  expect(all).toContain(`${files}: not copied: the time is over. The next copy goes on.`);
  expect(await copied(files)).toEqual(first);
});

test("a copy that was interrupted goes on, and sends nothing again that had arrived", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `large/${index}`);
  await Promise.all(names.map((name) => put(files, name, new Uint8Array(256 * 1024))));
  const arrived = async () => (await versions()).map(({ Key }) => Key ?? "").filter((key) => key.includes("/large/"));

  const job = inContainer("CronJob", { BANDWIDTH: "1M" });
  await vi.waitFor(async () => expect(await arrived()).not.toEqual([]), { timeout: 60_000, interval: 20 });
  process.kill(-(job.pid ?? 0), "SIGKILL");
  await job;
  const before = await arrived();
  expect(before.length).toBeLessThan(names.length);

  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect((await arrived()).sort()).toEqual(names.map((name) => `${files}/${name}`).sort());
}, 120_000);

/** Two copies, between them a minute at which all was well; then both buckets are damaged, and the damage is copied. */
async function damaged(): Promise<string> {
  await copy();
  const then = await betweenCopies();
  for (const bucket of [files, users]) {
    await put(bucket, "team/plan.pdf", "overwritten by mistake");
    await put(bucket, "team/young.txt", "written since");
    await remove(bucket, "team/gone.txt");
  }
  expect(await copy()).toMatchObject({ exitCode: 0 });
  return then;
}

const lost = { "kept.txt": "first kept.txt", "plan.pdf": "overwritten by mistake", "young.txt": "written since" };
const whole = { ...first, "young.txt": "written since" };

test("looking shows what there was and every version, and changes nothing", async () => {
  const shown = await follow("Look", await damaged());
  expect(shown).toMatch(/gone\.txt\n/);
  expect(shown).toMatch(/plan-v\d{4}-\d\d-\d\d-/);
  expect(await contents("store", files)).toEqual(lost);
});

test("a file comes back as it was, and nothing else changes", async () => {
  await follow("Bring a file back", await damaged());
  expect(await contents("store", files)).toEqual({ ...lost, "plan.pdf": "first plan.pdf" });
});

test("a folder comes back as it was, and younger files stay", async () => {
  await follow("Bring a folder back", await damaged());
  expect(await contents("store", files)).toEqual(whole);
  expect(await contents("store", users)).toEqual(lost);
});

test("a bucket comes back as it was, also where all of it is lost, and is copied again", async () => {
  const then = await damaged();
  for (const name of Object.keys(lost)) await remove(users, `team/${name}`);
  expect(await follow("Bring a bucket back", then)).toContain("0 differences found");
  expect(await contents("store", users)).toEqual(first);
  expect(await copy()).toMatchObject({ exitCode: 0 });
  expect(await copied(users)).toEqual(first);
});
