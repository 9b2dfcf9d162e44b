import grpc from "@grpc/grpc-js";
import type * as pluginPb from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";

type Client = InstanceType<typeof providerGrpc.ResourceProviderClient>;
type Callback<Response> = (error: grpc.ServiceError | null, response: Response) => void;

/** A client of a provider plugin, as the engine is one, with promises. Close it after the test. */
export function connectProvider(port: number) {
  const client: Client = new providerGrpc.ResourceProviderClient(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
    // A connection of its own, as each provider resource has in the engine.
    { "grpc.use_local_subchannel_pool": 1 },
  );
  const promised =
    <Request, Response>(method: (request: Request, callback: Callback<Response>) => unknown) =>
    (request: Request) =>
      new Promise<Response>((resolve, reject) =>
        method.call(client, request, (error, response) => (error ? reject(error) : resolve(response))),
      );
  return {
    attach: promised<pluginPb.PluginAttach, unknown>(client.attach),
    configure: promised<messages.ConfigureRequest, messages.ConfigureResponse>(client.configure),
    checkConfig: promised<messages.CheckRequest, messages.CheckResponse>(client.checkConfig),
    diffConfig: promised<messages.DiffRequest, messages.DiffResponse>(client.diffConfig),
    check: promised<messages.CheckRequest, messages.CheckResponse>(client.check),
    diff: promised<messages.DiffRequest, messages.DiffResponse>(client.diff),
    create: promised<messages.CreateRequest, messages.CreateResponse>(client.create),
    read: promised<messages.ReadRequest, messages.ReadResponse>(client.read),
    update: promised<messages.UpdateRequest, messages.UpdateResponse>(client.update),
    delete: promised<messages.DeleteRequest, unknown>(client.delete),
    invoke: promised<messages.InvokeRequest, messages.InvokeResponse>(client.invoke),
    close: () => client.close(),
  };
}
