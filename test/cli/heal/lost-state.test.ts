import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { healCommand } from "@hearth-platform/cli/heal/command";
import type { Export, StateResource } from "@hearth-platform/cli/heal/deployment";
import type { BucketState } from "@hearth-platform/cli/heal/finding";
import type { HealMeans } from "@hearth-platform/cli/heal/stack-state";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { afterAll, describe, expect, it } from "vitest";
import { call } from "../../support/caller.ts";
import { smallStack, withSettings, writeStack } from "../../support/stack-files.ts";

/** `hearth heal --lost-state` on a part of stack `dev`: the suite team with one of its Secrets, a Service and a bucket. */

const folder = mkdtempSync(join(tmpdir(), "hearth-lost-"));
writeStack(withSettings(smallStack(), { siteWebhook: undefined }), folder, "Pulumi.dev.yaml");
afterAll(() => rmSync(folder, { recursive: true }));

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const sign = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secret = (value: unknown) => ({ ...sign, plaintext: JSON.stringify(value) });
const urn = (type: string, name: string) => `urn:pulumi:dev::hearth::${type}::${name}`;

const root: StateResource = {
  urn: urn("pulumi:pulumi:Stack", "hearth-dev"),
  type: "pulumi:pulumi:Stack",
  custom: false,
};
const [cluster, store, random] = [
  ["kubernetes", "cluster", { context: "production" }],
  ["aws", "store", { region: "fsn1" }],
  ["random", "default_4_21_2", { version: "4.21.2" }],
].map(([type, name, inputs]): StateResource => {
  const token = `pulumi:providers:${type}`;
  return {
    urn: urn(token, String(name)),
    type: token,
    custom: true,
    inputs: inputs as object & StateResource["inputs"],
  };
}) as [StateResource, StateResource, StateResource];
const team: StateResource = {
  ...{ urn: urn("hearth:index:CloudSuite", "team"), type: "hearth:index:CloudSuite", custom: false, parent: root.urn },
  inputs: { name: "team" },
};

function inTeam(
  type: string,
  name: string,
  provider: StateResource,
  inputs: object,
  more: Partial<StateResource> = {},
): StateResource {
  const own = { urn: urn(`hearth:index:CloudSuite$${type}`, `team/${name}`), type, custom: true, parent: team.urn };
  return { ...own, inputs: { ...inputs }, provider: `${provider.urn}::${unknown}`, ...more };
}

const labels = { "app.kubernetes.io/managed-by": "hearth" };
const sent = (kind: string, name: string, more: object = {}) => ({
  ...{ apiVersion: "v1", kind, metadata: { name, namespace: "team", labels }, ...more },
});
const password = inTeam("random:index/randomPassword:RandomPassword", "cloudsuite-admin.password", random, {
  ...{ length: 32, special: false, keepers: { revision: "0" } },
});
const admin = inTeam(
  "kubernetes:core/v1:Secret",
  "cloudsuite-admin",
  cluster,
  sent("Secret", "cloudsuite-admin", { type: "Opaque", data: secret(unknown) }),
  { protect: true, dependencies: [password.urn] },
);
const service = inTeam("kubernetes:core/v1:Service", "web", cluster, sent("Service", "web", { spec: { port: 80 } }), {
  dependencies: [admin.urn],
});
const bucket = inTeam("aws:s3/bucket:Bucket", "data-team-dev1", store, { bucket: "data-team-dev1" });
const image = inTeam("docker-build:index:Image", "image", random, { tags: ["registry.example.org/a:1"], push: true });
const everything = [root, cluster, store, team, password, admin, service, bucket];

const byPulumi = { managedFields: [{ manager: "pulumi-kubernetes-5ae60ffc" }], uid: "u" };
const byHand = { managedFields: [{ manager: "kubectl-create" }], uid: "u" };
const live = (object: object, more: object = byPulumi) => {
  const { metadata, ...rest } = object as KubernetesObject;
  return { ...rest, metadata: { ...metadata, ...more } };
};
const base64 = (text: string) => Buffer.from(text).toString("base64");
const value = "Gm8XgJiGjMVeq15u2qgxRoe4Ygn7jidE";
const data = { username: base64("admin"), password: base64(value) };
const liveAdmin = live(sent("Secret", "cloudsuite-admin", { type: "Opaque", data }));
const liveService = live(sent("Service", "web", { spec: { port: 80 } }));

