import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { controlPlanePaths } from "@hearth-platform/sandbox/control-plane/configuration";
import { runningParts } from "@hearth-platform/sandbox/control-plane/parts";
import { identify } from "@hearth-platform/sandbox/detached-process";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type PartStatus, sandboxStatus } from "@hearth-platform/sandbox/status";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimSandbox, discardSandbox } from "../support/test-sandboxes.ts";

const cli = join(import.meta.dirname, "../../cli/main.mjs");
/** A sandbox of its own, so that killing its parts disturbs no other test. */
const name = "e2e-sandbox";

const parts = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kwok-controller",
  "object-storage",
  "registry",
  "plugins",
  "operators",
  "page",
];

function sandbox(...args: string[]) {
  return execa(process.execPath, [cli, "sandbox", ...args], {
    env: { HEARTH_SANDBOX: name },
    stdin: "ignore",
    all: true,
    reject: false,
  });
}

async function succeed(...args: string[]): Promise<string> {
  const result = await sandbox(...args);
  expect(result.exitCode, result.all).toBe(0);
  return result.stdout;
}

async function states(): Promise<string[]> {
  return (await sandboxStatus(name)).map(({ state }) => state);
}

async function pids(): Promise<Record<string, number | undefined>> {
  return Object.fromEntries((await sandboxStatus(name)).map((part) => [part.name, part.pid]));
}

/** The variables of `sandbox env`. */
async function environment(): Promise<Record<string, string | undefined>> {
  const lines = (await succeed("env")).matchAll(/^export (\w+)='(.*)'$/gm);
  return Object.fromEntries([...lines].map(([, key, value]) => [key, value]));
}

/** A client that knows only what `sandbox env` says. */
async function objectStorage(): Promise<S3Client> {
  const env = await environment();
  return new S3Client({
    endpoint: env.AWS_ENDPOINT_URL_S3,
    region: env.AWS_REGION,
    credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID ?? "", secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "" },
    forcePathStyle: true,
  });
}

/** The registry's API for the repository `kept`, as `sandbox env` says where it is. */
async function repository(): Promise<string> {
  return `http://${(await environment()).HEARTH_SANDBOX_REGISTRY}/v2/kept`;
}

/** Pushes an image of no layers with tag `1`. */
async function pushImage(): Promise<void> {
  const api = await repository();
  const config = Buffer.from("{}");
  const digest = `sha256:${createHash("sha256").update(config).digest("hex")}`;
  const upload = await fetch(`${api}/blobs/uploads/`, { method: "POST" });
  const blob = await fetch(`${upload.headers.get("location")}&digest=${digest}`, { method: "PUT", body: config });
  expect(blob.status).toBe(201);
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = {
    schemaVersion: 2,
    mediaType,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest, size: config.length },
    layers: [],
  };
  const request = { method: "PUT", headers: { "content-type": mediaType }, body: JSON.stringify(manifest) };
  expect((await fetch(`${api}/manifests/1`, request)).status).toBe(201);
}

describe("a first start of the sandbox", () => {
  beforeAll(async () => {
    claimSandbox(name, process.ppid);
    await sandbox("reset", "--yes");
  });
  afterAll(() => discardSandbox(name));

  it("ends at Ctrl-C what it began, and the next one begins anew", async () => {
    const controlPlane = () => [...runningParts(controlPlanePaths(sandboxPaths(name))).keys()];
    const starting = sandbox("start", "--no-up");
    await expect.poll(controlPlane, { timeout: 120_000 }).toContain("kube-apiserver");
    starting.kill("SIGINT");
    const { exitCode, all } = await starting;
    expect(exitCode).not.toBe(0);
    expect(all).toContain("Interrupted: the parts that this start began are stopping again.");
    expect(controlPlane()).toEqual([]);
    await succeed("start", "--no-up");
    expect(await states()).toEqual(parts.map(() => "running"));
  });
});

