import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { DevStack, kubernetesObjects, type PreviewStep, sandbox } from "../support/stack.ts";

// Parts of it are killed.
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

  it("changes nothing after a refresh", async () => {
    const refresh = await stack.pulumi("refresh", "--yes", "--skip-preview");
    expect(refresh.exitCode, refresh.all).toBe(0);
    expect((await stack.changes()).map(shown)).toEqual([]);
  });

  it("refuses to be destroyed while it holds data, and loses nothing", async () => {
    const before = await kubernetesObjects("persistentvolumeclaims", "--all-namespaces");
    const destroy = await stack.pulumi("destroy", "--yes");
    expect(destroy.exitCode).not.toBe(0);
    expect(destroy.all).toMatch(/protect/);
    const after = await kubernetesObjects("persistentvolumeclaims", "--all-namespaces");
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
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

describe("an up that is interrupted", () => {
  const stack = new DevStack();

  /** Starts an up that rolls every workload, and comes back as soon as the first one has begun. */
  async function beginUp(label: string) {
    stack.editSettings((settings) => {
      settings["hearth:workload"] = { labels: { "example.org/interrupted-by": label } };
    });
    const selector = `--selector=example.org/interrupted-by=${label}`;
    const ended = stack.pulumi("up", "--yes", "--skip-preview");
    const rolled = () => kubernetesObjects("statefulsets", "--all-namespaces", selector);
    await expect.poll(async () => (await rolled()).length, { timeout: 60_000 }).toBeGreaterThan(0);
    return { ended };
  }

  async function expectSecondUpToEndWell(): Promise<void> {
    const again = await stack.pulumi("up", "--yes");
    expect(again.exitCode, again.all).toBe(0);
    expect((await stack.changes()).map(shown)).toEqual([]);
  }

  it("by the API server's death ends well when the sandbox is healed and up runs again", async () => {
    const { parts } = JSON.parse((await sandbox("status", "--json")).stdout);
    const { ended } = await beginUp("api-server");
    process.kill(parts.find(({ name }: { name: string }) => name === "kube-apiserver").pid, "SIGKILL");
    await ended;
    expect((await sandbox("start", "--no-up")).exitCode).toBe(0);
    await expectSecondUpToEndWell();
  });

  it("by the death of Pulumi itself ends well when up runs again, whose lock is not in the way", async () => {
    const { folder } = JSON.parse((await sandbox("status", "--json")).stdout);
    const locks = join(folder, "pulumi-state", ".pulumi", "locks", "organization", "hearth", "dev");
    const { ended } = await beginUp("pulumi");
    const [lock = ""] = readdirSync(locks);
    process.kill(JSON.parse(readFileSync(join(locks, lock), "utf8")).pid, "SIGKILL");
    expect((await ended).exitCode).not.toBe(0);
    await expectSecondUpToEndWell();
  });
});
