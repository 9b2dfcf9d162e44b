import { type Properties, UNKNOWN } from "@hearth-platform/sandbox/plugins/grpc";
import { diff, differences, prune } from "@hearth-platform/sandbox/plugins/kubernetes/diff";
import { formatPath } from "@hearth-platform/sandbox/plugins/kubernetes/paths";
import { describe, expect, test } from "vitest";
import { session } from "./session.ts";

const URN = "urn:pulumi:dev::hearth::kubernetes:apps/v1:Deployment::web";

function request(oldInputs: Properties, news: Properties, more: Partial<Parameters<typeof diff>[1]> = {}) {
  const type = URN.split("::")[2] ?? "";
  return {
    urn: URN,
    name: "web",
    type,
    id: "ns/web",
    oldInputs,
    news,
    ignoreChanges: [],
    ...more,
    oldState: { ...(more.oldState ?? oldInputs), __inputs: oldInputs },
  };
}

const object = (apiVersion: string, kind: string, fields: Properties, metadata: Properties = {}) => ({
  apiVersion,
  kind,
  metadata: { name: "web", namespace: "ns", ...metadata },
  ...fields,
});

test("equal inputs are no change, whatever the server added to the state", async () => {
  const inputs = object("apps/v1", "Deployment", { spec: { replicas: 2 } });
  const oldState = { ...inputs, spec: { replicas: 2, paused: false }, status: { replicas: 2 } };
  expect(await diff(session(), request(inputs, inputs, { oldState }))).toMatchObject({
    changes: false,
    replaces: [],
    detailed: {},
  });
});

test("a state that lacks what was sent has everything different, and is replaced", async () => {
  const inputs = object("apps/v1", "Deployment", { spec: { selector: { matchLabels: { a: "1" } } } });
  const { changes, replaces = [] } = await diff(session(), { ...request(inputs, inputs), oldState: inputs });
  expect([changes, replaces.length > 0]).toEqual([true, true]);
});

test("each difference has its path, with keys quoted that need it and elements by index", () => {
  const before = { metadata: { annotations: { "a/b": "1", "c.d": "1" } }, list: [{ x: 1 }, 2], gone: {} };
  const after = { metadata: { annotations: { "a/b": "2", "c.d": "2", new: "1" } }, list: [{ x: 2 }, 2, 3] };
  const found = differences(before, after, []).map(([path, { kind }]) => [formatPath(path), kind]);
  expect(Object.fromEntries(found)).toEqual({
    "metadata.annotations.a/b": "update",
    'metadata.annotations["c.d"]': "update",
    "metadata.annotations.new": "add",
    "list[0].x": "update",
    "list[2]": "add",
    gone: "delete",
  });
});

