import { defineComponent } from "@hearth-platform/hearth/core/component";
import { createPlan } from "@hearth-platform/hearth/core/create";
import { begin } from "@hearth-platform/hearth/core/create-component";
import { joinPlans, type KubernetesObject, type Plan, type PlannedSecret } from "@hearth-platform/hearth/core/plan";
import { block } from "@hearth-platform/hearth/core/schema";
import { Database } from "@hearth-platform/hearth/stores/database/database";
import { Keystore } from "@hearth-platform/hearth/stores/keystore/keystore";
import { ObjectStorage } from "@hearth-platform/hearth/stores/object-storage/object-storage";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import {
  isSecret,
  mockBytes,
  mockHash,
  mockHex,
  mockPassword,
  mockPrivateKey,
  mockPublicKey,
  type RegisteredResource,
  registered,
  secretValue,
  waitsFor,
} from "../../support/pulumi-mocks.ts";
import { forgeDatabase, withPlatform } from "../stores/database/forge-database.ts";
import { forgeKeystore } from "../stores/keystore/keystore.ts";

const { platform } = forgeKeystore;
class Test extends pulumi.ComponentResource {
  constructor(plan: Partial<Plan>, allowDataLoss?: string[]) {
    super("hearth:index:Test", "test");
    createPlan(this, "test", joinPlans(plan), { allowDataLoss });
    this.registerOutputs();
  }
}
const created = (plan: Partial<Plan>, allowDataLoss?: string[]) => registered(() => void new Test(plan, allowDataLoss));

function find(resources: readonly RegisteredResource[], type: string, name: string): RegisteredResource {
  const found = resources.find((resource) => resource.type === type && resource.name === name);
  if (!found) throw new Error(`${type} ${name} is not registered: ${resources.map((each) => each.name).join(", ")}.`);
  return found;
}
const secretType = "kubernetes:core/v1:Secret";
const passwordType = "random:index/randomPassword:RandomPassword";

describe("a value of another component's Secret", () => {
  const made = { name: "client", namespace: "forge", revision: 0, data: { secret: { password: 20 } } };
  const copy = {
    name: "sign-on",
    namespace: "team",
    revision: 0,
    data: { "client-secret": { copyOf: { namespace: "forge", name: "client", key: "secret" } } },
  };
  const component = (name: string, secret: PlannedSecret) =>
    defineComponent({
      name,
      schema: block(`${name}Args`, "Nothing.", {}),
      rules: () => [],
      stages: () => [[{ plan: joinPlans({ secrets: [secret] }) }]],
      outputs: () => ({}),
    });
  class Part extends pulumi.ComponentResource {
    constructor(name: string, secret: PlannedSecret, options?: pulumi.ComponentResourceOptions) {
      const begun = begin(component(name, secret), name, {}, options);
      super(...begun.resource);
      this.registerOutputs(begun.create(this));
    }
  }

  test("is the same, and a secret in state too", async () => {
    const resources = await registered(() => {
      const maker = new Part("Maker", made);
      new Part("Taker", copy, { dependsOn: [new Part("Other", { ...made, namespace: "club" }), maker] });
    });
    const { inputs } = find(resources, secretType, "Taker/sign-on");
    expect(isSecret(inputs.data)).toBe(true);
    const { "client-secret": value = "" } = secretValue(inputs.data) as Record<string, string>;
    expect(Buffer.from(value, "base64").toString()).toBe(mockPassword);
    expect(resources.filter(({ type, name }) => type === passwordType && name.startsWith("Taker"))).toEqual([]);
  });

  test.each([
    ["none", () => []],
    ["one with a Secret of that name in another namespace", () => [new Part("Maker", { ...made, namespace: "club" })]],
  ])("is refused where the component depends on %s", async (_, dependsOn) => {
    const resources = await registered(() => {
      const options = { dependsOn: dependsOn() };
      expect(() => new Part("Taker", copy, options)).toThrow(
        "Secret team/sign-on has the value secret of Secret forge/client, which no component generates that it depends on. Create that component first, in the same program, and name it in dependsOn.",
      );
    });
    expect(resources.filter(({ name }) => name.startsWith("Taker"))).toEqual([]);
  });
});

