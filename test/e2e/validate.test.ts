import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { edited } from "../stack/suite-file.ts";
import { kubernetesObjects, sandbox } from "../support/stack.ts";

/** `hearth validate` on the tests' sandbox: what a real API server says to a dry run, and that it keeps nothing. */

const program = join(import.meta.dirname, "../../cli/main.mjs");
const namespace = "validated";
const kinds =
  "configmaps,secrets,services,deployments,persistentvolumeclaims,cronjobs,jobs,clusters.postgresql.cnpg.io";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-validate-"));
  writeFileSync(join(folder, "config.yaml"), edited("namespace: team", `namespace: ${namespace}`));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function validate(...args: string[]) {
  const { exitCode, stdout } = await execa(process.execPath, [program, "validate", ...args, "config.yaml"], {
    cwd: folder,
    reject: false,
  });
  return { exitCode, stdout };
}

async function namespaces(): Promise<string[]> {
  return (await kubernetesObjects("namespaces")).map(({ metadata }) => metadata.name);
}

test("an absent namespace is not made, and its objects are tried in another", async () => {
  const { exitCode, stdout } = await validate();
  const [, objects, accepted, elsewhere] =
    /objects: (\d+)[\s\S]*server side: (\d+) accepted, (\d+) of them in the namespace default/.exec(stdout) ?? [];
  expect(Number(objects), stdout).toBeGreaterThan(20);
  expect([accepted, elsewhere]).toEqual([objects, String(Number(objects) - 1)]);
  expect(exitCode).toBe(0);
  expect(await namespaces()).not.toContain(namespace);
});

describe("in a namespace that is there", () => {
  beforeEach(async () => {
    expect((await sandbox("kubectl", "create", "namespace", namespace)).all).toContain("created");
  });
  afterEach(async () => {
    await sandbox("kubectl", "delete", "namespace", namespace, "--wait=true");
  });

  test("every object is tried, and none is made", async () => {
    const before = await kubernetesObjects(kinds, "--namespace", namespace);
    const { exitCode, stdout } = await validate();
    const [, objects] = /objects: (\d+)/.exec(stdout) ?? [];
    expect(Number(objects)).toBeGreaterThan(20);
    expect(stdout).toContain(`client side: ${objects} of ${objects} known; server side: ${objects} accepted)`);
    expect(exitCode).toBe(0);
    const names = (list: typeof before) => list.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
    expect(names(await kubernetesObjects(kinds, "--namespace", namespace))).toEqual(names(before));
  });

  test("what the API server refuses is a problem of the file that names it", async () => {
    await sandbox("kubectl", "create", "quota", "none", "--hard=services=0", "--namespace", namespace);
    await expect
      .poll(async () => JSON.parse((await validate("--json")).stdout)[0].problems, { timeout: 30_000 })
      .toContainEqual(
        expect.objectContaining({
          code: "dry-run",
          message: expect.stringMatching(/^Service validated\/\S+: .*exceeded quota/),
        }),
      );
    expect((await validate()).exitCode).toBe(1);
  });
});

test("a person is signed in by a program, as a cloud's kubeconfig asks for", async () => {
  const { users, ...config } = parse(readFileSync(process.env.HEARTH_E2E_KUBECONFIG ?? "", "utf8"));
  const data = (key: string) => Buffer.from(users[0].user[key], "base64").toString();
  const status = { clientCertificateData: data("client-certificate-data"), clientKeyData: data("client-key-data") };
  const credential = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status };
  const exec = { apiVersion: credential.apiVersion, command: "./sign-in", interactiveMode: "Never" };
  writeFileSync(join(folder, "credential.json"), JSON.stringify(credential));
  writeFileSync(join(folder, "sign-in"), '#!/bin/sh\ncat "$(dirname "$0")/credential.json"\n', { mode: 0o755 });
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, stringify({ ...config, users: [{ name: users[0].name, user: { exec } }] }));
  const { exitCode, stdout } = await validate("--kubeconfig", kubeconfig);
  expect(stdout).toContain("server side: ");
  expect(exitCode).toBe(0);
});

test("a whole stack is tried in one go", async () => {
  const { exitCode, stdout } = await execa(process.execPath, [program, "validate", "--stack", "dev"], {
    reject: false,
  });
  expect(stdout).toMatch(
    /Synthesis of the manifests \(objects: (\d+)\).*client side: \1 of \1 known; server side: \d+ accepted/s,
  );
  expect(exitCode, stdout).toBe(0);
});

test("another cluster is named by its kubeconfig and context", async () => {
  const kubeconfig = process.env.HEARTH_E2E_KUBECONFIG ?? "";
  expect((await validate("--kubeconfig", kubeconfig)).exitCode).toBe(0);
  const { exitCode, stdout } = await validate("--kubeconfig", kubeconfig, "--context", "elsewhere");
  expect(exitCode).toBe(1);
  expect(stdout).toContain('context "elsewhere" does not exist');
});