interface World {
  readonly objects?: readonly object[];
  readonly bucket?: BucketState;
  readonly state?: readonly StateResource[];
  /** False of a stack that was begun and never updated, in some backends. @default true */
  readonly isEncrypted?: boolean;
  readonly steps?: readonly { op: string; urn?: string; newState?: StateResource }[];
  /** Of every image. @default the registry does not tell */
  readonly digest?: string;
  /** Fields of every resource that something in the cluster owns. */
  readonly ignored?: readonly string[];
  /** @default Pulumi.dev.yaml, which is sound */
  readonly configFile?: string;
  /** What a person answers. @default the command is called with --yes */
  readonly agrees?: boolean;
  /** What the API server makes of what is sent. @default what is there */
  readonly applied?: (object: KubernetesObject) => object;
}

const own: BucketState = { holds: "objects", isOwn: true, region: "fsn1" };
const creates = everything.map((newState) => ({ op: "create", newState }));

async function heal({
  objects = [liveAdmin, liveService],
  bucket = own,
  state = [],
  isEncrypted = true,
  steps = creates,
  applied,
  digest,
  ignored,
  agrees,
  configFile = "Pulumi.dev.yaml",
}: World = {}) {
  const there = (object: KubernetesObject) =>
    (objects as KubernetesObject[]).find(
      ({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name,
    );
  const api = Object.assign(Object.create(LiveCluster.prototype, { date: { value: undefined } }), {
    kind: async () => ({ plural: "x", namespaced: true }),
    get: async (object: KubernetesObject) => there(object),
    tryApply: async (object: KubernetesObject) => applied?.(object) ?? there(object),
  }) as LiveCluster;
  const asked: string[] = [];
  const passed: unknown[] = [];
  let imported: Export | undefined;
  const before: Export = { version: 3, deployment: isEncrypted ? { secrets_providers: {}, resources: state } : null };
  const means: HealMeans = {
    pulumi: async ([...words], { input, env }) => {
      asked.push(words.filter((word) => !word.startsWith("--")).join(" "));
      if (words[1] === "import") imported = JSON.parse(String(input));
      if (words[0] === "preview") {
        passed.push(env);
        writeFileSync(
          String(words[words.indexOf("--save-plan") + 1]),
          JSON.stringify({ resourcePlans: plans(steps, ignored) }),
        );
        return { stdout: JSON.stringify({ steps: steps.map(hidden) }), stderr: "", succeeded: true };
      }
      const answer = words[0] === "whoami" ? { url: "s3://states" } : before;
      return { stdout: JSON.stringify(answer), stderr: "", succeeded: true };
    },
    places: async () => ({
      cluster: async () => api,
      bucket: async () => bucket,
      digest: async () => digest,
      close: async () => {},
    }),
  };
  const yes = agrees === undefined ? ["--yes"] : [];
  const args = ["--stack", "dev", "--lost-state", ...yes, "--json", "--config-file", configFile];
  const answer = await call((session) => healCommand(session, means), folder, args, undefined, agrees);
  const resources = new Map((imported?.deployment?.resources ?? []).map((each) => [each.urn, each]));
  return { ...answer, asked, passed, resources, names: [...resources.keys()].map((each) => each.split("::").at(-1)) };
}

/** The plan of a preview: it alone has the default providers, and what a preview knows of outputs. */
function plans(steps: NonNullable<World["steps"]>, ignoreChanges: World["ignored"]) {
  const made = steps.flatMap(({ newState }) => {
    if (!newState) return [];
    const { urn, inputs, type } = newState;
    return [[urn, { goal: { type, inputDiff: { adds: inputs }, ignoreChanges }, state: outputsOf(inputs) }]];
  });
  return {
    ...Object.fromEntries(made),
    [random.urn]: { goal: { type: random.type, inputDiff: { adds: random.inputs } } },
  };
}

const outputsOf = (inputs: StateResource["inputs"]) => ({ ...inputs, result: secret(unknown), lower: true });

/** A step without the values of secrets. */
const hidden = ({ newState, ...step }: NonNullable<World["steps"]>[number]) => ({
  ...step,
  newState: newState && {
    ...newState,
    inputs: { ...newState.inputs, ...(newState === admin && { data: "[secret]" }) },
  },
});

describe("hearth heal --lost-state", () => {
  it("makes the whole state anew, in the engine's order, and has buckets read", async () => {
    const { status, stderr, stdout, resources, names, asked, passed } = await heal();
    expect([status, stderr]).toEqual([0, expect.stringContaining("The state of stack dev is empty.")]);
    expect(passed).toEqual([{ HEARTH_HEALS: "lost-state" }]);
    const order = ["hearth-dev", "cluster", "store", "team", "default_4_21_2"];
    expect(names).toEqual([
      ...order,
      "team/cloudsuite-admin.password",
      "team/cloudsuite-admin",
      "team/web",
      "team/data-team-dev1",
    ]);
    expect(asked.at(-1)).toMatch(new RegExp(`^refresh dev .*${RegExp.escape(bucket.urn)} never$`));
    expect(resources.get(service.urn)).toMatchObject({
      ...{ id: "team/web", provider: `${cluster.urn}::${resources.get(cluster.urn)?.id}` },
      outputs: { metadata: { uid: "u" }, __inputs: service.inputs, __fieldManager: "pulumi-kubernetes-5ae60ffc" },
    });
    expect(resources.get(cluster.urn)?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(resources.get(team.urn)).not.toHaveProperty("id");
    expect(JSON.parse(stdout)).toMatchObject({ healed: true, foreign: [], forgotten: [] });
  });

  it("takes generated values from their Secrets, marked as secrets, and shows none", async () => {
    const { resources, stdout, stderr } = await heal();
    expect(resources.get(password.urn)).toMatchObject({
      ...{ id: "none", inputs: password.inputs },
      outputs: { ...password.inputs, lower: true, result: secret(value), bcryptHash: sign },
    });
    expect(resources.get(admin.urn)).toMatchObject({
      ...{ protect: true, inputs: { data: secret(data) } },
      outputs: { data: secret(data), __inputs: { data: secret(data) } },
    });
    const bare = JSON.stringify([...resources], (_, each) => (each?.plaintext ? "a secret" : each));
    for (const form of [value, base64(value)]) {
      expect(bare).not.toContain(form);
      expect(stdout + stderr).not.toContain(form);
    }
  });

  it.each<[string, World, string, string]>([
    [
      "an object of others",
      { objects: [liveAdmin, live(liveService, byHand)] },
      "Service team/web",
      "Pulumi did not make the existing object.",
    ],
    [
      "an object that differs",
      { applied: (object) => (object.kind === "Service" ? { ...liveService, spec: { port: 81 } } : liveAdmin) },
      "Service team/web",
      "The existing object is not as this stack sent it: spec.port.",
    ],
    [
      "a bucket of others",
      { bucket: { holds: "objects", isOwn: false } },
      "Bucket team/data-team-dev1",
      "It is not among the buckets of your keys",
    ],
    [
      "a bucket elsewhere",
      { bucket: { ...own, region: "nbg1" } },
      "Bucket team/data-team-dev1",
      "It is in nbg1, and the settings say fsn1.",
    ],
  ])(
    "leaves and names what is not proven to be the stack's, and takes in all else: %s",
    async (_, world, name, why) => {
      const { status, stderr, stdout, names } = await heal(world);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`leave   ${name}: ${why}`)]);
      expect(stderr).not.toMatch(/\b(?:delet|remov|unprotect|replac|pulumi import)/);
      expect(names).not.toContain(name.split(" ")[1]);
      expect(names).toContain("team/cloudsuite-admin");
      expect(JSON.parse(stdout)).toMatchObject({ healed: false, foreign: [{ why: expect.stringContaining(why) }] });
    },
  );

  it("leaves a Secret whose values are not as the stack makes them, with what would have made them", async () => {
    const other = live(sent("Secret", "cloudsuite-admin", { data: { ...data, username: base64("root") } }));
    const { status, stderr, resources } = await heal({ objects: [other, liveService] });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/leave {3}Secret team\/cloudsuite-admin: .*: username\./),
    ]);
    expect([resources.has(password.urn), resources.has(admin.urn)]).toEqual([false, false]);
    // What is not there is named by nothing.
    expect(resources.get(service.urn)?.dependencies).toEqual([]);
  });

  it("takes no value from a Secret of others, even if the stack could have made it", async () => {
    const { status, resources } = await heal({ objects: [live(liveAdmin, byHand), liveService] });
    expect([status, resources.has(password.urn), resources.has(admin.urn)]).toEqual([1, false, false]);
  });

  it("says what the next update makes, and takes in no component of which nothing is there", async () => {
    const some = await heal({ objects: [liveAdmin] });
    expect([some.status, some.stderr]).toEqual([
      0,
      expect.stringContaining("forget  Service team/web: It does not exist"),
    ]);
    const none = await heal({ objects: [], bucket: { holds: "no bucket" } });
    expect([none.status, none.names, none.stderr]).toEqual([0, [], expect.stringContaining("knows all that is there")]);
  });

  it("takes what owns a field in the cluster at its word: an autoscaler's replicas are no difference", async () => {
    const scaled = { ...liveService, spec: { port: 81 } };
    const applied = (object: KubernetesObject) => (object.kind === "Service" ? { ...live(object) } : liveAdmin);
    const { status, resources } = await heal({ objects: [liveAdmin, scaled], applied, ignored: ["spec.port"] });
    expect([status, resources.get(service.urn)?.inputs]).toEqual([0, sent("Service", "web", { spec: { port: 81 } })]);
    expect(await heal({ objects: [liveAdmin, scaled], applied })).toMatchObject({ status: 1 });
  });

  it("records an image with the digest of its registry; the next update builds one again that is not there", async () => {
    const steps = [...creates, { op: "create", newState: image }];
    const digest = `sha256:${"a".repeat(64)}`;
    const there = await heal({ steps, digest });
    expect(there.resources.get(image.urn)).toMatchObject({
      ...{ id: digest, outputs: { ...image.inputs, digest, ref: `registry.example.org/a:1@${digest}` } },
    });
    const gone = await heal({ steps });
    expect([gone.status, gone.resources.has(image.urn)]).toEqual([0, false]);
    expect(gone.stderr).toContain("forget  Image team/image: It does not exist; the next up makes it.");
  });

  it("takes no secrets into a state that has no encryption yet", async () => {
    const { status, stderr, asked } = await heal({ isEncrypted: false });
    expect([status, stderr]).toEqual([1, expect.stringContaining("says nothing of its encryption. Run `pulumi up")]);
    expect(asked.some((words) => words.includes("import"))).toBe(false);
  });

  it("asks Pulumi nothing for a stack whose settings are wrong", async () => {
    writeStack(withSettings(smallStack(), { profile: "devel" }), folder, "Pulumi.wrong.yaml");
    const { status, stderr, asked } = await heal({ configFile: "Pulumi.wrong.yaml" });
    expect([status, asked]).toEqual([1, []]);
    expect(stderr).toContain("hearth:profile");
  });

  it("changes nothing after a no, which is no success", async () => {
    const { status, stdout, stderr, asked } = await heal({ agrees: false });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/\nNothing was changed\.\n$/);
    expect(asked.some((words) => words.includes("import"))).toBe(false);
  });

  it("stops where a Secret is gone that can't be had again, and what needs it is there", async () => {
    const { status, stderr, asked } = await heal({ objects: [liveService] });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("- team/cloudsuite-admin\nPut them back from a backup"),
    ]);
    expect(asked.some((words) => words.includes("import"))).toBe(false);
  });
});

