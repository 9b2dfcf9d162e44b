import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import { secretsPath } from "@hearth-platform/hearth/forge/configuration";
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
  expect(parse(gitstore)).toMatchObject({ auth: { token: secretValue("gitstoreToken") } });
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
    BACKUP_KEEP: "3",
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
    for (const name of ["bin", "home", "config"]) mkdirSync(join(folder, name));
    const settings = pod.s3cfg?.text
      .replace(mountedValue("objectStoreKeyId"), AWS_ACCESS_KEY_ID)
      .replace(mountedValue("objectStoreKey"), AWS_SECRET_ACCESS_KEY);
    writeFileSync(join(folder, "config/s3cfg"), settings ?? "");
    writeFileSync(join(folder, "secrets.yml"), "production: {}\n");
    const tool = join(folder, "bin/backup-utility");
    writeFileSync(tool, '#!/bin/sh\necho "$*"\n');
    chmodSync(tool, 0o755);
  });

  function backup(more: Record<string, string> = {}) {
    return spawnSync("sh", [join(import.meta.dirname, "../../components/forge/scripts/backup.sh")], {
      encoding: "utf8",
      env: {
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        HOME: join(folder, "home"),
        CONFIG_DIRECTORY: join(folder, "config"),
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

  test("refuses where a bucket is missing", () => {
    const { status, stdout, stderr } = backup({ LFS_BUCKET_NAME: "never-made" });
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Bucket never-made can't be read");
  });
});
