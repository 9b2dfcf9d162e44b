import { type Properties, Secret, UNKNOWN } from "@hearth-platform/sandbox/plugins/grpc";
import { check } from "@hearth-platform/sandbox/plugins/kubernetes/check";
import { expect, test } from "vitest";
import { session } from "./session.ts";

function request(type: string, news: Properties, olds?: Properties) {
  return {
    urn: `urn:pulumi:dev::hearth::${type}::web`,
    name: "web",
    type,
    olds,
    news,
    randomSeed: new Uint8Array([1, 2, 3]),
  };
}

const CONFIG_MAP = "kubernetes:core/v1:ConfigMap";
const configMap = (metadata?: unknown) => ({ apiVersion: "v1", kind: "ConfigMap", metadata, data: {} });

test("an object without a name gets one from its resource, the same in preview and run, and keeps it", async () => {
  const first = await check(session(), request(CONFIG_MAP, configMap()));
  expect(first).toEqual(await check(session(), request(CONFIG_MAP, configMap())));
  expect(first.inputs.metadata).toEqual({
    name: expect.stringMatching(/^web-[0-9a-f]{8}$/),
    namespace: "default",
    annotations: { "pulumi.com/autonamed": "true" },
  });
  const olds = { ...first.inputs, metadata: { ...(first.inputs.metadata as Properties), name: "web-recorded" } };
  const again = await check(session(), request(CONFIG_MAP, configMap(), olds));
  expect(again.inputs.metadata).toMatchObject({
    name: "web-recorded",
    annotations: { "pulumi.com/autonamed": "true" },
  });
});

test("a name of the program's stays, also when it is not known yet", async () => {
  expect((await check(session(), request(CONFIG_MAP, configMap({ name: "mine" })))).inputs.metadata).toEqual({
    name: "mine",
    namespace: "default",
  });
  expect((await check(session(), request(CONFIG_MAP, configMap({ name: UNKNOWN })))).inputs.metadata).toMatchObject({
    name: UNKNOWN,
  });
  expect((await check(session(), request(CONFIG_MAP, configMap(UNKNOWN)))).inputs.metadata).toBe(UNKNOWN);
});

test("objects of the whole cluster get no namespace", async () => {
  const { inputs } = await check(
    session(),
    request("kubernetes:core/v1:Namespace", { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } }),
  );
  expect(inputs.metadata).toEqual({ name: "a" });
});

test.each<[string, string, Properties, string]>([
  ["generateName", CONFIG_MAP, configMap({ generateName: "a-" }), "generateName"],
  [
    "a list",
    "kubernetes:core/v1:ConfigMapList",
    { apiVersion: "v1", kind: "ConfigMapList", items: [] },
    "list resources",
  ],
  ["a nameless patch", "kubernetes:core/v1:ConfigMapPatch", configMap(), "patch resources require"],
  ["a Helm release", "kubernetes:helm.sh/v3:Release", { chart: "x" }, "does not do kubernetes:helm.sh/v3:Release"],
  ["a YAML file", "kubernetes:yaml/v2:ConfigFile", { file: "x" }, "does not do kubernetes:yaml/v2:ConfigFile"],
])("the Kubernetes plugin refuses %s", async (_name, type, news, message) => {
  await expect(check(session(), request(type, news))).rejects.toThrow(message);
});

test("a wrong pulumi.com/waitFor is found at its place before anything is made", async () => {
  const waitingFor = (text: string) => configMap({ name: "a", annotations: { "pulumi.com/waitFor": text } });
  expect((await check(session(), request(CONFIG_MAP, waitingFor("condition=Ready")))).failures).toEqual([]);
  expect((await check(session(), request(CONFIG_MAP, waitingFor("Ready")))).failures).toEqual([
    {
      property: 'metadata.annotations["pulumi.com/waitFor"]',
      reason: 'expected a "jsonpath=" or "condition=" prefix, got "Ready"',
    },
  ]);
});

test("what only the server sets is no input", async () => {
  const metadata = {
    name: "a",
    uid: "1",
    resourceVersion: "2",
    generation: 3,
    managedFields: [],
    creationTimestamp: "x",
  };
  expect((await check(session(), request(CONFIG_MAP, configMap(metadata)))).inputs.metadata).toEqual({
    name: "a",
    namespace: "default",
  });
});

test("a Secret's text becomes the data the server keeps, marked secret", async () => {
  const news = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "a" },
    data: { b: "Yg==" },
    stringData: { c: "d" },
  };
  const { inputs } = await check(session(), request("kubernetes:core/v1:Secret", news));
  expect(inputs.data).toEqual(new Secret({ b: "Yg==", c: "ZA==" }));
  expect(inputs).not.toHaveProperty("stringData");
  const unknown = await check(session(), request("kubernetes:core/v1:Secret", { ...news, stringData: { c: UNKNOWN } }));
  expect(unknown.inputs.stringData).toEqual(new Secret({ c: UNKNOWN }));
});

test("quantities of Kubernetes' own kinds become canonical, those of custom resources and of other data stay", async () => {
  const resources = { requests: { cpu: "1000m", memory: "2048Mi", pods: 1 }, limits: { cpu: 0.5 } };
  const spec = {
    template: { spec: { containers: [{ name: "a", resources }], volumes: [{ emptyDir: { sizeLimit: "1024Mi" } }] } },
  };
  const own = await check(
    session(),
    request("kubernetes:apps/v1:Deployment", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
      spec,
    }),
  );
  expect(own.inputs.spec).toEqual({
    template: {
      spec: {
        containers: [
          { name: "a", resources: { requests: { cpu: "1", memory: "2Gi", pods: "1" }, limits: { cpu: "500m" } } },
        ],
        volumes: [{ emptyDir: { sizeLimit: "1Gi" } }],
      },
    },
  });
  const custom = { apiVersion: "example.org/v1", kind: "Thing", metadata: { name: "a" }, spec: { resources } };
  expect((await check(session(), request("kubernetes:example.org/v1:Thing", custom))).inputs.spec).toEqual({
    resources,
  });
  const data = { ...configMap({ name: "a" }), data: { sizeLimit: "1000m" } };
  expect((await check(session(), request(CONFIG_MAP, data))).inputs.data).toEqual({ sizeLimit: "1000m" });
});
