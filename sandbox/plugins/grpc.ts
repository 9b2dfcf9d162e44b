/**
 * Serves a {@link ProviderImplementation} to the Pulumi engine: `pulumirpc.ResourceProvider` over gRPC on a free port
 * of 127.0.0.1, printed as the first line of standard output, which is how the engine finds a plugin it started.
 */
import grpc from "@grpc/grpc-js";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import enginePb from "@pulumi/pulumi/proto/engine_pb.js";
import pluginPb from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import statusPb from "@pulumi/pulumi/proto/status_pb.js";
import anyPb from "google-protobuf/google/protobuf/any_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { decodeProperties, encodeProperties } from "./properties.ts";
import {
  type CheckResult,
  type DiffRequest,
  type DiffResult,
  InitializationError,
  type ProviderImplementation,
  type ResourceRequest,
} from "./provider.ts";

export { containsUnknown, isObject, type Properties, Secret, UNKNOWN } from "./properties.ts";
export * from "./provider.ts";

/**
 * Serves a provider as a plugin: prints the port, and ends the process when the engine closes its standard input (it
 * was killed), on SIGTERM and on SIGINT. Waits under way are cancelled first.
 */
export async function serveProvider(implementation: ProviderImplementation): Promise<void> {
  const { port, close } = await listen(implementation);
  const end = () => {
    implementation.cancel?.();
    close();
    process.exit(0);
  };
  process.once("SIGTERM", end).once("SIGINT", end);
  if (engineAddress() !== undefined) process.stdin.resume().once("end", end).once("error", end);
  process.stdout.write(`${port}\n`);
}