describe("an older copy of the state", () => {
  const recorded = (resource: StateResource, provider?: StateResource): StateResource => ({
    ...{ ...resource, id: "1", outputs: { __inputs: resource.inputs, arn: "arn" } },
    ...(provider && { provider: `${provider.urn}::1` }),
  });
  const { id: _, ...oldTeam } = recorded(team);
  const old = [root, recorded(cluster), recorded(store), oldTeam];
  const newTeam = { ...team, inputs: { name: "team", robots: 1 } };
  const change = (newState: StateResource, op = "create") => ({
    op,
    newState: { ...newState, provider: `${cluster.urn}::1` },
  });
  const before = { ...service, inputs: sent("Service", "web", { spec: { port: 79 } }) };

  it("gets what it lacks, and what has changed since: with the component's record only where all of it is there", async () => {
    const steps = [{ op: "update", newState: newTeam }, change(service, "update"), ...creates.slice(4, 6)];
    const state = [...old, recorded(before, cluster)];
    const { status, stderr, resources, asked } = await heal({ steps, state });
    expect([status, stderr]).toEqual([0, expect.stringContaining("lacks a part of what is there")]);
    expect(resources.get(service.urn)).toMatchObject({ provider: `${cluster.urn}::1`, inputs: service.inputs });
    expect(resources.get(team.urn)?.inputs).toEqual(newTeam.inputs);
    expect(resources.size).toBe(8);
    expect(asked.at(-1)).toBe("stack import dev never");
    const partly = await heal({ steps, state, objects: [liveAdmin] });
    expect([partly.status, partly.resources.get(team.urn)?.inputs]).toEqual([0, team.inputs]);
    expect(partly.resources.get(service.urn)?.inputs).toEqual(before.inputs);
  });

  it("has objects that a later update has deleted: the state forgets those that are gone", async () => {
    const other = inTeam("kubernetes:core/v1:Service", "other", cluster, sent("Service", "other"));
    const state = [...old, recorded(before, cluster), recorded(other, cluster)];
    const steps = [service, other].map(({ urn }) => ({ op: "delete", urn }));
    const { status, stderr, resources } = await heal({ steps, state });
    expect([status, stderr]).toEqual([0, expect.stringContaining("forget  Service team/other: It is gone, and the")]);
    expect([resources.has(service.urn), resources.has(other.urn)]).toEqual([true, false]);
    const kept = await heal({ steps, state: state.map((each) => ({ ...each, protect: true })) });
    expect(kept.asked.some((words) => words.includes("import"))).toBe(false);
  });

  it("with everything in it is left as it is", async () => {
    const { status, stderr, asked } = await heal({ steps: [], state: old });
    expect([status, stderr]).toEqual([0, expect.stringContaining("knows all that is there")]);
    expect(asked.some((words) => words.includes("import"))).toBe(false);
  });
});
