import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { checkout } from "@hearth-platform/sandbox/paths";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A program with one resource of each kind the platform takes from these providers. */
const program = `
import * as aws from "@pulumi/aws";
import * as docker from "@pulumi/docker-build";
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import * as tls from "@pulumi/tls";

const config = new pulumi.Config();
const password = new random.RandomPassword("password", { length: config.getNumber("length") ?? 24, special: false });
const suffix = new random.RandomId("suffix", { byteLength: 4 });
const key = new tls.PrivateKey("key", { algorithm: "ECDSA", ecdsaCurve: "P256" });
const certificate = new tls.SelfSignedCert("certificate", {
  privateKeyPem: key.privateKeyPem, allowedUses: ["server_auth"], validityPeriodHours: 24,
  subject: { commonName: "example.org" }, dnsNames: ["example.org"],
});
const provider = new aws.Provider("objects", {
  s3UsePathStyle: true, skipCredentialsValidation: true, skipRequestingAccountId: true, skipMetadataApiCheck: true,
});
const options = { provider };
const bucket = new aws.s3.Bucket("Bucket", { forceDestroy: config.getBoolean("forceDestroy") }, options);
new aws.s3.BucketVersioning("versioning", { bucket: bucket.id, versioningConfiguration: { status: "Enabled" } }, options);
if (config.get("twin")) new aws.s3.Bucket("twin", { bucket: config.get("twin") }, options);
const image = new docker.Image("image", {
  context: { location: "./image" }, tags: [config.require("registry") + "/plugins/image:1"], push: true, buildOnPreview: false,
});
export const passwordLength = pulumi.unsecret(password.result).apply((text) => text.length);
export const result = password.result;
export const hex = suffix.hex;
export const certPem = certificate.certPem;
export const bucketName = bucket.bucket;
export const ref = image.ref;
`;