/** Serves a provider on a free port of 127.0.0.1 until `close`. */
export async function listen(implementation: ProviderImplementation): Promise<{ port: number; close(): void }> {
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(providerGrpc.ResourceProviderService, handlers(implementation));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

/**
 * Shows a message in the engine's output at a resource. `status` is shown while the resource is worked on and then
 * gone.
 */
export function log(severity: "status" | "info" | "warning", urn: string, message: string): void {
  const request = new enginePb.LogRequest();
  const { INFO, WARNING } = enginePb.LogSeverity;
  request.setSeverity(severity === "warning" ? WARNING : INFO);
  request.setEphemeral(severity === "status");
  request.setUrn(urn);
  request.setMessage(message);
  engine()?.log(request, () => {
    // A lost message must not fail the operation it is about.
  });
}

let client: InstanceType<typeof engineGrpc.EngineClient> | undefined;

function engine() {
  const address = engineAddress();
  if (client === undefined && address !== undefined) {
    client = new engineGrpc.EngineClient(address, grpc.credentials.createInsecure());
  }
  return client;
}

/**
 * The engine's address is the last argument (after its logging flags); there is none for a provider started by hand.
 */
function engineAddress(): string | undefined {
  return process.argv.slice(2).findLast((argument) => /^[\w.[\]]+:\d+$/.test(argument));
}

function handlers(provider: ProviderImplementation) {
  const check = (request: messages.CheckRequest) => ({
    ...resource(request),
    olds: request.hasOlds() ? decodeProperties(request.getOlds()) : undefined,
    news: decodeProperties(request.getNews()),
    randomSeed: request.getRandomseed_asU8(),
  });
  return {
    getPluginInfo: unary(async () => new pluginPb.PluginInfo().setVersion(provider.version)),
    checkConfig: unary(async (request: messages.CheckRequest) =>
      checkResponse((await provider.checkConfig?.(check(request))) ?? { inputs: check(request).news }),
    ),
    ...(provider.diffConfig && {
      diffConfig: unary(async (request: messages.DiffRequest) =>
        diffResponse(await required(provider, "diffConfig")(diffRequest(request))),
      ),
    }),
    configure: unary(async (request: messages.ConfigureRequest) => {
      const variables = Object.fromEntries(request.getVariablesMap().toArray());
      await provider.configure?.({ variables, args: decodeProperties(request.getArgs()) });
      return new providerPb.ConfigureResponse().setAcceptsecrets(false).setSupportspreview(true);
    }),
    check: unary(async (request: messages.CheckRequest) =>
      checkResponse((await provider.check?.(check(request))) ?? { inputs: check(request).news }),
    ),
    diff: unary(async (request: messages.DiffRequest) =>
      diffResponse(await required(provider, "diff")(diffRequest(request))),
    ),
    create: unary(async (request: messages.CreateRequest) => {
      const { id, state } = await required(
        provider,
        "create",
      )({
        ...resource(request),
        inputs: decodeProperties(request.getProperties()),
        timeout: request.getTimeout(),
        preview: request.getPreview(),
      });
      return new providerPb.CreateResponse().setId(id).setProperties(encodeProperties(state));
    }),
    read: unary(async (request: messages.ReadRequest) => {
      const asked = {
        id: request.getId(),
        inputs: decodeProperties(request.getInputs()),
        state: decodeProperties(request.getProperties()),
      };
      const found = provider.read
        ? await provider.read({ ...resource(request), ...asked, timeout: request.getTimeout() })
        : asked;
      if (found === undefined) return new providerPb.ReadResponse();
      const response = new providerPb.ReadResponse().setId(found.id);
      return response.setInputs(encodeProperties(found.inputs)).setProperties(encodeProperties(found.state));
    }),
    update: unary(async (request: messages.UpdateRequest) => {
      const state = await required(
        provider,
        "update",
      )({
        ...diffRequest(request),
        timeout: request.getTimeout(),
        preview: request.getPreview(),
      });
      return new providerPb.UpdateResponse().setProperties(encodeProperties(state));
    }),
    delete: unary(async (request: messages.DeleteRequest) => {
      await provider.delete?.({
        ...resource(request),
        id: request.getId(),
        inputs: decodeProperties(request.getOldInputs()),
        state: decodeProperties(request.getProperties()),
        timeout: request.getTimeout(),
      });
      return new emptyPb.Empty();
    }),
    invoke: unary(async (request: messages.InvokeRequest) => {
      const answer = await required(
        provider,
        "invoke",
      )({
        token: request.getTok(),
        args: decodeProperties(request.getArgs()),
        preview: request.getPreview(),
      });
      const response = new providerPb.InvokeResponse().setFailuresList(failures(answer.failures));
      return answer.result ? response.setReturn(encodeProperties(answer.result)) : response;
    }),
    cancel: unary(async () => {
      provider.cancel?.();
      return new emptyPb.Empty();
    }),
  };
}

/** A method of the provider, or an answer that says it has none. */
function required<K extends "diff" | "diffConfig" | "create" | "update" | "invoke">(
  provider: ProviderImplementation,
  method: K,
): NonNullable<ProviderImplementation[K]> {
  const implemented = provider[method];
  if (implemented === undefined)
    throw new Error(`the stand-in for the ${provider.name} provider does not implement ${method}`);
  return implemented.bind(provider) as NonNullable<ProviderImplementation[K]>;
}

function unary<Request, Response>(
  answer: (request: Request) => Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return (call, callback) => {
    answer(call.request).then(
      (response) => callback(null, response),
      (error: unknown) => callback(serviceError(error)),
    );
  };
}

/** An error as the engine reads it: the message, and for a resource that exists all the same its details. */
function serviceError(error: unknown): Partial<grpc.ServiceError> {
  const message = error instanceof Error ? error.message : String(error);
  const metadata = new grpc.Metadata();
  if (error instanceof InitializationError) {
    const detail = new providerPb.ErrorResourceInitFailed().setId(error.id).setReasonsList(error.reasons);
    detail.setProperties(encodeProperties(error.state));
    if (error.inputs) detail.setInputs(encodeProperties(error.inputs));
    const packed = new anyPb.Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new statusPb.Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([packed]);
    metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}

function resource(request: { getUrn(): string }): ResourceRequest {
  const urn = request.getUrn();
  const [, , types = "", ...name] = urn.split("::");
  return { urn, name: name.join("::"), type: types.split("$").at(-1) ?? "" };
}

function diffRequest(request: messages.DiffRequest | messages.UpdateRequest): DiffRequest {
  return {
    ...resource(request),
    id: request.getId(),
    oldState: decodeProperties(request.getOlds()),
    oldInputs: decodeProperties(request.getOldInputs()),
    news: decodeProperties(request.getNews()),
    ignoreChanges: request.getIgnorechangesList(),
  };
}

function failures(list: CheckResult["failures"] = []): messages.CheckFailure[] {
  return list.map(({ property = "", reason }) => new providerPb.CheckFailure().setProperty(property).setReason(reason));
}

function checkResponse({ inputs, failures: list }: CheckResult): messages.CheckResponse {
  return new providerPb.CheckResponse().setInputs(encodeProperties(inputs)).setFailuresList(failures(list));
}

function diffResponse({
  changes,
  replaces = [],
  deleteBeforeReplace = false,
  detailed,
}: DiffResult): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = providerPb.DiffResponse.DiffChanges;
  const response = new providerPb.DiffResponse().setChanges(changes ? DIFF_SOME : DIFF_NONE).setReplacesList(replaces);
  response.setDeletebeforereplace(deleteBeforeReplace).setHasdetaileddiff(detailed !== undefined);
  const { Kind } = providerPb.PropertyDiff;
  const kinds = { add: Kind.ADD, delete: Kind.DELETE, update: Kind.UPDATE };
  const replacing = { add: Kind.ADD_REPLACE, delete: Kind.DELETE_REPLACE, update: Kind.UPDATE_REPLACE };
  for (const [path, { kind, replace, inputDiff = false }] of Object.entries(detailed ?? {})) {
    const difference = new providerPb.PropertyDiff().setInputdiff(inputDiff);
    response.getDetaileddiffMap().set(path, difference.setKind((replace ? replacing : kinds)[kind]));
  }
  return response;
}