describe("a plan's Secret", () => {
  const secret = {
    name: "keys",
    namespace: "forge",
    revision: 3,
    data: {
      user: { value: "app" },
      password: { password: 20 },
      raw: { bytes: 32 },
      digits: { hex: 20 },
      url: { template: "x://{user}:{password}" },
    },
  };

  test("is made of random values in state and never plain", async () => {
    const resources = await created({ secrets: [secret] });
    const password = find(resources, passwordType, "test/keys.password");
    expect(password.inputs).toEqual({ length: 20, special: false, keepers: { revision: "3" } });
    // The id of RandomBytes is its value, and an id is no secret.
    expect(resources.filter(({ type }) => type.includes("RandomBytes"))).toEqual([]);
    const digits = { special: true, overrideSpecial: "0123456789abcdef", upper: false, lower: false, numeric: false };
    for (const [name, length] of [
      ["raw", 64],
      ["digits", 40],
    ])
      expect(find(resources, passwordType, `test/keys.${name}`).inputs).toEqual({
        ...{ length, ...digits, keepers: { revision: "3" } },
      });
    // Where the state still has it as bytes, the engine replaces no protected one.
    const bytes = "random:index/randomBytes:RandomBytes";
    expect(resources.filter(({ formerTypes }) => formerTypes.includes(bytes)).map(({ name }) => name)).toEqual([
      "test/keys.raw",
      "test/keys.digits",
    ]);
    const { inputs } = find(resources, secretType, "test/keys");
    expect(isSecret(inputs.data)).toBe(true);
    const data = secretValue(inputs.data) as Record<string, string>;
    expect(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()])).toEqual([
      ["digits", mockHex],
      ["password", mockPassword],
      ["raw", mockBytes],
      ["url", `x://app:${mockPassword}`],
      ["user", "app"],
    ]);
  });

  test("without values has no data: somebody else fills it", async () => {
    const resources = await created({ secrets: [{ ...secret, data: {} }] });
    expect(find(resources, secretType, "test/keys").inputs).not.toHaveProperty("data");
  });

  test("hold a hash that was made with its password, once", async () => {
    const data = {
      password: { password: 32, mixed: true },
      hash: { bcrypt: "password" },
      line: { template: "user:{hash}" },
    };
    const resources = await created({ secrets: [{ name: "keys", namespace: "forge", revision: 0, data }] });
    expect(resources.filter(({ type }) => type === passwordType).map(({ inputs }) => inputs)).toMatchObject([
      { length: 32, special: false, minLower: 1, minUpper: 1, minNumeric: 1 },
    ]);
    const inputs = find(resources, secretType, "test/keys").inputs.data;
    const texts = Object.entries(secretValue(inputs) as Record<string, string>).map(([key, text]) => [
      key,
      Buffer.from(text, "base64").toString(),
    ]);
    expect(Object.fromEntries(texts)).toEqual({ password: mockPassword, hash: mockHash, line: `user:${mockHash}` });
  });

  test("hold both halves of one key", async () => {
    const data = { key: { privateKey: "RSA", form: "pem" }, "key.pub": { publicKeyOf: "key" } } as const;
    const resources = await created({ secrets: [{ name: "keys", namespace: "forge", revision: 0, data }] });
    expect(resources.filter(({ type }) => type === "tls:index/privateKey:PrivateKey")).toHaveLength(1);
    const values = Object.entries(secretValue(find(resources, secretType, "test/keys").inputs.data) as object);
    expect(values.map(([key, text]) => [key, Buffer.from(text, "base64").toString()])).toEqual([
      ["key", mockPrivateKey],
      ["key.pub", mockPublicKey],
    ]);
  });

  test("that may never change is protected, and no revision changes it", async () => {
    const resources = await created({ secrets: [{ ...secret, neverChanges: true }] });
    const password = find(resources, passwordType, "test/keys.password");
    expect(password).toMatchObject({ protect: true, retainOnDelete: true, inputs: { keepers: { revision: "0" } } });
    expect(find(resources, secretType, "test/keys")).toMatchObject({ protect: true, retainOnDelete: true });
    const unlocked = await created({ secrets: [{ ...secret, neverChanges: true }] }, ["forge/keys"]);
    expect(find(unlocked, passwordType, "test/keys.password").protect).toBe(false);
    expect(find(unlocked, secretType, "test/keys").protect).toBe(false);
  });

  test("of the same name elsewhere is unlocked by itself alone", async () => {
    const resources = await created({ secrets: [{ ...secret, neverChanges: true }] }, ["keys", "other/keys"]);
    expect(find(resources, secretType, "test/keys").protect).toBe(true);
  });
});

