import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hearth } from "../support/caller.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import { type DevStack, kubernetesObjects, runningPlatform, sandbox } from "../support/stack.ts";
import { systemProgram } from "../support/system-programs.ts";

/** A kit of the running platform, opened by the programs age and tar, compared with the cluster, and known to doctor. */

const folder = mkdtempSync(join(tmpdir(), "hearth-kit-"));
const kit = join(folder, "dev.kit");
const identity = join(folder, "kit.key");
const buckets = ["backups-team-dev1", "backups-club-dev1"];
/** Where a suite copies its config.php to. */
const copy = "configuration/Tue/config.php";
let stack: DevStack;

beforeAll(async () => {
  stack = await runningPlatform();
  const recipients = await Promise.all(
    [identity, join(folder, "other.key")].map(async (file) => {
      await execa(systemProgram("age-keygen"), ["-o", file]);
      return (await execa(systemProgram("age-keygen"), ["-y", file])).stdout;
    }),
  );
  stack.editSettings((settings) => {
    settings["hearth:kit"] = { recipients };
  });
  const store = await sandboxObjectStore();
  for (const bucket of buckets)
    await store.send(new PutObjectCommand({ Bucket: bucket, Key: copy, Body: `<?php // ${bucket}` }));
  store.destroy();
}, 900_000);

// Other tests find the platform as it was.
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await sandbox("kubectl", "delete", "configmap", "hearth-kit", "-n", "platform");
  const store = await sandboxObjectStore();
  for (const bucket of buckets) await store.send(new DeleteObjectCommand({ Bucket: bucket, Key: copy }));
  store.destroy();
});

const ofStack = () => ["--stack", "dev", "--sandbox", "--config-file", stack.stackFile];
const check = () => hearth(folder, "kit", "check", kit, "--identity", identity, ...ofStack(), "--json");
const ofDoctor = async () => {
  const { stdout } = await hearth(folder, "doctor", ...ofStack(), "--json");
  const { findings } = JSON.parse(stdout) as { findings: { code: string; status: string; message: string }[] };
  return findings.find(({ code }) => code === "kit");
};

test("doctor names the Secrets that must never change while no kit has them", { timeout: 120_000 }, async () => {
  const found = await ofDoctor();
  expect(found?.status).toBe("warning");
  for (const name of ["platform/hub-encryption-key", "platform/forge-rails-secrets", "team/cloudsuite-admin"])
    expect(found?.message).toContain(name);
});

test("age and tar open the kit: the state, and every Secret byte for byte", { timeout: 120_000 }, async () => {
  const { status, stderr } = await hearth(folder, "kit", ...ofStack(), "--out", kit);
  expect(status, stderr).toBe(0);
  expect(stderr).not.toContain("lacks something");
  const files = join(folder, "files");
  const unpack = `mkdir ${files} && cd ${files} && ${systemProgram("age")} -d -i ${identity} ${kit} | tar x && sha256sum --check --quiet SHA256SUMS`;
  await execa("sh", ["-c", unpack]);
  const read = (file: string) => JSON.parse(readFileSync(join(files, file), "utf8"));
  const live = await kubernetesObjects("secrets", "--all-namespaces");
  const { objects } = read("kit.json") as { objects: { part: string; namespace: string; name: string }[] };
  expect(objects.length).toBeGreaterThan(25);
  for (const { part, namespace, name } of objects) {
    const found = live.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
    expect(read(part).data, name).toEqual((found as { data?: object } | undefined)?.data);
  }
  const { stdout } = await sandbox("pulumi", "stack", "export", "--show-secrets", "--stack", "dev");
  expect(read("state.json")).toEqual(JSON.parse(stdout));
  expect(readFileSync(join(files, "suites/team/config.php"), "utf8")).toBe("<?php // backups-team-dev1");
});

test("check finds nothing, and doctor says that the kit is complete", { timeout: 120_000 }, async () => {
  const { status, stdout } = await check();
  expect(JSON.parse(stdout).findings).toEqual([]);
  expect(status).toBe(0);
  expect(await ofDoctor()).toMatchObject({ status: "ok", message: expect.stringContaining("for 2 keys") });
});

test("a Secret that is written later is named by check and by doctor", { timeout: 120_000 }, async () => {
  const of = ["-n", "club", "secret", "cloudsuite-admin"];
  const [before] = await kubernetesObjects(...of);
  const password = (value: string | undefined) =>
    sandbox("kubectl", "patch", ...of, "--type=merge", "--patch", JSON.stringify({ data: { password: value } }));
  await password("bmV3");
  try {
    const { status, stdout } = await check();
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([
      expect.objectContaining({ code: "differs", subject: "Secret club/cloudsuite-admin" }),
    ]);
    expect(await ofDoctor()).toMatchObject({
      status: "warning",
      message: expect.stringContaining("written after it: club/cloudsuite-admin."),
    });
  } finally {
    await password((before as { data?: Record<string, string> } | undefined)?.data?.password);
  }
});

test("a key that is not the kit's opens nothing", async () => {
  const foreign = join(folder, "foreign.key");
  writeFileSync(foreign, (await execa(systemProgram("age-keygen"))).stdout);
  const { status, stdout, stderr } = await hearth(folder, "kit", "check", kit, "--identity", foreign);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("It is encrypted for other keys.");
});
