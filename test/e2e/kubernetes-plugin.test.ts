import { randomBytes } from "node:crypto";
import type grpc from "@grpc/grpc-js";
import { ApiClient } from "@hearth-platform/sandbox/kubernetes/api";
import { connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import type { Properties } from "@hearth-platform/sandbox/plugins/grpc";
import { kubernetesProvider } from "@hearth-platform/sandbox/plugins/kubernetes/main";
import { decodeProperties, encodeProperties } from "@hearth-platform/sandbox/plugins/properties";
import { listen } from "@hearth-platform/sandbox/plugins/serve";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectProvider } from "../sandbox/plugins/provider-client.ts";

const kubeconfig = process.env.HEARTH_E2E_KUBECONFIG ?? "";
const namespace = `plugin-${randomBytes(3).toString("hex")}`;
const SECRET_MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

let api: ApiClient;
let engine: Engine;
beforeAll(async () => {
  api = new ApiClient(connectionOf(loadKubeconfig(kubeconfig), {}));
  engine = await Engine.start({ enableConfigMapMutable: "true" });
  await engine.create("kubernetes:core/v1:Namespace", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
});
afterAll(async () => {
  await api.request("DELETE", `/api/v1/namespaces/${namespace}`);
  engine.close();
  await api.close();
});

interface Recorded {
  id: string;
  type: string;
  inputs: Properties;
  state: Properties;
  /** The state as it goes over the wire, with the marks of secrets. */
  wire?: Properties;
}

/** Does to the plugin what the engine does for one resource at a time. */
class Engine {
  readonly #client: ReturnType<typeof connectProvider>;
  readonly cancel: () => void;
  readonly close: () => void;

  static async start(settings: Record<string, string> = {}): Promise<Engine> {
    const provider = kubernetesProvider();
    const server = await listen(() => provider);
    const client = connectProvider(server.port);
    const request = new providerPb.ConfigureRequest();
    for (const [key, value] of Object.entries({ kubeconfig, ...settings }))
      request.getVariablesMap().set(`kubernetes:config:${key}`, value);
    await client.configure(request);
    return new Engine(client, () => provider.cancel?.(), server.close);
  }

  constructor(client: ReturnType<typeof connectProvider>, cancel: () => void, closeServer: () => void) {
    this.#client = client;
    this.cancel = cancel;
    this.close = () => {
      client.close();
      closeServer();
    };
  }

  async check(type: string, news: Properties, olds?: Properties): Promise<Properties> {
    const request = new providerPb.CheckRequest()
      .setUrn(urn(type))
      .setNews(encodeProperties(news))
      .setRandomseed(randomBytes(8));
    const response = await this.#client.check(olds ? request.setOlds(encodeProperties(olds)) : request);
    expect(response.getFailuresList()).toEqual([]);
    return decodeProperties(response.getInputs());
  }

  async create(type: string, news: Properties, { preview = false } = {}): Promise<Recorded> {
    const inputs = await this.check(type, news);
    const request = new providerPb.CreateRequest()
      .setUrn(urn(type))
      .setProperties(encodeProperties(inputs))
      .setPreview(preview);
    const response = await this.#client.create(request);
    const wire = response.getProperties();
    return { id: response.getId(), type, inputs, state: decodeProperties(wire), wire: wire?.toJavaScript() };
  }

  async diff({ id, type, inputs, state }: Recorded, news: Properties) {
    const checked = await this.check(type, news, inputs);
    const request = new providerPb.DiffRequest().setId(id).setUrn(urn(type)).setOlds(encodeProperties(state));
    const response = await this.#client.diff(
      request.setOldInputs(encodeProperties(inputs)).setNews(encodeProperties(checked)),
    );
    return {
      changed: [...response.getDetaileddiffMap().toArray()].map(([path]) => path).sort(),
      replaces: response.getReplacesList(),
    };
  }

  async update(
    { id, type, inputs, state }: Recorded,
    news: Properties,
    { preview = false, ignoreChanges = [] as string[] } = {},
  ): Promise<Recorded> {
    const checked = await this.check(type, news, inputs);
    const request = new providerPb.UpdateRequest()
      .setId(id)
      .setUrn(urn(type))
      .setOlds(encodeProperties(state))
      .setPreview(preview);
    request
      .setOldInputs(encodeProperties(inputs))
      .setNews(encodeProperties(checked))
      .setIgnorechangesList(ignoreChanges);
    const response = await this.#client.update(request);
    return { id, type, inputs: checked, state: decodeProperties(response.getProperties()) };
  }

  async read(type: string, id: string, { inputs, state }: Partial<Recorded> = {}) {
    const request = new providerPb.ReadRequest().setId(id).setUrn(urn(type));
    if (inputs) request.setInputs(encodeProperties(inputs));
    if (state) request.setProperties(encodeProperties(state));
    const response = await this.#client.read(request);
    return {
      id: response.getId(),
      inputs: decodeProperties(response.getInputs()),
      state: decodeProperties(response.getProperties()),
    };
  }

  async delete({ id, type, inputs, state }: Recorded, timeout = 0): Promise<void> {
    const request = new providerPb.DeleteRequest().setId(id).setUrn(urn(type)).setTimeout(timeout);
    await this.#client.delete(request.setOldInputs(encodeProperties(inputs)).setProperties(encodeProperties(state)));
  }
}

