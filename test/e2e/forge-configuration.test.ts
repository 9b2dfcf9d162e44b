import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import { backupEnvironment, repositoriesFolder, secretsPath } from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { mountedValue, mountPod, renderPods, secretValue } from "../components/forge/configuration/pod.ts";
import { completeConfiguration } from "../components/forge/forge.ts";
import { freePort } from "../support/free-ports.ts";

/** What real programs make of the forge's configuration files. */

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-forge-"));
});
// The files have the object store's key in them.
afterAll(() => rmSync(folder, { recursive: true }));

test("Go's templates put the mounted secrets into the proxy's and the git store's files", () => {
  const programs = ["proxy", "gitstore", "pages"] as const;
  const paths = programs.map((program) => {
    mountPod(join(folder, program), program, completeConfiguration);
    const [[, content] = ["", ""]] = Object.entries(podConfiguration(program, completeConfiguration));
    const path = join(folder, program, "template");
    writeFileSync(
      path,
      content.replaceAll(`"${secretsPath(program)}/`, `"${join(folder, program)}${secretsPath(program)}/`),
    );
    return path;
  });
  const output = execFileSync("go", ["run", join(import.meta.dirname, "../support/gomplate.go"), ...paths], {
    encoding: "utf8",
  });
  const [proxy = "", gitstore = "", pages = ""] = paths.map((path) => JSON.parse(output)[path]);
  expect(parse(proxy)).toMatchObject({
    redis: { DB: 1, Password: secretValue("keystorePassword") },
    object_storage: {
      s3: {
        aws_access_key_id: mountedValue("objectStoreKeyId"),
        aws_secret_access_key: mountedValue("objectStoreKey"),
      },
    },
  });
  const { objectStore, buckets } = completeConfiguration;
  expect(parse(gitstore)).toMatchObject({
    auth: { token: secretValue("gitstoreToken") },
    backup: { go_cloud_url: expect.stringContaining(`s3://${buckets.backups}?region=${objectStore.region}&`) },
  });
  expect(pages).toBe(podConfiguration("pages", completeConfiguration)["config.tpl"]);
});

describe("a keystore with a password of all kinds of characters", () => {
  const socket = () => join(folder, "keystore");
  const password = secretValue("keystorePassword");
  let server: ReturnType<typeof execa>;
  let port: number;

  beforeAll(async () => {
    const configuration = join(folder, "keystore.conf");
    writeFileSync(
      configuration,
      `requirepass ${JSON.stringify(password)}\nbind 127.0.0.1\nunixsocket ${socket()}\nsave ""\n`,
    );
    port = await freePort();
    server = execa("redis-server", [configuration, "--port", String(port)], { reject: false });
    const ping = () => execa("redis-cli", ["-s", socket(), "ping"], { env: { REDISCLI_AUTH: password } });
    await vi.waitFor(async () => expect((await ping()).stdout).toBe("PONG"), { timeout: 10_000 });
  });

  afterAll(async () => {
    server.kill();
    await server;
  });

  test("lets in who uses a file's URL, to the database that it names", async () => {
    const keystore = { ...completeConfiguration.keystore, host: "127.0.0.1", port };
    const [pod = {}] = renderPods([["jobs", { ...completeConfiguration, keystore }]]);
    for (const [file, database] of [
      ["resque.yml", 1],
      ["redis.queues.yml", 1],
      ["redis.cache.yml", 0],
      ["cable.yml", 1],
    ] as const) {
      const url = new URL(pod[file]?.data.production.url);
      const at = ["-h", url.hostname, "-p", url.port, "-n", url.pathname.slice(1)];
      const env = { REDISCLI_AUTH: decodeURIComponent(url.password) };
      const { stdout } = await execa("redis-cli", [...at, "client", "info"], { env });
      expect(stdout, file).toContain(` db=${database} `);
    }
  });
});