describe("an object is replaced, or not, for", () => {
  const cases: [string, Properties, Properties, boolean][] = [
    [
      "a Deployment's replicas",
      object("apps/v1", "Deployment", { spec: { replicas: 1 } }),
      object("apps/v1", "Deployment", { spec: { replicas: 2 } }),
      false,
    ],
    [
      "a Deployment's selector",
      object("apps/v1", "Deployment", { spec: { selector: { matchLabels: { a: "1" } } } }),
      object("apps/v1", "Deployment", { spec: { selector: { matchLabels: { a: "2" } } } }),
      true,
    ],
    [
      "a StatefulSet's claim size",
      object("apps/v1", "StatefulSet", {
        spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: "1Gi" } } } }] },
      }),
      object("apps/v1", "StatefulSet", {
        spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: "2Gi" } } } }] },
      }),
      true,
    ],
    [
      "a claim's size",
      object("v1", "PersistentVolumeClaim", { spec: { resources: { requests: { storage: "1Gi" } } } }),
      object("v1", "PersistentVolumeClaim", { spec: { resources: { requests: { storage: "2Gi" } } } }),
      false,
    ],
    [
      "a claim's storage class",
      object("v1", "PersistentVolumeClaim", { spec: { storageClassName: "a" } }),
      object("v1", "PersistentVolumeClaim", { spec: { storageClassName: "b" } }),
      true,
    ],
    [
      "the image of any container of a Job",
      object("batch/v1", "Job", { spec: { template: { spec: { containers: [{ image: "a" }] } } } }),
      object("batch/v1", "Job", { spec: { template: { spec: { containers: [{ image: "b" }] } } } }),
      true,
    ],
    [
      "the image of a Pod's init container",
      object("v1", "Pod", { spec: { initContainers: [{ name: "x", image: "a" }] } }),
      object("v1", "Pod", { spec: { initContainers: [{ name: "x", image: "b" }] } }),
      true,
    ],
    [
      "a whole spec that holds a selector",
      object("apps/v1", "Deployment", {}),
      object("apps/v1", "Deployment", { spec: { selector: {} } }),
      true,
    ],
    [
      "a whole spec that holds none",
      object("apps/v1", "Deployment", {}),
      object("apps/v1", "Deployment", { spec: { replicas: 1 } }),
      false,
    ],
    [
      "a role binding's role",
      object("rbac.authorization.k8s.io/v1", "RoleBinding", { roleRef: { name: "a" } }),
      object("rbac.authorization.k8s.io/v1", "RoleBinding", { roleRef: { name: "b" } }),
      true,
    ],
    [
      "a ConfigMap's data",
      object("v1", "ConfigMap", { data: { a: "1" } }),
      object("v1", "ConfigMap", { data: { a: "2" } }),
      true,
    ],
    ["a name", object("v1", "Namespace", {}), object("v1", "Namespace", {}, { name: "other" }), true],
    [
      "an unknown selector",
      object("apps/v1", "Deployment", { spec: { selector: {} } }),
      object("apps/v1", "Deployment", { spec: { selector: UNKNOWN } }),
      true,
    ],
  ];
  test.each(cases)("%s", async (_name, before, after, replaced) => {
    const { changes, replaces = [] } = await diff(session(), request(before, after));
    expect(changes).toBe(true);
    expect(replaces.length > 0).toBe(replaced);
  });

  test("ConfigMaps and Secrets change in place when the provider says so, unless they are immutable", async () => {
    const mutable = session({ settings: { enableConfigMapMutable: true, enableSecretMutable: true } });
    const replaced = async (kind: string, fields: Properties) => {
      const [before, after] = ["1", "2"].map((a) => object("v1", kind, { data: { a }, ...fields }));
      return (await diff(mutable, request(before ?? {}, after ?? {}))).replaces?.length !== 0;
    };
    expect(await replaced("ConfigMap", {})).toBe(false);
    expect(await replaced("Secret", {})).toBe(false);
    expect(await replaced("ConfigMap", { immutable: true })).toBe(true);
    expect(await replaced("Secret", { immutable: true })).toBe(true);
  });

  test("the old object goes first where both have one name, and not where Pulumi can choose another", async () => {
    const before = object("batch/v1", "Job", { spec: { template: { a: 1 } } });
    const after = object("batch/v1", "Job", { spec: { template: { a: 2 } } });
    expect((await diff(session(), request(before, after))).deleteBeforeReplace).toBe(true);
    const autonamed = { ...after, metadata: { ...after.metadata, annotations: { "pulumi.com/autonamed": "true" } } };
    expect((await diff(session(), request(before, autonamed))).deleteBeforeReplace).toBe(false);
    const moved = object("batch/v1", "Job", { spec: { template: { a: 1 } } }, { namespace: "other" });
    expect((await diff(session(), request(before, moved))).deleteBeforeReplace).toBe(false);
  });

  test("a patch resource is replaced for another object only", async () => {
    const type = "kubernetes:apps/v1:DeploymentPatch";
    const [before, after] = ["1", "2"].map((a) => object("apps/v1", "Deployment", { spec: { selector: { a } } }));
    expect((await diff(session(), request(before ?? {}, after ?? {}, { type }))).replaces).toEqual([]);
  });
});

test("no namespace and the namespace default are the same", async () => {
  const [before, after] = [undefined, "default"].map((namespace) =>
    object("v1", "ConfigMap", { data: {} }, { namespace }),
  );
  expect((await diff(session(), request(before ?? {}, after ?? {}))).changes).toBe(false);
});

test("ignored paths are left out, also all of an array's elements", async () => {
  const before = object("example.org/v1", "Thing", { spec: { replicas: 1, list: [{ a: 1, b: 1 }] } });
  const after = object("example.org/v1", "Thing", { spec: { replicas: 2, list: [{ a: 2, b: 2 }] } });
  const { detailed = {} } = await diff(
    session(),
    request(before, after, { ignoreChanges: ["spec.replicas", "spec.list[*].a"] }),
  );
  expect(Object.keys(detailed)).toEqual(["spec.list[0].b"]);
});

test("a custom resource that something changed on the server is different from its unchanged inputs", async () => {
  const inputs = object("example.org/v1", "Thing", { spec: { size: "1", list: [{ a: 1 }] } });
  const oldState = { ...inputs, spec: { size: "2", added: true, list: [{ a: 1, b: 2 }, { a: 3 }] } };
  const { detailed } = await diff(session(), request(inputs, inputs, { oldState }));
  expect(detailed).toEqual({ "spec.size": { kind: "update", replace: false } });
});

test("pruning keeps the shape of the inputs", () => {
  expect(prune({ a: { b: 1, c: 2 }, d: [1, 2], e: 1 }, { a: { b: 0 }, d: [0], f: 1 })).toEqual({ a: { b: 1 }, d: [1] });
});
