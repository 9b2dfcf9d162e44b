import {
  containsUnknown,
  InitializationError,
  type ProviderImplementation,
  Secret,
  UNKNOWN,
} from "@hearth-platform/sandbox/plugins/grpc";
import { listen } from "@hearth-platform/sandbox/plugins/serve";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import statusPb from "@pulumi/pulumi/proto/status_pb.js";
import structPb from "google-protobuf/google/protobuf/struct_pb.js";
import { afterEach, expect, test } from "vitest";
import { connectProvider } from "./provider-client.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function provider(implementation: Partial<ProviderImplementation>) {
  const server = await listen(() => ({ name: "example", version: "1.2.3", ...implementation }));
  const client = connectProvider(server.port);
  closers.push(client.close, server.close);
  return client;
}

const URN = "urn:pulumi:dev::hearth::hearth:index:Forge$example:index:Thing::a::b";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value: "s3cret" };
const UNKNOWN_STRING = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("a request comes with the resource's own type and name, bare secrets and one mark for unknown values", async () => {
  const seen: unknown[] = [];
  const client = await provider({
    create: async (request) => {
      seen.push(request);
      return { id: "1", state: {} };
    },
  });
  const inputs = {
    password: SECRET,
    late: UNKNOWN_STRING,
    list: [1, { flag: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7" }],
    output: { [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", value: SECRET },
    pending: { [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", secret: true },
    nothing: null,
  };
  await client.create(
    new providerPb.CreateRequest().setUrn(URN).setPreview(true).setProperties(structPb.Struct.fromJavaScript(inputs)),
  );
  expect(seen).toEqual([
    {
      urn: URN,
      type: "example:index:Thing",
      name: "a::b",
      preview: true,
      timeout: 0,
      inputs: {
        password: "s3cret",
        late: UNKNOWN,
        list: [1, { flag: UNKNOWN }],
        output: "s3cret",
        pending: UNKNOWN,
        nothing: null,
      },
    },
  ]);
});

test("an answer marks secrets and unknown values and leaves out what is undefined", async () => {
  const client = await provider({
    create: async () => ({ id: "1", state: { a: new Secret({ b: "s3cret" }), c: [UNKNOWN, null], d: undefined } }),
  });
  const response = await client.create(new providerPb.CreateRequest().setUrn(URN));
  expect(response.getId()).toBe("1");
  expect(response.getProperties()?.toJavaScript()).toEqual({
    a: { ...SECRET, value: { b: "s3cret" } },
    c: [UNKNOWN_STRING, null],
  });
});

test("unknown values are found at any depth, inside secrets too", () => {
  expect(containsUnknown({ a: [{ b: new Secret(UNKNOWN) }] })).toBe(true);
  expect(containsUnknown({ a: [{ b: new Secret("known") }], c: null })).toBe(false);
});

test("a difference says per property whether it replaces", async () => {
  const client = await provider({
    diff: async () => ({
      changes: true,
      replaces: ["spec.selector"],
      deleteBeforeReplace: true,
      detailed: {
        "spec.selector": { kind: "update", replace: true },
        "spec.replicas": { kind: "add", inputDiff: true },
      },
    }),
  });
  const response = await client.diff(new providerPb.DiffRequest().setUrn(URN));
  const { DiffChanges } = providerPb.DiffResponse;
  expect(response.getChanges()).toBe(DiffChanges.DIFF_SOME);
  expect(response.getReplacesList()).toEqual(["spec.selector"]);
  expect(response.getDeletebeforereplace()).toBe(true);
  expect(response.getHasdetaileddiff()).toBe(true);
  const { Kind } = providerPb.PropertyDiff;
  expect(response.getDetaileddiffMap().get("spec.selector")?.getKind()).toBe(Kind.UPDATE_REPLACE);
  expect(response.getDetaileddiffMap().get("spec.replicas")?.toObject()).toEqual({ kind: Kind.ADD, inputdiff: true });
});

test("what did not become ready is reported with its id, state and reasons, so that the engine records it", async () => {
  const client = await provider({
    create: async () => {
      throw new InitializationError("not ready", {
        id: "ns/name",
        state: { kind: "Pod" },
        reasons: ["image not found"],
      });
    },
  });
  const error = await client.create(new providerPb.CreateRequest().setUrn(URN)).catch((caught) => caught);
  expect(error.details).toBe("not ready");
  const status = statusPb.Status.deserializeBinary(error.metadata.get("grpc-status-details-bin")[0]);
  const [packed] = status.getDetailsList();
  const detail = packed?.unpack(
    providerPb.ErrorResourceInitFailed.deserializeBinary,
    "pulumirpc.ErrorResourceInitFailed",
  );
  expect(detail?.getId()).toBe("ns/name");
  expect(detail?.getReasonsList()).toEqual(["image not found"]);
  expect(detail?.getProperties()?.toJavaScript()).toEqual({ kind: "Pod" });
});

test("what a provider leaves out has a harmless answer or says so", async () => {
  const client = await provider({});
  const inputs = structPb.Struct.fromJavaScript({ a: 1 });
  const checked = await client.check(new providerPb.CheckRequest().setUrn(URN).setNews(inputs));
  expect(checked.getInputs()?.toJavaScript()).toEqual({ a: 1 });
  const read = await client.read(new providerPb.ReadRequest().setUrn(URN).setId("1").setProperties(inputs));
  expect(read.getId()).toBe("1");
  expect(read.getProperties()?.toJavaScript()).toEqual({ a: 1 });
  await client.delete(new providerPb.DeleteRequest().setUrn(URN));
  await expect(client.create(new providerPb.CreateRequest().setUrn(URN))).rejects.toThrow(
    "the stand-in for the example provider does not implement create",
  );
  await expect(client.diffConfig(new providerPb.DiffRequest().setUrn(URN))).rejects.toThrow(/UNIMPLEMENTED/);
});

test("a resource that is gone is read as nothing", async () => {
  const client = await provider({ read: async () => undefined });
  const read = await client.read(new providerPb.ReadRequest().setUrn(URN).setId("1"));
  expect(read.getId()).toBe("");
  expect(read.hasProperties()).toBe(false);
});