const urn = (type: string) => `urn:pulumi:dev::hearth::${type}::thing`;

const CONFIG_MAP = "kubernetes:core/v1:ConfigMap";
const configMap = (name: string, data: Properties, metadata: Properties = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, ...metadata },
  data,
});
const liveConfigMap = (name: string) => api.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`);

const DEPLOYMENT = "kubernetes:apps/v1:Deployment";
const deployment = (name: string, pod: Properties = {}, metadata: Properties = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace, ...metadata },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "web", image: "registry.invalid/web:1" }], ...pod },
    },
  },
});

function patch(path: string, body: object, fieldManager = "somebody-else"): Promise<KubernetesObject> {
  return api.request("PATCH", path, { body, contentType: "application/merge-patch+json", query: { fieldManager } });
}

test("an object is created once: creating it again is refused and changes nothing", async () => {
  await engine.create(CONFIG_MAP, configMap("once", { a: "1" }));
  await expect(engine.create(CONFIG_MAP, configMap("once", { a: "2" }))).rejects.toThrow(/already exists/);
  expect((await liveConfigMap("once")).data).toEqual({ a: "1" });
});

test("a field that does not exist is refused, in a preview too", async () => {
  const wrong = { ...configMap("wrong", {}), dada: {} };
  await expect(engine.create(CONFIG_MAP, wrong, { preview: true })).rejects.toThrow(/unknown field "dada"/);
  await expect(engine.create(CONFIG_MAP, wrong)).rejects.toThrow(/unknown field "dada"/);
});

test("a preview shows what the server would make and makes nothing", async () => {
  const { id, state } = await engine.create(DEPLOYMENT, deployment("previewed"), { preview: true });
  expect(id).toBe("");
  expect(state.spec).toMatchObject({ replicas: 2, progressDeadlineSeconds: 600 });
  await expect(api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/previewed`)).rejects.toMatchObject({
    code: 404,
  });
});

test("a preview shows the inputs where the namespace, the kind or a value is still to come", async () => {
  const elsewhere = configMap("a", { a: "1" }, { namespace: `${namespace}-later` });
  const { inputs, state } = await engine.create(CONFIG_MAP, elsewhere, { preview: true });
  expect(state).toEqual(inputs);
  const unknownKind = { apiVersion: "later.example.org/v1", kind: "Later", metadata: { name: "a", namespace } };
  const later = await engine.create("kubernetes:later.example.org/v1:Later", unknownKind, { preview: true });
  expect(later.state).toEqual(later.inputs);
});