describe("the sandbox", () => {
  beforeAll(async () => {
    // A file's process is vitest's child.
    claimSandbox(name, process.ppid);
    await sandbox("reset", "--yes");
    await succeed("start", "--no-up");
  });

  afterAll(() => discardSandbox(name));

  it("runs every part, on 127.0.0.1 alone", async () => {
    const now: { folder: string; parts: PartStatus[] } = JSON.parse(await succeed("status", "--json"));
    expect(now.parts.map((part) => [part.name, part.state])).toEqual(parts.map((part) => [part, "running"]));
    for (const { address } of now.parts) expect(address ?? "http://127.0.0.1:").toMatch(/^https?:\/\/127\.0\.0\.1:/);
    expect(now.folder).toBe(sandboxPaths(name).folder);
  });

  it("is left as it is by another start", async () => {
    const before = await pids();
    await succeed("start", "--no-up");
    expect(await pids()).toEqual(before);
  });

  it("enforces access rights and Pod security", async () => {
    const mayNot = await sandbox("kubectl", "auth", "can-i", "list", "secrets", "--as=someone");
    expect(mayNot.stdout).toBe("no");
    await succeed("kubectl", "create", "namespace", "strict");
    await succeed("kubectl", "wait", "--for=create", "serviceaccount/default", "--namespace=strict", "--timeout=60s");
    await succeed("kubectl", "label", "namespace", "strict", "pod-security.kubernetes.io/enforce=restricted");
    const pod = await sandbox(
      "kubectl",
      "run",
      "root",
      "--namespace=strict",
      "--image=example.org/root",
      "--privileged",
    );
    expect(pod.exitCode).toBe(1);
    expect(pod.all).toMatch(/violates PodSecurity/);
  });

  it("leads a shell there, whose pulumi leaves the stack's tracked file as it is", async () => {
    const settings = join(import.meta.dirname, "../../Pulumi.dev.yaml");
    const before = readFileSync(settings, "utf8");
    const script = `eval "$('${process.execPath}' '${cli}' sandbox env)" && pulumi preview --non-interactive`;
    const { exitCode, all } = await execa("sh", ["-c", script], {
      cwd: join(import.meta.dirname, "../.."),
      env: { HEARTH_SANDBOX: name },
      stdin: "ignore",
      all: true,
      reject: false,
    });
    expect(exitCode, all).toBe(0);
    expect(all).toMatch(/\+ \d+ to create/);
    expect(readFileSync(settings, "utf8")).toBe(before);
  });

  it("rolls out a Deployment, and says of its logs that nothing runs", async () => {
    await succeed("kubectl", "create", "deployment", "web", "--image=example.org/web", "--replicas=2");
    await succeed("kubectl", "rollout", "status", "deployment/web", "--timeout=60s");
    expect(await succeed("kubectl", "logs", "deployment/web")).toMatch(/simulated by KWOK/);
  });

  describe("with objects, files and images in it", () => {
    const bucket = { Bucket: "kept" };

    beforeAll(async () => {
      await succeed("kubectl", "create", "configmap", "kept", "--from-literal=key=value");
      const s3 = await objectStorage();
      await s3.send(new CreateBucketCommand(bucket));
      await s3.send(new PutBucketVersioningCommand({ ...bucket, VersioningConfiguration: { Status: "Enabled" } }));
      await s3.send(new PutObjectCommand({ ...bucket, Key: "a/b", Body: "first" }));
      await s3.send(new PutObjectCommand({ ...bucket, Key: "a/b", Body: "second" }));
      await pushImage();
    });

    async function expectEverythingIsThere() {
      expect(await succeed("kubectl", "get", "configmap", "kept", "-o", "jsonpath={.data.key}")).toBe("value");
      const object = await (await objectStorage()).send(new GetObjectCommand({ ...bucket, Key: "a/b" }));
      expect(await object.Body?.transformToString()).toBe("second");
      const headers = { accept: "application/vnd.oci.image.manifest.v1+json" };
      expect((await fetch(`${await repository()}/manifests/1`, { headers })).status).toBe(200);
    }

    it("has them after stop and start", async () => {
      await succeed("stop");
      expect(await states()).toEqual(parts.map(() => "stopped"));
      const query = await sandbox("kubectl", "get", "configmaps");
      expect([query.exitCode, query.stderr]).toEqual([1, expect.stringMatching(/is not running: start it with/)]);
      await succeed("start", "--no-up");
      await expectEverythingIsThere();
      await succeed("kubectl", "rollout", "restart", "deployment/web");
      await succeed("kubectl", "rollout", "status", "deployment/web", "--timeout=60s");
    });

    it.each(parts)("is healed by start after a kill -9 of %s, and has them", async (part) => {
      const pid = (await pids())[part];
      // Without one the signal would go to the tests themselves.
      if (pid === undefined) throw new Error(`${part} does not run.`);
      process.kill(pid, "SIGKILL");
      await expect.poll(async () => (await pids())[part], { timeout: 20_000 }).toBeUndefined();
      await succeed("start", "--no-up");
      expect(await states()).toEqual(parts.map(() => "running"));
      expect((await pids())[part]).not.toBe(pid);
      await expectEverythingIsThere();
    });

    it("is started once by two starts at the same time", async () => {
      await succeed("stop");
      const both = await Promise.all([sandbox("start", "--no-up"), sandbox("start", "--no-up")]);
      expect(both.map((start) => [start.exitCode, start.all])).toEqual([
        [0, expect.any(String)],
        [0, expect.any(String)],
      ]);
      expect(both.filter((start) => start.all.includes("already running"))).toHaveLength(1);
      await expectEverythingIsThere();
    });

    it("is not deleted unasked", async () => {
      const reset = await sandbox("reset");
      expect([reset.exitCode, reset.stderr]).toEqual([2, expect.stringMatching(/--yes/)]);
      await expectEverythingIsThere();
    });
  });

  it("leaves nothing behind when it is reset", async () => {
    const { folder } = sandboxPaths(name);
    const before = Object.values(await pids());
    await succeed("reset", "--yes");
    expect(existsSync(folder)).toBe(false);
    for (const pid of before) expect(identify(pid ?? 0)).toBeUndefined();
  });
});
