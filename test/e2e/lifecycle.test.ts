import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import type { StateResource } from "../support/recorded-state.ts";
import { DevStack, kubernetesObjects, type PreviewStep, sandbox } from "../support/stack.ts";

// Objects are deleted there by hand.
inEmptySandbox("e2e-lifecycle");

/** `update Deployment team/cloudsuite`, from a step of the preview. */
function shown({ op, urn }: PreviewStep): string {
  const [type = "", name = ""] = urn.split("::").slice(2);
  return `${op} ${type.split("$").pop()?.split(":").pop()} ${name}`;
}

describe("the dev stack on a fresh sandbox", () => {
  const stack = new DevStack();

  beforeAll(async () => {
    const up = await stack.pulumi("up", "--yes");
    expect(up.exitCode, up.all).toBe(0);
  });

  it("is healthy: every workload is available, every certificate and database is ready", async () => {
    for (const kind of ["deployments", "statefulsets"])
      for (const workload of await kubernetesObjects(kind, "--all-namespaces"))
        expect([kind, workload.metadata.name, workload.status?.readyReplicas]).toEqual([
          kind,
          workload.metadata.name,
          workload.spec?.replicas,
        ]);
    for (const kind of [
      "certificates.cert-manager.io",
      "clusters.postgresql.cnpg.io",
      "externalsecrets.external-secrets.io",
    ]) {
      const objects = await kubernetesObjects(kind, "--all-namespaces");
      expect(objects, kind).not.toHaveLength(0);
      for (const { metadata, status } of objects)
        expect(status?.conditions, metadata.name).toContainEqual(
          expect.objectContaining({ type: "Ready", status: "True" }),
        );
    }
  });

  it("changes nothing when brought up again", async () => {
    expect((await stack.changes()).map(shown)).toEqual([]);
    const up = await stack.pulumi("up", "--yes", "--expect-no-changes");
    expect(up.exitCode, up.all).toBe(0);
  });

  it("keeps no folder of this machine in its state", async () => {
    const { exitCode, stdout, all } = await sandbox("pulumi", "stack", "export", "--stack", "dev");
    expect(exitCode, all).toBe(0);
    expect(stdout).toContain("urn:pulumi:dev::hearth::");
    expect(stdout).not.toContain(join(import.meta.dirname, "../.."));
  });

  it("records with each object what it was sent, which is all that the official provider compares with", async () => {
    const { exitCode, stdout, all } = await sandbox("pulumi", "stack", "export", "--stack", "dev");
    expect(exitCode, all).toBe(0);
    const { resources } = JSON.parse(stdout).deployment as { resources: StateResource[] };
    const objects = resources.filter(({ type }) => type.startsWith("kubernetes:"));
    expect(objects.length).toBeGreaterThan(50);
    const unlike = objects.filter(({ inputs, outputs }) => !isDeepStrictEqual(outputs?.__inputs, inputs));
    // A secret value is encrypted anew at each place.
    expect(unlike.filter(({ type }) => type !== "kubernetes:core/v1:Secret").map(({ urn }) => urn)).toEqual([]);
    expect(objects.filter(({ outputs }) => outputs?.__inputs === undefined)).toEqual([]);
  });

  it("changes nothing after a refresh", async () => {
    const refresh = await stack.pulumi("refresh", "--yes", "--skip-preview");
    expect(refresh.exitCode, refresh.all).toBe(0);
    expect((await stack.changes()).map(shown)).toEqual([]);
  });

  it("refuses to be destroyed while it holds data, with a preview or without, before anything is deleted", async () => {
    const uids = async () => {
      const objects = await kubernetesObjects("persistentvolumeclaims,services,ingressroutes", "--all-namespaces");
      return objects.map(({ metadata }) => metadata.uid);
    };
    const before = await uids();
    for (const options of [[], ["--skip-preview"]]) {
      const destroy = await stack.pulumi("destroy", "--yes", ...options);
      expect(destroy.exitCode).not.toBe(0);
      expect(destroy.all).toContain("hearth:allowDataLoss: [team, team/cloudsuite, team/cloudsuite-admin]");
      expect(destroy.all).toContain("hearth:allowDataLoss: [team/cloudsuite-db]");
    }
    expect(await uids()).toEqual(before);
    expect((await stack.changes()).map(shown)).toEqual([]);
  });

  it("refuses another cluster under the same name, unless the settings accept it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-state-"));
    const [mine, other] = [join(folder, "mine.json"), join(folder, "other.json")];
    const [{ metadata } = { metadata: { uid: "" } }] = await kubernetesObjects("namespaces", "kube-system");
    const manage = async (...args: string[]) => {
      const { exitCode, all } = await sandbox("pulumi", "stack", ...args, "--stack", "dev");
      expect(exitCode, all).toBe(0);
    };
    await manage("export", "--file", mine);
    const state = readFileSync(mine, "utf8");
    expect(state).toContain(`"clusterIdentity": "${metadata.uid}"`);
    const rebuilt = "8c6b2c1e-0000-4000-8000-000000000000";
    writeFileSync(other, state.replaceAll(`"clusterIdentity": "${metadata.uid}"`, `"clusterIdentity": "${rebuilt}"`));
    await manage("import", "--file", other);
    const elsewhere = new DevStack();
    try {
      const refused = await elsewhere.preview();
      expect(refused.exitCode, refused.all).not.toBe(0);
      expect(refused.all).toContain(`kube-system was ${rebuilt}, and is ${metadata.uid}`);
      elsewhere.editSettings((settings) => {
        settings["hearth:kubernetes"] = { context: "hearth-sandbox", identity: metadata.uid };
      });
      const accepted = (await elsewhere.changes()).map(shown);
      expect(accepted.sort()).toEqual(["update CloudSuite club", "update CloudSuite team"]);
    } finally {
      await manage("import", "--file", mine);
      rmSync(folder, { recursive: true });
    }
  });

  it("takes a renamed context for the same cluster", async () => {
    const config = await sandbox("kubectl", "config", "view", "--raw", "--flatten");
    expect(config.exitCode, config.all).toBe(0);
    const folder = mkdtempSync(join(tmpdir(), "hearth-context-"));
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, config.stdout);
    const rename = ["config", "rename-context", "hearth-sandbox", "renamed", "--kubeconfig", kubeconfig];
    expect((await sandbox("kubectl", ...rename)).exitCode).toBe(0);
    const stack = new DevStack();
    stack.editSettings((settings) => {
      settings["hearth:kubernetes"] = { context: "renamed", kubeconfig };
    });
    try {
      expect((await stack.changes()).map(shown)).toEqual(["update kubernetes cluster"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("does not begin a database anew that was deleted by hand, beside its archive", async () => {
    const s3 = await sandboxObjectStore();
    const archived = { Bucket: "backups-team-dev1", Key: "cloudsuite-db/base/20261120T030000/data.tar.gz" };
    await s3.send(new PutObjectCommand({ ...archived, Body: "x" }));
    expect((await sandbox("kubectl", "delete", "cluster", "cloudsuite-db", "--namespace", "team")).exitCode).toBe(0);
    const up = await stack.pulumi("up", "--yes", "--refresh", "--skip-preview");
    expect(up.exitCode).not.toBe(0);
    expect(up.all).toMatch(/- database team\/cloudsuite-db: .* has an archive under its name, cloudsuite-db:/);
    expect(await kubernetesObjects("clusters.postgresql.cnpg.io", "--namespace", "team")).toEqual([]);

    await s3.send(new DeleteObjectCommand(archived));
    const anew = await stack.pulumi("up", "--yes", "--refresh", "--skip-preview");
    expect(anew.exitCode, anew.all).toBe(0);
    expect((await stack.changes()).map(shown)).toEqual([]);
  });

  it("stops at a bad config.yaml with the whole report, and creates nothing", async () => {
    const broken = new DevStack();
    const before = await kubernetesObjects("namespaces");
    broken.editConfig("namespace: ", "namespace: Not_A_Name # ");
    broken.editConfig("storageClass: ", "storageClas: ");
    const up = await broken.pulumi("up", "--yes");
    expect(up.exitCode).not.toBe(0);
    expect(up.all).toContain("namespace");
    expect(up.all).toContain("storageClas");
    expect(up.all).toMatch(/config\.yaml:\d+:\d+/);
    expect(up.all).not.toMatch(/^\s+at .*\.ts:\d+/m);
    const after = await kubernetesObjects("namespaces");
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
  });
});

describe("every rendered object", () => {
  for (const name of ["dev", "prod"])
    it(`of ${name} is accepted by the API server with strict field validation, and its pods by Pod Security`, async () => {
      const { render } = await import("../support/render.ts");
      const folder = await render(name);
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".yaml"));
      expect(files.length).toBeGreaterThan(20);
      const namespaces = files.filter((file) => parse(readFileSync(join(folder, file), "utf8")).kind === "Namespace");
      const apply = ["kubectl", "apply", "--server-side", "--force-conflicts", "--validate=strict"];
      for (const file of namespaces) expect((await sandbox(...apply, "-f", join(folder, file))).exitCode).toBe(0);
      const dryRun = await sandbox(...apply, "--dry-run=server", "--recursive", "-f", folder);
      expect(dryRun.exitCode, dryRun.all).toBe(0);
      expect(dryRun.all).not.toContain("Warning");
      expect(dryRun.stdout.trim().split("\n")).toHaveLength(files.length);
    });
});