test("what the program leaves out is removed, what others added stays, and a second look finds no difference", async () => {
  const created = await engine.create(CONFIG_MAP, configMap("fields", { kept: "1", dropped: "1" }));
  await patch(`/api/v1/namespaces/${namespace}/configmaps/fields`, { data: { foreign: "1" } });
  const news = configMap("fields", { kept: "2" });
  expect(await engine.diff(created, news)).toEqual({ changed: ["data.dropped", "data.kept"], replaces: [] });
  const updated = await engine.update(created, news);
  expect((await liveConfigMap("fields")).data).toEqual({ kept: "2", foreign: "1" });
  expect(await engine.diff(updated, news)).toEqual({ changed: [], replaces: [] });
});

test("a field that somebody else took is a conflict, unless the object says to take it back or to leave it", async () => {
  const created = await engine.create(CONFIG_MAP, configMap("taken", { a: "1" }));
  const owned = await engine.update(created, configMap("taken", { a: "2" }));
  await patch(`/api/v1/namespaces/${namespace}/configmaps/taken`, { data: { a: "theirs" } });
  await expect(engine.update(owned, configMap("taken", { a: "3" }))).rejects.toThrow(
    /field conflict detected, see https.*\nThe resource managed by field manager "pulumi-kubernetes-\w+" had an apply conflict: Apply failed with 1 conflict/,
  );
  await engine.update(owned, configMap("taken", { a: "3" }), { ignoreChanges: ["data.a"] });
  expect((await liveConfigMap("taken")).data).toEqual({ a: "theirs" });
  await engine.update(owned, configMap("taken", { a: "4" }, { annotations: { "pulumi.com/patchForce": "true" } }));
  expect((await liveConfigMap("taken")).data).toEqual({ a: "4" });
});

test("an update is previewed by the server and changes nothing", async () => {
  const created = await engine.create(CONFIG_MAP, configMap("tried", { a: "1" }));
  const { state } = await engine.update(created, configMap("tried", { a: "2" }), { preview: true });
  expect(state.data).toEqual({ a: "2" });
  expect((await liveConfigMap("tried")).data).toEqual({ a: "1" });
});