describe("a plan's objects", () => {
  const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "forge" } };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "forge" } };
  const custom: KubernetesObject = { apiVersion: "example.org/v1", kind: "Thing", metadata: { name: "thing" } };

  test("that hold data are protected and kept, unless the stack says that theirs may be lost", async () => {
    const plan = { objects: [{ object: claim, holdsData: true }, { object: namespace }] };
    const type = "kubernetes:core/v1:PersistentVolumeClaim";
    expect(find(await created(plan), type, "test/data")).toMatchObject({ protect: true, retainOnDelete: true });
    expect(find(await created(plan, ["forge/data"]), type, "test/data")).toMatchObject({
      protect: false,
      retainOnDelete: false,
    });
  });

  test("wait for their namespace, also the Secrets", async () => {
    const secret = { name: "keys", namespace: "forge", revision: 0, data: { password: { password: 8 } } };
    const resources = await created({ objects: [{ object: claim }, { object: namespace }], secrets: [secret] });
    const wanted = "kubernetes:core/v1:Namespace::test/forge";
    expect(find(resources, "kubernetes:core/v1:PersistentVolumeClaim", "test/data").dependsOn).toContain(wanted);
    expect(find(resources, secretType, "test/keys").dependsOn).toContain(wanted);
  });

  test("of other groups are custom resources, with the options of their plan", async () => {
    const planned = { object: custom, ignoreChanges: ["spec.a"], replaceOnChanges: ["spec.b"] };
    expect(find(await created({ objects: [planned] }), "kubernetes:example.org/v1:Thing", "test/thing")).toMatchObject({
      parent: "hearth:index:Test::test",
      inputs: { apiVersion: "example.org/v1", kind: "Thing" },
      ignoreChanges: ["spec.a"],
      replaceOnChanges: ["spec.b"],
    });
  });
});

