/** A {@link ProviderImplementation} as the gRPC service `pulumirpc.ResourceProvider`. */
import grpc from "@grpc/grpc-js";
import pluginPb from "@pulumi/pulumi/proto/plugin_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import statusPb from "@pulumi/pulumi/proto/status_pb.js";
import anyPb from "google-protobuf/google/protobuf/any_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import type { Engine } from "./engine.ts";
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

/** The service of one provider resource of the program, whose engine is `engine`. */
export function handlers(provider: ProviderImplementation, engine: Engine) {
  const unary = <Request, Response>(
    answer: (request: Request) => Promise<Response>,
  ): grpc.handleUnaryCall<Request, Response> => {
    return (call, callback) => {
      engine
        .asking(() => answer(call.request))
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(serviceError(error)),
        );
    };
  };
  const check = (request: messages.CheckRequest) => ({
    ...resource(request),
    olds: request.hasOlds() ? decodeProperties(request.getOlds()) : undefined,
    news: decodeProperties(request.getNews()),
    randomSeed: request.getRandomseed_asU8(),
  });
  return {
    attach: unary(async (request: pluginPb.PluginAttach) => {
      engine.address = request.getAddress();
      return new emptyPb.Empty();
    }),
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
