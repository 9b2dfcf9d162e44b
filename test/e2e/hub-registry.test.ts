import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { secretVariables } from "@hearth-platform/hearth/hub/configuration";
import { registryFile } from "@hearth-platform/hearth/hub/configuration/registry";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import bcrypt from "bcryptjs";
import { execa, type ResultPromise } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../support/free-ports.ts";

/** The hub's registry as it is rendered: the real program, of the version in the hub's image, on the sandbox's S3 server and a real keystore. */

const user = "harbor_registry_user";
const password = "registry-passw0rd";
const keystorePassword = "keystorepassw0rd";

describe.each([{ redirect: false }, { redirect: true }])("a registry with redirect $redirect", async ({ redirect }) => {
  const environment = sandboxEnvironment(await openSandbox());
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? "";
  const credentials = {
    accessKeyId: environment.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? "",
  };
  const region = environment.AWS_REGION ?? "";
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const bucket = `registry-${randomBytes(4).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "hearth-registry-"));
  const running: ResultPromise[] = [];
  let address: string;
  let metrics: string;
  let keystorePort: number;

  beforeAll(async () => {
    keystorePort = await freePort();
    const [port, debugPort] = [await freePort(), await freePort()];
    [address, metrics] = [`127.0.0.1:${port}`, `127.0.0.1:${debugPort}`];
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const configuration = registryFile({
      objectStore: { endpoint, region, pathStyle: true, credentials: "unused" },
      bucket,
      partBytes: 10 * 1024 * 1024,
      redirect,
      keystore: { host: "127.0.0.1", port: keystorePort, password: { name: "keystore", key: "password" } },
      drainSeconds: 5,
    });
    for (const secret of [credentials.secretAccessKey, password, keystorePassword])
      expect(configuration).not.toContain(secret);
    writeFileSync(join(folder, "config.yml"), configuration);
    writeFileSync(join(folder, "passwd"), `${user}:${bcrypt.hashSync(password, 4)}\n`);
    const keystore = [
      "--port",
      String(keystorePort),
      "--bind",
      "127.0.0.1",
      "--requirepass",
      keystorePassword,
      "--save",
      "",
    ];
    start("redis-server", keystore);
    start("docker-registry", ["serve", join(folder, "config.yml")], {
      [secretVariables.objectStoreKeyId]: credentials.accessKeyId,
      [secretVariables.objectStoreKey]: credentials.secretAccessKey,
      [secretVariables.registryKeystorePassword]: keystorePassword,
      [secretVariables.registryHttpSecret]: "http-secret",
      // A pod has these ports and this path to itself, this machine has not.
      REGISTRY_HTTP_ADDR: address,
      REGISTRY_HTTP_DEBUG_ADDR: metrics,
      REGISTRY_AUTH_HTPASSWD_PATH: join(folder, "passwd"),
    });
    await vi.waitFor(async () => expect((await fetch(`http://${address}/`)).status).toBe(200), { timeout: 30_000 });
  });
  afterAll(async () => {
    for (const child of running) child.kill();
    await Promise.all(running);
    rmSync(folder, { recursive: true });
  });

  function start(program: string, args: string[], env: Record<string, string> = {}): void {
    const options = { env: { PATH: process.env.PATH, ...env }, extendEnv: false, cwd: folder, reject: false } as const;
    running.push(
      execa(program, args, {
        ...options,
        all: true,
        buffer: false,
        stdout: { file: join(folder, `${program}.log`) },
        stderr: { file: join(folder, `${program}.err`) },
      }),
    );
  }

  /** Buildah with a storage of its own: what one side has, the other doesn't know. */
  async function buildah(side: string, ...args: string[]): Promise<string> {
    const storage = [
      "--storage-driver",
      "vfs",
      "--root",
      join(folder, side, "storage"),
      "--runroot",
      join(folder, side, "run"),
    ];
    mkdirSync(join(folder, side), { recursive: true });
    const env = { BUILDAH_ISOLATION: "chroot", STORAGE_DRIVER: "vfs" };
    const { exitCode, stdout, all } = await execa("buildah", [...storage, ...args], { env, all: true, reject: false });
    expect(exitCode, all).toBe(0);
    return stdout.trim();
  }

  const transfer = ["--tls-verify=false", "--creds", `${user}:${password}`];
  const image = () => `docker://${address}/team/app:1`;

  test("takes an image whose layer is uploaded in parts, and gives the same back", async () => {
    // More than one part, and more than what the driver copies in one request.
    mkdirSync(join(folder, "context"));
    writeFileSync(join(folder, "context", "data"), randomBytes(70 * 1024 * 1024));
    writeFileSync(join(folder, "context", "Dockerfile"), "FROM scratch\nCOPY data /data\n");
    await buildah("here", "build", "--tag", "app", join(folder, "context"));
    await buildah("here", "push", ...transfer, "app", image());

    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    expect(Math.max(...Contents.map(({ Size = 0 }) => Size))).toBeGreaterThan(60 * 1024 * 1024);

    await buildah("there", "pull", ...transfer, image());
    const id = (side: string) => buildah(side, "images", "--quiet", "--no-trunc");
    expect(await id("there")).toContain(await id("here"));
  });

  test("lets nobody else in", async () => {
    const answer = await fetch(`http://${address}/v2/`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="harbor-registry-basic-realm"');
  });

  test("answers an empty object at its root", async () => {
    const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
    const answer = await fetch(`http://${address}/v2/`, { headers });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  });

  test(`sends a client ${redirect ? "to the object store for a layer" : "nowhere else"}`, async () => {
    const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
    const accept = "application/vnd.oci.image.manifest.v1+json,application/vnd.docker.distribution.manifest.v2+json";
    const manifest = await fetch(`http://${address}/v2/team/app/manifests/1`, { headers: { ...headers, accept } });
    const { layers } = (await manifest.json()) as { layers: { digest: string }[] };
    const layer = await fetch(`http://${address}/v2/team/app/blobs/${layers[0]?.digest}`, {
      headers,
      redirect: "manual",
    });
    expect(layer.status).toBe(redirect ? 307 : 200);
    if (redirect) expect(layer.headers.get("location")).toMatch(new RegExp(`^${endpoint}/${bucket}/`));
    await layer.body?.cancel();
  });

  test("keeps what it knows of layers in the hub's database of the keystore", async () => {
    const options = { env: { REDISCLI_AUTH: keystorePassword } };
    const cli = ["-p", String(keystorePort), "-n", "2", "--scan"];
    const { stdout } = await execa("redis-cli", cli, options);
    expect(stdout).toMatch(/^blobs::sha256:/m);
    expect(stdout).toMatch(/^repository::team\/app::blobs/m);
  });

  test("shows metrics on a port of its own", async () => {
    expect(await (await fetch(`http://${metrics}/metrics`)).text()).toMatch(/^registry_storage_/m);
  });
});