describe("the plugins under the real engine", async () => {
  const sandbox = await openSandbox();
  const environment = sandboxEnvironment(sandbox);
  const folder = mkdtempSync(join(tmpdir(), "hearth-plugins-"));
  const state = mkdtempSync(join(tmpdir(), "hearth-plugins-state-"));

  async function pulumi(...args: string[]): Promise<{ code?: number; stdout: string; all: string }> {
    const env = {
      ...environment,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_STACK: "plugins",
      // The engine starts them, as it does the official ones.
      PULUMI_DEBUG_PROVIDERS: "",
    };
    const options = { cwd: folder, env, all: true, reject: false, stdin: "ignore" } as const;
    const { exitCode, stdout, all } = await execa(sandbox.programs.pulumi, args, options);
    return { code: exitCode, stdout, all };
  }

  async function succeeds(...args: string[]): Promise<string> {
    const { code, stdout, all } = await pulumi(...args);
    expect(code, all).toBe(0);
    return stdout;
  }

  /** `replace RandomPassword`, for each step of a preview that changes something. */
  async function changes(...args: string[]): Promise<string[]> {
    const { steps } = JSON.parse(await succeeds("preview", "--json", ...args));
    const changing = steps.filter(({ op }: { op: string }) => ["create", "update", "replace", "delete"].includes(op));
    return changing.map(({ op, urn }: { op: string; urn: string }) => `${op} ${urn.split("::")[2]?.split(":").at(-1)}`);
  }

  beforeAll(async () => {
    const runtime = "runtime: { name: nodejs, options: { typescript: false, packagemanager: npm } }";
    writeFileSync(join(folder, "Pulumi.yaml"), `name: plugins\n${runtime}\nmain: index.ts\n`);
    writeFileSync(join(folder, "package.json"), '{ "name": "plugins", "type": "module", "main": "index.ts" }');
    writeFileSync(join(folder, "index.ts"), program);
    symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "image"));
    writeFileSync(join(folder, "image", "Dockerfile"), "FROM scratch\nCOPY . /app\n");
    await succeeds("stack", "init", "plugins");
    await succeeds("config", "set", "registry", environment.HEARTH_SANDBOX_REGISTRY ?? "");
    const up = await pulumi("up", "--yes");
    expect(up.code, up.all).toBe(0);
    expect(up.all, "the engine found the plugins where it looks for them").not.toMatch(/warning/i);
  });
  afterAll(async () => {
    await pulumi("up", "--yes", "--skip-preview", "--config", "forceDestroy=true");
    await pulumi("destroy", "--yes", "--skip-preview");
    for (const path of [folder, state]) rmSync(path, { recursive: true });
  });

  it("make what was asked for", async () => {
    const outputs = JSON.parse(await succeeds("stack", "output", "--json"));
    expect(outputs).toEqual({
      passwordLength: 24,
      result: "[secret]",
      hex: expect.stringMatching(/^[0-9a-f]{8}$/),
      certPem: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
      bucketName: expect.stringMatching(/^bucket-[0-9a-f]{7}$/),
      ref: expect.stringMatching(/\/plugins\/image:1@sha256:[0-9a-f]{64}$/),
    });
    const [name, digest] = outputs.ref.replace("/plugins/", "/v2/plugins/").split("@");
    const manifest = await fetch(`http://${name.replace(/:1$/, "")}/manifests/${digest}`, {
      headers: { Accept: "application/vnd.oci.image.manifest.v1+json" },
    });
    expect(manifest.status).toBe(200);
  });

  it("keep secrets out of the state's plain text", async () => {
    const { result } = JSON.parse(await succeeds("stack", "output", "--json", "--show-secrets"));
    const exported = await succeeds("stack", "export");
    expect(exported).not.toContain(result);
    expect(exported).not.toContain("PRIVATE KEY");
    expect(exported).toContain("ciphertext");
  });

  it("change nothing the second time, nor after a refresh", async () => {
    await succeeds("up", "--yes", "--expect-no-changes");
    await succeeds("refresh", "--yes", "--skip-preview");
    expect(await changes()).toEqual([]);
  });

  it("preview a replacement where the value must be another, an update where it need not", async () => {
    const planned = await changes("--config", "length=30", "--config", "forceDestroy=true");
    await succeeds("config", "rm", "length");
    await succeeds("config", "rm", "forceDestroy");
    expect(planned.sort()).toEqual(["replace RandomPassword", "update Bucket"]);
  });

  it("build an image again when a file of its context changed, and only then", async () => {
    writeFileSync(join(folder, "image", "file"), "new");
    expect(await changes()).toEqual(["update Image"]);
    await succeeds("up", "--yes", "--skip-preview");
    expect(await changes()).toEqual([]);
  });

  it("pass on that a bucket exists already", async () => {
    const { bucketName } = JSON.parse(await succeeds("stack", "output", "--json"));
    const { code, all } = await pulumi("up", "--yes", "--skip-preview", "--config", `twin=${bucketName}`);
    await succeeds("config", "rm", "twin");
    expect(code).not.toBe(0);
    expect(all).toMatch(/creating S3 Bucket .*BucketAlready/);
  });

  it("do not delete a bucket that holds objects", async () => {
    const { bucketName } = JSON.parse(await succeeds("stack", "output", "--json"));
    const client = new S3Client({
      region: environment.AWS_REGION,
      endpoint: environment.AWS_ENDPOINT_URL_S3,
      forcePathStyle: true,
      credentials: {
        accessKeyId: environment.AWS_ACCESS_KEY_ID ?? "",
        secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? "",
      },
    });
    await client.send(new PutObjectCommand({ Bucket: bucketName, Key: "object", Body: "data" }));

    const { code, all } = await pulumi("destroy", "--yes", "--skip-preview");

    expect(code).not.toBe(0);
    expect(all).toContain("BucketNotEmpty");
    await succeeds("up", "--yes", "--skip-preview");
  });
});