describe("the backup on a real S3 server", () => {
  const buckets = forgeBuckets("e2e", "forge-configuration");
  const environment: Record<string, string> = {
    BACKUP_BUCKET_NAME: buckets.backups,
    TMP_BUCKET_NAME: buckets.temporary,
    ARTIFACTS_BUCKET_NAME: buckets.objects.artifacts,
    [backupEnvironment.keep]: "3",
    [backupEnvironment.repositories]: "archive",
    [backupEnvironment.objects]: "true",
    [backupEnvironment.folder]: repositoriesFolder,
  };
  let s3: S3Client;

  beforeAll(async () => {
    const sandbox = sandboxEnvironment(await openSandbox());
    const { AWS_ENDPOINT_URL_S3: endpoint = "", AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = sandbox;
    const region = "fsn1";
    s3 = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    });
    for (const Bucket of [buckets.backups, buckets.temporary, buckets.objects.artifacts])
      await s3.send(new CreateBucketCommand({ Bucket }));

    const objectStore = { ...completeConfiguration.objectStore, endpoint, region };
    const [pod = {}] = renderPods([["toolbox", { ...completeConfiguration, objectStore }]]);
    for (const name of ["bin", "home", "config", "tmp"]) mkdirSync(join(folder, name));
    const settings = pod.s3cfg?.text
      .replace(mountedValue("objectStoreKeyId"), AWS_ACCESS_KEY_ID)
      .replace(mountedValue("objectStoreKey"), AWS_SECRET_ACCESS_KEY);
    writeFileSync(join(folder, "config/s3cfg"), settings ?? "");
    writeFileSync(join(folder, "secrets.yml"), "production: {}\n");
    writeFileSync(join(folder, "VERSION"), "18.9.1-ee\n");
    tool("");
  });

  /** The toolbox's tool in our place: says how it was called, then does `body`. */
  function tool(body: string): void {
    const path = join(folder, "bin/backup-utility");
    writeFileSync(path, `#!/bin/sh\nset -e\necho "$*"\n${body}\n`);
    chmodSync(path, 0o755);
  }

  function backup(more: Record<string, string> = {}) {
    return spawnSync("sh", [join(import.meta.dirname, "../../components/forge/scripts/backup.sh")], {
      encoding: "utf8",
      env: {
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        HOME: join(folder, "home"),
        CONFIG_DIRECTORY: join(folder, "config"),
        RAILS: folder,
        RAILS_SECRETS: join(folder, "secrets.yml"),
        ...environment,
        ...more,
      },
    });
  }

  async function saved(): Promise<string[]> {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: buckets.backups }));
    return Contents.map(({ Key = "" }) => Key);
  }

  test("saves the keys once, with s3cmd by the rendered settings, then makes the archive", async () => {
    const first = backup();
    expect(first.stderr).toBe("");
    expect(first.stdout).toContain("--skip registry --maximum-backups 3\n");
    const [key = "", ...others] = await saved();
    expect(key).toMatch(/^secrets\/[0-9a-f]{16}\.yml$/);
    expect(others).toEqual([]);
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: buckets.backups, Key: key }));
    expect(await Body?.transformToString()).toBe(readFileSync(join(folder, "secrets.yml"), "utf8"));
    expect(backup().stdout).toBe("--skip registry --maximum-backups 3\n");
    expect(await saved()).toEqual([key]);
  });

  test("deletes the git store's copies that are older than all archives, of either layout, and no other", async () => {
    const [gone, kept] = ["1766966400_2025_12_29_18.9.1-ee", "1767139200_2025_12_31_18.9.1-ee"] as const;
    const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket: buckets.backups, Key, Body: "x" }));
    const copies = (id: string) => [
      `repositories/@hashed/ab/cd/abcd/${id}/001.refs`,
      `repositories/default/@hashed/ab/cd/abcd.git/${id}/001.bundle`,
      `repositories/manifests/default/@hashed/ab/cd/abcd.git/${id}.toml`,
    ];
    const latest = "repositories/manifests/default/@hashed/ab/cd/abcd.git/+latest.toml";
    for (const key of [...copies(gone), ...copies(kept), latest, `${kept}_gitlab_backup.tar`]) await put(key);
    const before = await saved();
    tool(`for key in repositories/manifests/default/new.git/$BACKUP.toml "\${BACKUP}_gitlab_backup.tar"; do
      s3cmd put "${join(folder, "VERSION")}" "s3://$BACKUP_BUCKET_NAME/$key" >/dev/null
    done`);
    const { status, stdout, stderr } = backup({ [backupEnvironment.repositories]: "bucket" });
    expect(status, stderr).toBe(0);
    const [, now = ""] = /saved 1 repositories as (\d{10}_\d{4}_\d\d_\d\d_18\.9\.1-ee)\.\n/.exec(stdout) ?? [];
    const made = [`${now}_gitlab_backup.tar`, `repositories/manifests/default/new.git/${now}.toml`];
    expect(await saved()).toEqual([...before.filter((key) => !copies(gone).includes(key)), ...made].sort());
  });

  test("refuses where a bucket is missing", () => {
    const { status, stdout, stderr } = backup({ LFS_BUCKET_NAME: "never-made" });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Bucket never-made can't be read");
  });
});
