import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { healCommand, type Means } from "@hearth-platform/cli/heal/command";
import type { Export, Resource } from "@hearth-platform/cli/heal/deployment";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { Cluster, type Kind } from "@hearth-platform/stack/cluster/cluster";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "../../support/caller.ts";

let backend = "";
beforeEach(() => {
  backend = mkdtempSync(join(tmpdir(), "hearth-heal-"));
  for (const folder of ["locks/organization/hearth/dev", "stacks/hearth"])
    mkdirSync(join(backend, ".pulumi", folder), { recursive: true });
});
afterEach(() => rmSync(backend, { recursive: true }));

const provider: Resource = {
  urn: "urn:pulumi:dev::hearth::pulumi:providers:kubernetes::cluster",
  type: "pulumi:providers:kubernetes",
  id: "1",
  inputs: { context: "production" },
};

/** A resource with its type's last words and name as its URN, as the engine writes it before it is created. */
const resource = (type: string, name: string, inputs: object): Resource => ({
  urn: `urn:pulumi:dev::hearth::${type}::${name}`,
  type,
  inputs: { ...inputs },
  provider: `${provider.urn}::1`,
});

const sent = (kind: string, more: object = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "web", namespace: "team", labels: { "app.kubernetes.io/managed-by": "hearth" } },
  ...more,
});
const service = resource(
  "kubernetes:core/v1:Service",
  "team/web",
  sent("Service", { spec: { ports: [{ port: 80 }] } }),
);
const password = resource("random:index/randomPassword:RandomPassword", "team/admin.password", { length: 32 });
const bucket = resource("aws:s3/bucket:Bucket", "team/data", { bucket: "data-team" });

/** The sign of a secret in a state. */
const sign = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

const killed = (...creating: Resource[]): Export => ({
  version: 3,
  deployment: {
    resources: [provider],
    pending_operations: creating.map((each) => ({ type: "creating", resource: each })),
  },
});

/** What is outside the state. */
interface World {
  /** The object of the name that was sent; Pulumi's unless it says another manager. */
  readonly live?: object;
  /** What the API server makes of what was sent. @default what is there */
  readonly applied?: object;
  readonly bucket?: "absent" | "empty" | "used";
}

/** Runs the command on a state; says what Pulumi was asked, and the state it was given. */
async function heal(state: Export, { live, applied = live, bucket = "absent" }: World = {}, ...args: string[]) {
  const asked: string[] = [];
  let imported: Export | undefined;
  const providers: unknown[] = [];
  const cluster = Object.assign(Object.create(Cluster.prototype), {
    kind: async (): Promise<Kind> => ({ plural: "services", namespaced: true }),
    get: async () => live as KubernetesObject | undefined,
    tryApply: async () => applied as KubernetesObject,
  }) as Cluster;
  const means: Means = {
    pulumi: async ([...words], { input }) => {
      asked.push(words.filter((word) => !word.startsWith("--")).join(" "));
      if (words[1] === "import") imported = JSON.parse(String(input));
      const answers: Record<string, unknown> = { whoami: { url: `file://${backend}` }, stack: state };
      return { stdout: JSON.stringify(answers[words[0] ?? ""] ?? ""), stderr: "", succeeded: true };
    },
    places: async () => ({
      cluster: async (inputs) => {
        providers.push(inputs);
        return cluster;
      },
      bucket: async () => bucket,
      close: async () => {},
    }),
  };
  const answer = await call((session) => healCommand(session, means), backend, ["--stack", "dev", "--yes", ...args]);
  return { ...answer, asked, imported: imported?.deployment, providers };
}

const byPulumi = { managedFields: [{ manager: "pulumi-kubernetes-5ae60ffc", operation: "Update" }] };
const there = (object: object, metadata: object = byPulumi) => {
  const copy = structuredClone(object) as KubernetesObject;
  return { ...copy, metadata: { ...copy.metadata, uid: "u", ...metadata } };
};