describe("the components", () => {
  test("Keystore: alone it needs no ingress, as it has no public host", async () => {
    const resources = await registered(
      () => void new Keystore("jobs", { ...forgeKeystore, platform: { profile: "development" } }),
    );
    expect(find(resources, "kubernetes:apps/v1:StatefulSet", "jobs/keystore")).toBeDefined();
  });

  test("Keystore: the pod waits for its volume, configuration and password", async () => {
    const resources = await registered(() => void new Keystore("forge", forgeKeystore));
    expect(find(resources, "kubernetes:apps/v1:StatefulSet", "forge/keystore").dependsOn).toEqual(
      expect.arrayContaining([
        "kubernetes:core/v1:PersistentVolumeClaim::forge/data-keystore-0",
        "kubernetes:core/v1:ConfigMap::forge/keystore",
        "kubernetes:core/v1:Secret::forge/keystore-password",
      ]),
    );
    expect(find(resources, "hearth:index:Keystore", "forge").beforeUpdate).toEqual(["hearth:index:Keystore/forge"]);
  });

  test("Database: the cluster is protected, pooler and databases wait for it", async () => {
    const resources = await registered(() => void new Database("forge-db", forgeDatabase));
    const cluster = "kubernetes:postgresql.cnpg.io/v1:Cluster";
    expect(find(resources, cluster, "forge-db/forge-db").protect).toBe(true);
    const pooler = find(resources, "kubernetes:postgresql.cnpg.io/v1:Pooler", "forge-db/forge-db-pooler");
    expect(pooler.dependsOn).toContain(`${cluster}::forge-db/forge-db`);
    expect(pooler.replaceOnChanges).toEqual(["spec.cluster.name"]);
    expect(find(resources, "hearth:index:Database", "forge-db").beforeUpdate).toHaveLength(1);
  });

  test("Database: with allowDataLoss its cluster can go", async () => {
    const resources = await registered(
      () => void new Database("forge-db", withPlatform({ allowDataLoss: ["forge/forge-db"] })),
    );
    expect(find(resources, "kubernetes:postgresql.cnpg.io/v1:Cluster", "forge-db/forge-db").protect).toBe(false);
  });

  test("ObjectStorage: buckets are protected, with their versions and no tag or other setting", async () => {
    const args = {
      endpoint: "https://fsn1.your-objectstorage.com",
      region: "fsn1",
      credentials: "keys",
      buckets: [
        { name: "data-team-a1b2", versioning: true, expireVersionsAfterDays: 30 },
        { name: "backups-team-a1b2", versioning: false },
      ],
      platform,
    };
    const resources = await registered(() => void new ObjectStorage("team", args));
    const bucket = find(resources, "aws:s3/bucket:Bucket", "team/data-team-a1b2");
    expect(bucket).toMatchObject({ inputs: { bucket: "data-team-a1b2" }, protect: true, retainOnDelete: true });
    expect(bucket.inputs).toEqual({
      bucket: "data-team-a1b2",
      lifecycleRules: [{ id: "former-versions", enabled: true, prefix: "", noncurrentVersionExpiration: { days: 30 } }],
    });
    expect(find(resources, "aws:s3/bucket:Bucket", "team/backups-team-a1b2").inputs).toEqual({
      bucket: "backups-team-a1b2",
    });
    const made = resources.filter(({ type }) => type.startsWith("aws:")).map(({ type, name }) => `${type} ${name}`);
    expect(made.toSorted()).toEqual([
      "aws:s3/bucket:Bucket team/backups-team-a1b2",
      "aws:s3/bucket:Bucket team/data-team-a1b2",
      "aws:s3/bucketVersioning:BucketVersioning team/data-team-a1b2",
    ]);
  });

  test("children wait for what their component depends on: the first names it, and the others wait for the first", async () => {
    const resources = await registered(() => {
      const keystore = new Keystore("forge", forgeKeystore);
      new Database("forge-db", forgeDatabase, { dependsOn: [keystore] });
    });
    const outside = "kubernetes:apps/v1:StatefulSet::forge/keystore";
    const own = resources.filter(({ parent, type }) => parent.endsWith("::forge-db") && type.startsWith("kubernetes:"));
    expect(own.filter(({ dependsOn }) => dependsOn.includes(outside))).toHaveLength(1);
    for (const { name, dependsOn } of own) expect(waitsFor(resources, dependsOn), name).toContain(outside);
  });

  test("children of a component that depends on nothing wait for what they name, and for nothing else", async () => {
    const named = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "other" } });
    const resources = await created({ objects: [{ object: named("first") }, { object: named("second") }] });
    expect(find(resources, "kubernetes:core/v1:ConfigMap", "test/second").dependsOn).toEqual([]);
  });

  test("wrong arguments are refused before anything is registered", () => {
    expect(() => new Keystore("forge", { ...forgeKeystore, version: "latest" })).toThrow("forge can't be deployed");
    expect(() => new Database("forge-db", { ...forgeDatabase, version: "19" })).toThrow("forge-db can't be deployed");
  });
});

test("an object that the state may have in another version of its API is registered as that one, too", async () => {
  const object: KubernetesObject = {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "TCPRoute",
    metadata: { name: "ssh", namespace: "forge" },
  };
  const resources = await created({ objects: [{ object, otherVersions: ["gateway.networking.k8s.io/v1alpha2"] }] });
  const route = find(resources, "kubernetes:gateway.networking.k8s.io/v1:TCPRoute", "test/ssh");
  expect(route.formerTypes).toEqual(["kubernetes:gateway.networking.k8s.io/v1alpha2:TCPRoute"]);
});
