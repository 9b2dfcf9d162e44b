import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { healCommand, type Means } from "@hearth-platform/cli/heal/command";
import type { Export, Resource } from "@hearth-platform/cli/heal/deployment";
import type { BucketState } from "@hearth-platform/cli/heal/finding";
import type { HistoryEntry } from "@hearth-platform/cli/heal/unnoted";
import type { PulumiOutput } from "@hearth-platform/cli/pulumi";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { Cluster, type Kind, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import { lostState } from "@hearth-platform/stack/live/preflight/lost-state";
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

/** A state of these resources, of which creates were under way. */
const withState = (resources: Resource[], ...creating: Resource[]): Export => ({
  version: 3,
  deployment: { ...killed(...creating).deployment, resources },
});

/** As a provider records it. */
const whole = (each: Resource): Resource => ({ ...each, outputs: { ...each.inputs, __inputs: each.inputs } });

const sentTo = (namespace: string) => ({ ...service.inputs, metadata: { name: "web", namespace } });

/** What is outside the state. */
interface World {
  /** The object of the name that was sent; Pulumi's unless it says another manager. */
  readonly live?: object;
  /** What the API server makes of what was sent. @default what is there */
  readonly applied?: object;
  readonly bucket?: BucketState;
  /** What the API server says to an object that is tried. @default nothing */
  readonly refused?: (object: KubernetesObject) => Error | undefined;
  /** @default none: the history is empty */
  readonly history?: readonly HistoryEntry[];
  /** What the next update would create; none: the preview fails. @default nothing */
  readonly proposed?: readonly Resource[];
  /** Why the preview fails. */
  readonly refusal?: string;
  /** The clock of the API server. @default this machine's */
  readonly date?: Date;
}

/** Runs the command on a state; says what Pulumi was asked, and the state it was given. */
async function heal(state: Export, world: World = {}, ...args: string[]) {
  const { live, applied = live, bucket = { holds: "no bucket" }, history = [], refused = () => undefined } = world;
  const { proposed = "proposed" in world ? undefined : [], date, refusal = "settings are wrong\n" } = world;
  const asked: string[] = [];
  let imported: Export | undefined;
  const providers: unknown[] = [];
  const plans: string[] = [];
  const cluster = Object.assign(Object.create(Cluster.prototype, { date: { value: date } }), {
    kind: async (): Promise<Kind> => ({ plural: "services", namespaced: true }),
    get: async () => live as KubernetesObject | undefined,
    tryApply: async (object: KubernetesObject) => {
      const refusal = refused(object);
      if (refusal) throw refusal;
      return applied as KubernetesObject;
    },
  }) as Cluster;
  const means: Means = {
    pulumi: async ([...words], { input }) => {
      asked.push(words.filter((word) => !word.startsWith("--")).join(" "));
      if (words[1] === "import") imported = JSON.parse(String(input));
      if (words[0] === "preview") {
        plans.push(String(words[words.indexOf("--save-plan") + 1]));
        return preview(proposed, String(plans.at(-1)), refusal);
      }
      const answers: Record<string, unknown> = {
        whoami: { url: `file://${backend}` },
        stack: words[1] === "history" ? history : (imported ?? state),
      };
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
  return { ...answer, asked, imported: imported?.deployment, providers, plans };
}

/** Answers as `pulumi preview --json --show-secrets --save-plan FILE` does: the plan alone has the values of secrets. */
function preview(proposed: readonly Resource[] | undefined, plan: string, message: string): PulumiOutput {
  const diagnostics = [{ severity: "error", message }];
  if (!proposed) return { stdout: JSON.stringify({ diagnostics }), stderr: "", succeeded: false };
  const steps = proposed.map(({ inputs, ...newState }) => ({
    op: "create",
    newState: { ...newState, inputs: { ...inputs, ...(inputs?.kind === "Secret" && { data: "[secret]" }) } },
  }));
  const resourcePlans = Object.fromEntries(
    proposed.map(({ urn, inputs }) => [urn, { goal: { inputDiff: { adds: inputs } } }]),
  );
  writeFileSync(plan, JSON.stringify({ resourcePlans }));
  return { stdout: JSON.stringify({ steps }), stderr: "", succeeded: true };
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
    expect(stderr).toContain("adopt   Service team/web: It exists as this stack sent it.");
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
    expect(stderr).not.toMatch(/remove|rename|delete|pulumi import/);
    expect(imported?.resources).toEqual([provider]);
  });

  it("takes in an empty bucket, and none that holds objects", async () => {
    const empty = await heal(killed(bucket), { bucket: { holds: "nothing" } });
    expect(empty.imported?.resources?.at(-1)).toMatchObject({ urn: bucket.urn, id: "data-team" });
    const used = await heal(killed(bucket), { bucket: { holds: "objects" } });
    expect([used.status, used.imported?.resources]).toEqual([1, [provider]]);
    expect(used.stderr).toContain("already holds objects");
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
  });

  it("puts an adopted object in the place of the one that was deleted for it, before what depends on it", async () => {
    const dependent = { ...resource("kubernetes:core/v1:Service", "team/after", sent("Service")), id: "team/after" };
    const old = { ...service, id: "team/web", outputs: { __inputs: {} } };
    const { imported } = await heal(
      withState([provider, { ...old, pendingReplacement: true }, whole(dependent)], service),
      {
        live: there(service.inputs ?? {}),
      },
    );
    expect(imported?.resources?.map(({ urn }) => urn)).toEqual([provider.urn, service.urn, dependent.urn]);
    expect(imported?.resources?.[1]).not.toHaveProperty("pendingReplacement");
  });

  it("has the old object deleted where the new one of another namespace was made first", async () => {
    const old = whole({ ...service, id: "old/web", inputs: sentTo("old") });
    const { imported } = await heal(withState([provider, old], service), { live: there(service.inputs ?? {}) });
    expect(imported?.resources?.slice(1)).toMatchObject([{ id: "team/web" }, { ...old, delete: true }]);
    const kept = await heal(withState([provider, { ...old, protect: true }], service), {
      live: there(service.inputs ?? {}),
    });
    expect(kept.imported?.resources).toEqual([provider, { ...old, protect: true }]);
  });

  it("drops what a later update ended, and adopts an object once that was begun twice", async () => {
    const old = whole({ ...service, id: "team/web" });
    const live = there(service.inputs ?? {});
    const { status, stderr, imported } = await heal(withState([provider, old], service), { live });
    expect([status, imported]).toEqual([0, { resources: [provider, old], pending_operations: [] }]);
    expect(stderr).toContain("forget  Service team/web: The state has it already.");
    const twice = await heal(killed(service, service), { live });
    expect(twice.imported?.resources).toHaveLength(2);
  });

  it("has an object made anew whose delete ended, and leaves one that is still there to the next update", async () => {
    const old = whole({ ...service, id: "team/web" });
    const state: Export = {
      version: 3,
      deployment: { resources: [provider, old], pending_operations: [{ type: "deleting", resource: old }] },
    };
    const gone = await heal(state);
    expect(gone.imported).toEqual({
      resources: [provider, { ...old, pendingReplacement: true }],
      pending_operations: [],
    });
    expect(gone.stderr).toContain("It was deleted; the next up makes it anew");
    const stays = await heal(state, { live: there(service.inputs ?? {}) });
    expect(stays.imported).toEqual({ resources: [provider, old], pending_operations: [] });
  });

  it("records what an object was sent, and what is there, with its secrets marked", async () => {
    const data = { ...sign, ciphertext: "v1:abc" };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }));
    const { imported } = await heal(killed(secret), { live });
    expect(imported?.resources?.at(-1)?.outputs).toMatchObject({
      metadata: { uid: "u" },
      data: { ...sign, plaintext: '{"password":"aHVudGVyMg=="}' },
      __inputs: { data },
    });
    expect(JSON.stringify(imported?.resources?.at(-1)?.outputs)).not.toContain("managedFields");
  });

  it("completes what an older heal left without what the object was sent", async () => {
    const bare = { ...service, id: "team/web", outputs: { ...service.inputs } };
    const { status, stderr, imported, asked } = await heal(withState([provider, bare]));
    expect(status).toBe(0);
    expect(stderr).toContain("adopt   Service team/web: The state lacks what it was last sent.");
    expect(imported?.resources?.[1]).toEqual({ ...bare, outputs: { ...bare.outputs, __inputs: service.inputs } });
    expect(asked.at(-1)).toBe(`refresh dev ${service.urn} never`);
    const whole = { ...bare, ...imported?.resources?.[1] };
    expect(await heal(withState([provider, whole]))).toMatchObject({ status: 0, imported: undefined });
  });

  it("names an object that differs in what never changes, and adopts the others", async () => {
    const refused = new Refusal(422, { message: 'Job.batch "web" is invalid: spec.template: field is immutable' });
    const other = resource("kubernetes:core/v1:Service", "team/other", sent("Service", { spec: {} }));
    const { status, stderr, imported } = await heal(killed(service, other), {
      live: there(service.inputs ?? {}),
      refused: (object) => ("ports" in ((object as { spec?: object }).spec ?? {}) ? refused : undefined),
    });
    expect(status).toBe(1);
    expect(stderr).toContain("leave   Service team/web: The existing object is not as this stack sent it.");
    expect(stderr).not.toContain("immutable");
    expect(imported?.resources?.map(({ urn }) => urn)).toEqual([provider.urn, other.urn]);
  });

  const plain = (value: Buffer): Resource => ({
    urn: "urn:pulumi:dev::hearth::hearth:index:Forge$random:index/randomBytes:RandomBytes::forge/keys.value",
    type: "random:index/randomBytes:RandomBytes",
    id: value.toString("base64"),
    inputs: { length: value.length },
    outputs: { hex: { ...sign, plaintext: JSON.stringify(value.toString("hex")) } },
  });

  it("rewrites values that stand in plain text in the state, and shows none", async () => {
    const bytes = plain(Buffer.alloc(32, "bytes"));
    const { status, stdout, stderr, imported, asked } = await heal(
      { version: 3, deployment: { resources: [provider, bytes] } },
      {},
      "--json",
    );
    expect(status).toBe(0);
    expect(stderr).toContain("rewrite RandomBytes forge/keys.value: Its value is encrypted and stays the same.");
    expect(JSON.parse(stdout)).toMatchObject({ healed: true, rewritten: [bytes.urn] });
    expect(imported?.resources).toMatchObject([
      provider,
      { id: "none", outputs: { result: { plaintext: JSON.stringify(Buffer.alloc(32, "bytes").toString("hex")) } } },
    ]);
    expect(stdout + stderr + JSON.stringify(imported)).not.toContain(bytes.id);
    expect(asked.some((words) => words.startsWith("preview"))).toBe(false);
  });

  it("takes in what a killed update made in the same step, and previews only the rewritten state", async () => {
    const state = killed(service);
    const bytes = plain(Buffer.alloc(32, "bytes"));
    const { asked, imported } = await heal(
      { ...state, deployment: { ...state.deployment, resources: [provider, bytes] } },
      { live: there(service.inputs ?? {}) },
    );
    expect(imported?.resources).toMatchObject([provider, { id: "none" }, { urn: service.urn, id: "team/web" }]);
    const [first, second] = ["import", "preview"].map((word) => asked.findIndex((words) => words.includes(word)));
    expect([first, second].every((at) => at !== -1) && Number(first) < Number(second)).toBe(true);
  });

  it("compares secrets, and shows none", async () => {
    const data = { ...sign, plaintext: JSON.stringify({ password: "aHVudGVyMg==" }) };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }));
    const { stdout, stderr, status } = await heal(killed(secret), { live }, "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ stack: "dev", healed: true, locks: [], rewritten: [], forgotten: [], foreign: [] },
      adopted: [{ urn: secret.urn, why: "It exists as this stack sent it." }],
    });
    expect(stdout + stderr).not.toMatch(/aHVudGVyMg|hunter2/);
  });

  it("does nothing to a stack that is well, or has had no update", async () => {
    for (const state of [killed(), { version: 3, deployment: null }]) {
      const { status, stderr, imported } = await heal(state);
      expect([status, imported]).toEqual([0, undefined]);
      expect(stderr).toContain("Nothing to heal");
    }
  });

  it("of a stack whose state is lost says so, and lists nothing", async () => {
    const refusal = `Nothing was created. ${lostState}\n- namespace team\nLeave every object in place.\n`;
    const empty = { version: 3, deployment: { resources: [] } };
    const { status, stderr, stdout, imported } = await heal(empty, { proposed: undefined, refusal }, "--json");
    expect([status, imported]).toEqual([1, undefined]);
    expect(stderr).toBe(`${lostState}\n- namespace team\nLeave every object in place.\n`);
    expect(JSON.parse(stdout)).toMatchObject({ healed: false, adopted: [], foreign: [] });
  });

  it("asks first, and without a terminal wants --yes", async () => {
    const means: Means = {
      pulumi: async ([word, second]) => ({
        stdout: JSON.stringify(
          word === "whoami" ? { url: "https://api.pulumi.com" } : second === "history" ? [] : killed(password),
        ),
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

describe("hearth heal after an update that failed, of which the state has no word", () => {
  const failed: HistoryEntry[] = [
    {
      kind: "refresh",
      result: "succeeded",
      startTime: "2026-11-20T08:10:00.000Z",
      endTime: "2026-11-20T08:10:05.000Z",
    },
    { kind: "update", result: "failed", startTime: "2026-11-20T08:05:00.000Z", endTime: "2026-11-20T08:06:00.000Z" },
    { kind: "update", result: "failed", startTime: "2026-11-20T08:00:00.000Z", endTime: "2026-11-20T08:01:00.000Z" },
    { kind: "update", result: "succeeded", startTime: "2026-11-20T07:00:00.000Z", endTime: "2026-11-20T07:01:00.000Z" },
    { kind: "update", result: "failed", startTime: "2026-11-20T06:00:00.000Z", endTime: "2026-11-20T06:01:00.000Z" },
  ];
  const failedState: Export = { version: 3, deployment: { resources: [provider] } };
  const madeAt = (creationTimestamp: string) => there(service.inputs ?? {}, { ...byPulumi, creationTimestamp });
  const proposed = [service];

  it("takes in what the next update would create, and one that failed has made", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const { status, stderr, imported, asked } = await heal(failedState, { live, proposed, history: failed });
    expect([status, stderr]).toEqual([0, expect.stringContaining("adopt   Service team/web: It exists")]);
    expect(imported?.resources?.at(-1)).toMatchObject({ ...service, id: "team/web" });
    expect(asked.at(-1)).toBe(`refresh dev ${service.urn} never`);
  });

  it("takes in what an update made that was killed later, and that the history does not have", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const other = resource("kubernetes:core/v1:Service", "team/other", sent("Service"));
    const since = (history: HistoryEntry[], state: Export) => heal(state, { live, proposed, history });
    expect(await since(failed.slice(3), killed(other))).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("adopt   Service team/web: It exists"),
    });
    const first = killed(other);
    const stack = { urn: "urn:pulumi:dev::hearth::pulumi:pulumi:Stack::hearth-dev", type: "pulumi:pulumi:Stack" };
    for (const [created, status] of [
      ["2026-11-20T07:59:00Z", 0],
      ["2026-11-20T08:02:00Z", 1],
    ] as const) {
      const resources = [{ ...stack, created }, ...(first.deployment?.resources ?? [])];
      expect(await since([], { ...first, deployment: { ...first.deployment, resources } })).toMatchObject({ status });
    }
  });

  it.each(["07:00:30", "06:00:30"])("names what was made at %s, before such an update, and leaves it", async (time) => {
    const live = madeAt(`2026-11-20T${time}Z`);
    const { status, stderr, imported } = await heal(failedState, { live, proposed, history: failed });
    expect([status, imported]).toEqual([1, undefined]);
    expect(stderr).toContain("leave   Service team/web: It is older than the updates of this stack that failed.");
  });

  it("reckons with another clock of the API server", async () => {
    const hour = 3_600_000;
    const live = madeAt("2026-11-20T09:00:30Z");
    const world = { live, proposed, history: failed, date: new Date(Date.now() + hour) };
    expect(await heal(failedState, world)).toMatchObject({ status: 0 });
  });

  it("names what is there otherwise than this stack would send it, or of which part is not known", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const other = { ...live, spec: { ports: [{ port: 81 }] } };
    const changed = await heal(failedState, { live: other, applied: live, proposed, history: failed });
    expect(changed.stderr).toContain("leave   Service team/web: The existing object is not as this stack sent it.");
    const unknown = { ...service, inputs: sent("Service", { spec: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }) };
    const { status, stderr, imported } = await heal(failedState, { live, proposed: [unknown], history: failed });
    expect([status, imported]).toEqual([1, undefined]);
    expect(stderr).toContain("leave   Service team/web: Part of what the stack would send is only known");
  });

  it("takes in a Secret with its values, and shows none", async () => {
    const data = { ...sign, plaintext: JSON.stringify({ password: "aHVudGVyMg==" }) };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }), {
      ...byPulumi,
      creationTimestamp: "2026-11-20T08:00:30Z",
    });
    const { status, stdout, stderr, imported, plans } = await heal(
      failedState,
      { live, proposed: [secret], history: failed },
      "--json",
    );
    expect(status).toBe(0);
    expect(imported?.resources?.at(-1)?.inputs?.data).toEqual(data);
    expect(plans).toHaveLength(1);
    expect(existsSync(String(plans[0]))).toBe(false);
    expect(stdout + stderr).not.toMatch(/aHVudGVyMg|hunter2/);
  });

  it("takes in an empty bucket of that time, and no older one, or of which that can't be asked", async () => {
    const world = (made?: string) => ({
      ...{ proposed: [bucket], history: failed },
      bucket: { holds: "nothing", made: made === undefined ? undefined : new Date(made) } as const,
    });
    expect(await heal(failedState, world("2026-11-20T08:05:30Z"))).toMatchObject({ status: 0 });
    for (const made of ["2026-11-20T06:30:00Z", undefined])
      expect(await heal(failedState, world(made))).toMatchObject({ status: 1, imported: undefined });
  });

  it("is silent about what is not there, and previews nothing where no update failed", async () => {
    const none = await heal(failedState, { proposed: [service, bucket, password], history: failed });
    expect([none.status, none.stderr]).toEqual([0, expect.stringContaining("Nothing to heal")]);
    const well = await heal(failedState, { proposed, history: failed.slice(3) });
    expect([well.status, well.asked.filter((words) => words.startsWith("preview"))]).toEqual([0, []]);
  });

  it("leaves what a provider would have sent that is not made, or that the state has already", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const unmade = { version: 3, deployment: { resources: [] } };
    expect(await heal(unmade, { live, proposed, history: failed })).toMatchObject({ status: 0, imported: undefined });
    const known = { ...failedState, deployment: { resources: [provider, whole({ ...service, id: "team/web" })] } };
    expect(await heal(known, { live, proposed, history: failed })).toMatchObject({ status: 0, imported: undefined });
  });

  it("takes in what the state says was under way, where the preview fails, and says why it can't tell the rest", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const { status, stderr, imported } = await heal(killed(service), { live, proposed: undefined, history: failed });
    expect(status).toBe(1);
    expect(stderr).toContain("because a preview fails:\nsettings are wrong\n");
    expect(imported?.resources?.at(-1)).toMatchObject({ urn: service.urn, id: "team/web" });
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

  it("the lock of a process whose id belongs to another program by now is released", async () => {
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