describe("hearth heal", () => {
  it("takes in what is there as it was sent, by the stack's own cluster, and has it read", async () => {
    const { status, stderr, imported, asked, providers } = await heal(killed(service), {
      live: there(service.inputs ?? {}),
    });
    expect(status).toBe(0);
    expect(stderr).toContain("adopt   Service team/web: It is there as it was sent.");
    expect(providers).toEqual([provider.inputs]);
    expect(imported?.pending_operations).toEqual([]);
    expect(imported?.resources?.at(-1)).toMatchObject({
      ...service,
      id: "team/web",
      outputs: { ...service.inputs, __fieldManager: "pulumi-kubernetes-5ae60ffc", __initialApiVersion: "v1" },
    });
    expect(asked.at(-1)).toBe(`refresh dev ${service.urn} never`);
  });

  it("forgets what was not made, and what is nowhere but in the state", async () => {
    const { status, stderr, imported, asked } = await heal(killed(service, password, bucket));
    expect(status).toBe(0);
    expect(stderr.match(/forget/g)).toHaveLength(3);
    expect(imported).toEqual({ resources: [provider], pending_operations: [] });
    expect(asked.some((words) => words.startsWith("refresh"))).toBe(false);
  });

  it.each<[string, World]>([
    ["somebody else made", { live: there(service.inputs ?? {}, { managedFields: [{ manager: "kubectl-create" }] }) }],
    ["is not as it was sent", { live: there({ ...service.inputs, spec: {} }), applied: there(service.inputs ?? {}) }],
  ])("leaves an object that %s, names it, and ends with 1", async (_, world) => {
    const { status, stderr, imported } = await heal(killed(service), world);
    expect(status).toBe(1);
    expect(stderr).toContain("leave   Service team/web: ");
    expect(imported?.resources).toEqual([provider]);
  });

  it("takes in an empty bucket, and none that holds objects", async () => {
    const empty = await heal(killed(bucket), { bucket: "empty" });
    expect(empty.imported?.resources?.at(-1)).toMatchObject({ urn: bucket.urn, id: "data-team" });
    const used = await heal(killed(bucket), { bucket: "used" });
    expect([used.status, used.imported?.resources]).toEqual([1, [provider]]);
    expect(used.stderr).toContain("holds objects already");
  });

  it("puts what was deleted to be made anew back in its place, and doubles nothing that is there", async () => {
    const state = killed(service);
    const old = { ...service, id: "team/web" };
    const live = there(service.inputs ?? {});
    const replaced = {
      ...state,
      deployment: { ...state.deployment, resources: [provider, { ...old, pendingReplacement: true }] },
    };
    const { imported } = await heal(replaced, { live });
    expect(imported?.resources?.map(({ pendingReplacement }) => pendingReplacement)).toEqual([undefined, undefined]);
    const kept = { ...state, deployment: { ...state.deployment, resources: [provider, old] } };
    expect(await heal(kept, { live })).toMatchObject({ status: 0, imported: undefined });
  });

  it("compares secrets, and shows none", async () => {
    const data = { ...sign, plaintext: JSON.stringify({ password: "aHVudGVyMg==" }) };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }));
    const { stdout, stderr, status } = await heal(killed(secret), { live }, "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ stack: "dev", healed: true, locks: [], forgotten: [], foreign: [] },
      adopted: [{ urn: secret.urn, why: "It is there as it was sent." }],
    });
    expect(stdout + stderr).not.toMatch(/aHVudGVyMg|hunter2/);
  });

  it("does nothing to a stack that is well, or has had no update", async () => {
    for (const state of [killed(), { version: 3, deployment: null }]) {
      const { status, stderr, imported } = await heal(state);
      expect([status, imported]).toEqual([0, undefined]);
      expect(stderr).toContain("Nothing is to be healed");
    }
  });

  it("asks first, and without a terminal wants --yes", async () => {
    const means: Means = {
      pulumi: async ([word]) => ({
        stdout: JSON.stringify(word === "whoami" ? { url: "https://api.pulumi.com" } : killed(password)),
        stderr: "",
        succeeded: true,
      }),
      places: async () => ({ cluster: vi.fn(), bucket: vi.fn(), close: async () => {} }),
    };
    const { status, stderr } = await call((session) => healCommand(session, means), backend, ["--stack", "dev"]);
    expect(status).toBe(2);
    expect(stderr).toContain("forget  RandomPassword team/admin.password");
    expect(stderr).toContain("--yes");
  });

  it("says what Pulumi says where Pulumi fails", async () => {
    const means: Means = {
      pulumi: async () => ({ stdout: "", stderr: "error: no stack named 'dev' found", succeeded: false }),
      places: async () => ({ cluster: vi.fn(), bucket: vi.fn(), close: async () => {} }),
    };
    const { status, stderr } = await call((session) => healCommand(session, means), backend, ["--stack", "dev"]);
    expect([status, stderr]).toEqual([1, "Pulumi failed: error: no stack named 'dev' found\n"]);
  });
});

describe("in a backend that is a folder", () => {
  const lockFile = () => join(backend, ".pulumi/locks/organization/hearth/dev/a.json");
  const lock = (pid: number, host = hostname()) =>
    writeFileSync(
      lockFile(),
      JSON.stringify({ pid, username: "u", hostname: host, timestamp: "2026-01-01T00:00:00Z" }),
    );

  it("the lock of a process that has ended is released", async () => {
    const { pid } = spawnSync("true");
    lock(pid);
    const { status, stderr } = await heal(killed());
    expect([status, existsSync(lockFile())]).toEqual([0, false]);
    expect(stderr).toContain(`the lock of process ${pid} of this machine, which has ended`);
  });

  it("so is one whose process id belongs to another program by now", async () => {
    lock(process.pid);
    expect(await heal(killed())).toMatchObject({ status: 0 });
    expect(existsSync(lockFile())).toBe(false);
  });

  it("the lock of another machine's process stays, and nothing is done", async () => {
    lock(1, "elsewhere.example.org");
    const { status, stderr, imported } = await heal(killed(password));
    expect([status, imported, existsSync(lockFile())]).toEqual([1, undefined, true]);
    expect(stderr).toContain("process 1 of elsewhere.example.org works on it");
  });

  it("a note beside the state that was half written is removed", async () => {
    const note = join(backend, ".pulumi/stacks/hearth/dev.json.attrs");
    writeFileSync(note, "");
    expect(await heal(killed())).toMatchObject({ status: 0 });
    expect(existsSync(note)).toBe(false);
    writeFileSync(note, '{"user.content_type":"application/json"}');
    await heal(killed());
    expect(existsSync(note)).toBe(true);
  });
});