test("a Deployment is waited for until it is rolled out, also after a change of its image", async () => {
  const created = await engine.create(DEPLOYMENT, deployment("web"));
  expect(created.state.status).toMatchObject({ readyReplicas: 2 });
  const containers = [{ name: "web", image: "registry.invalid/web:2" }];
  const updated = await engine.update(created, deployment("web", { containers }));
  expect(updated.state.status).toMatchObject({ observedGeneration: 2, updatedReplicas: 2, readyReplicas: 2 });
  await engine.delete(updated);
  await expect(api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/web`)).rejects.toMatchObject({ code: 404 });
});

test("a Deployment that does not become ready is recorded with what its pods lack, and a refresh says so too", async () => {
  const nowhere = { nodeSelector: { "example.org/no": "such-node" } };
  const news = deployment("stuck", nowhere, { annotations: { "pulumi.com/timeoutSeconds": "2" } });
  const error = await engine.create(DEPLOYMENT, news).catch((caught: grpc.ServiceError) => caught);
  expect((error as grpc.ServiceError).details).toContain("'stuck' timed out waiting to be Ready");
  const [status] = (error as grpc.ServiceError).metadata.get("grpc-status-details-bin");
  expect(String(status)).toMatch(/didn't match Pod's node affinity/);
  const inputs = await engine.check(DEPLOYMENT, news);
  await expect(engine.read(DEPLOYMENT, `${namespace}/stuck`, { inputs })).rejects.toThrow(
    "created but failed to initialize",
  );
});

test("a custom resource is made as soon as its definition is there, and waited for as pulumi.com/waitFor says", async () => {
  const group = `${namespace}.example.org`;
  const schema = { openAPIV3Schema: { type: "object", x_kubernetes_preserve_unknown_fields: true } };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
  const thing = {
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: {
      name: "a",
      namespace,
      annotations: { "pulumi.com/waitFor": '["condition=Ready", "jsonpath={.status.phase}=Done"]' },
    },
    spec: { size: 1 },
  };
  const created = engine.create(`kubernetes:${group}/v1:Thing`, thing);
  const made = await engine.create("kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition", definition);
  const path = `/apis/${group}/v1/namespaces/${namespace}/things/a`;
  await expect.poll(() => api.get(path).catch(() => undefined), { timeout: 30_000 }).toBeDefined();
  await patch(`${path}/status`, { status: { phase: "Working", conditions: [{ type: "Ready", status: "True" }] } });
  await patch(`${path}/status`, { status: { phase: "Done" } });
  const { state } = await created;
  expect(state.status).toMatchObject({ phase: "Done" });
  await engine.delete(made);
});

test("a Secret's values are marked secret and settle as the data the server keeps", async () => {
  const news = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "credentials", namespace },
    stringData: { password: "a" },
  };
  const type = "kubernetes:core/v1:Secret";
  const created = await engine.create(type, news);
  expect(created.wire?.data).toEqual({ ...SECRET_MARK, value: { password: "YQ==" } });
  expect(await engine.diff(created, news)).toEqual({ changed: [], replaces: [] });
  expect((await engine.diff(created, { ...news, stringData: { password: "b" } })).replaces).toEqual(["data.password"]);
});

test("reading by id gives inputs that are no difference to the program's, and nothing for what is gone", async () => {
  const news = configMap("imported", { a: "1" });
  const created = await engine.create(CONFIG_MAP, news);
  const imported = await engine.read(CONFIG_MAP, created.id);
  expect(imported.inputs).toEqual(created.inputs);
  expect(await engine.diff({ ...imported, type: CONFIG_MAP }, news)).toEqual({ changed: [], replaces: [] });
  await patch(`/api/v1/namespaces/${namespace}/configmaps/imported`, { data: { a: "drifted", b: "new" } });
  const refreshed = await engine.read(CONFIG_MAP, created.id, created);
  expect(refreshed.inputs.data).toEqual({ a: "drifted" });
  await engine.delete(created);
  expect((await engine.read(CONFIG_MAP, created.id, created)).id).toBe("");
  await engine.delete(created);
});

test("deletion waits for finalizers and names them when the time is up", async () => {
  const created = await engine.create(CONFIG_MAP, configMap("held", {}, { finalizers: ["example.org/hold"] }));
  await expect(engine.delete(created, 1)).rejects.toThrow("finalizers might be preventing deletion (example.org/hold)");
  const deleted = engine.delete(created);
  await patch(`/api/v1/namespaces/${namespace}/configmaps/held`, { metadata: { finalizers: null } });
  await deleted;
});

test("a patch resource sets its fields on an object of another, and gives them up", async () => {
  await engine.create(CONFIG_MAP, configMap("shared", { theirs: "1" }));
  const patched = await engine.create("kubernetes:core/v1:ConfigMapPatch", configMap("shared", { ours: "1" }));
  expect((await liveConfigMap("shared")).data).toEqual({ theirs: "1", ours: "1" });
  await engine.delete(patched);
  expect((await liveConfigMap("shared")).data).toEqual({ theirs: "1" });
});

test("cancelling ends a wait at once and keeps what exists", async () => {
  const other = await Engine.start();
  const created = other.create(
    DEPLOYMENT,
    deployment("cancelled", { nodeSelector: { "example.org/no": "such-node" } }),
  );
  const refused = expect(created).rejects.toThrow('Resource operation was cancelled for "cancelled"');
  await expect
    .poll(() => api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/cancelled`).catch(() => undefined))
    .toBeDefined();
  other.cancel();
  await refused;
  other.close();
});
