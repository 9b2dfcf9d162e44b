import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { choosePorts } from "@hearth-platform/sandbox/ports";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

/**
 * The commands of docs/how-to/former-versions.md, as they stand there, by the real rclone. The server is gofakes3: the
 * sandbox's gives a former version the time at which it became one.
 */

const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/former-versions.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-versions-"));
const [files, users] = ["uploads-a1b2-platform", "data-team-a1b2"];
let server: ChildProcess;
let endpoint: string;
let s3: S3Client;
/** The minute at which all was well: after the first objects, before they are lost. */
let then: string;

let program: string;

beforeAll(async () => {
  const [judge = ""] = await ensureJudges(["gofakes3"], createProgress());
  program = join(judge, "gofakes3");
  const { ports } = await choosePorts({});
  endpoint = `http://127.0.0.1:${ports["object-storage"]}`;
  s3 = new S3Client({
    endpoint,
    region: "fsn1",
    forcePathStyle: true,
    credentials: { accessKeyId: "KEY", secretAccessKey: "SECRET" },
    // The server keeps the checksum of what an object was copied over.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}, 300_000);

// A server for each test: this one lists the versions of an object from the oldest on, which only matters where more than one is old enough.
beforeEach(async () => {
  server = spawn(program, ["-backend", "memory", "-host", new URL(endpoint).host], { stdio: "ignore" });
  await vi.waitFor(() => fetch(endpoint), { timeout: 30_000 });
  for (const Bucket of [files, users]) {
    await s3.send(new CreateBucketCommand({ Bucket }));
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
    for (const name of ["plan.pdf", "kept.txt", "gone.txt"]) await put(Bucket, `team/${name}`, `first ${name}`);
  }
  then = await afterAllVersions();
  for (const Bucket of [files, users]) {
    await put(Bucket, "team/plan.pdf", "overwritten by mistake");
    await put(Bucket, "team/young.txt", "written since");
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "team/gone.txt" }));
  }
});

afterEach(async () => {
  server.kill();
  await once(server, "exit");
});

afterAll(() => {
  s3?.destroy();
  rmSync(folder, { recursive: true });
});

const put = (Bucket: string, Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body }));

/** A second after which the store's clock has moved on: S3 tells times by the second. */
async function afterAllVersions(): Promise<string> {
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: users }));
  const last = Math.max(...Versions.map(({ LastModified }) => LastModified?.getTime() ?? 0));
  const moment = (Math.floor(last / 1000) + 1) * 1000;
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(moment + 1000), { timeout: 10_000, interval: 50 });
  return new Date(moment).toISOString().replace(".000Z", "Z");
}

/** The commands below a heading, with those that tell rclone of the store before them. */
async function follow(heading: string) {
  const script = ["Before you begin", heading].flatMap((title) => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
    return [...section.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  });
  const here = script.join("\n").replaceAll("https://fsn1.your-objectstorage.com", endpoint);
  const { exitCode, all } = await execa("sh", ["-ec", here.replaceAll("2026-11-20T08:30:00Z", then)], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    extendEnv: false,
    reject: false,
    all: true,
  });
  expect(exitCode, all).toBe(0);
  return all;
}

async function contents(Bucket: string): Promise<Record<string, string | undefined>> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  const entries = await Promise.all(
    Contents.map(async ({ Key }) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      return [Key?.replace("team/", ""), await Body?.transformToString()] as const;
    }),
  );
  return Object.fromEntries(entries);
}

const lost = { "kept.txt": "first kept.txt", "plan.pdf": "overwritten by mistake", "young.txt": "written since" };
const whole = { ...lost, "plan.pdf": "first plan.pdf", "gone.txt": "first gone.txt" };

test("looking shows what there was and every version, and changes nothing", async () => {
  const shown = await follow("Look");
  expect(shown).toMatch(/gone\.txt\n/);
  expect(shown).toMatch(/plan-v\d{4}-\d\d-\d\d-/);
  expect(await contents(files)).toEqual(lost);
});

test("a file comes back as it was, and nothing else changes", async () => {
  await follow("Bring a file back");
  expect(await contents(files)).toEqual({ ...lost, "plan.pdf": "first plan.pdf" });
});

test("a folder comes back as it was, and younger files stay", async () => {
  await follow("Bring a folder back");
  expect(await contents(files)).toEqual(whole);
  expect(await contents(users)).toEqual(lost);
});

test("a bucket comes back as it was; what was overwritten on the way is a former version", async () => {
  expect(await follow("Bring a bucket back")).toContain("0 differences found");
  expect(await contents(users)).toEqual(whole);
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: users, Prefix: "team/plan.pdf" }));
  const sizes = new Set(Versions.map(({ Size }) => Size));
  expect(sizes).toContain("overwritten by mistake".length);
});

test("brought back twice is the same as once", async () => {
  await follow("Bring a folder back");
  await follow("Bring a folder back");
  expect(await contents(files)).toEqual(whole);
});
