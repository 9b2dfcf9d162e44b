import { once } from "node:events";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import grpc from "@grpc/grpc-js";
import { log } from "@hearth-platform/sandbox/plugins/engine";
import type { ProviderImplementation } from "@hearth-platform/sandbox/plugins/grpc";
import { listen } from "@hearth-platform/sandbox/plugins/serve";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type enginePb from "@pulumi/pulumi/proto/engine_pb.js";
import pluginPb from "@pulumi/pulumi/proto/plugin_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import structPb from "google-protobuf/google/protobuf/struct_pb.js";
import { afterEach, expect, test } from "vitest";
import { connectProvider } from "./provider-client.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

async function serve(open: () => Partial<ProviderImplementation>): Promise<number> {
  const server = await listen(() => ({ name: "example", version: "1.2.3", ...open() }));
  closers.push(server.close);
  return server.port;
}

function connect(port: number) {
  const client = connectProvider(port);
  closers.push(client.close);
  return client;
}

/** An engine, as far as plugins talk to it. */
async function engine(): Promise<{ address: string; said: string[] }> {
  const said: string[] = [];
  const server = new grpc.Server();
  server.addService(engineGrpc.EngineService, {
    log: (call: { request: enginePb.LogRequest }, done: grpc.sendUnaryData<emptyPb.Empty>) => {
      said.push(`${call.request.getUrn()}: ${call.request.getMessage()}`);
      done(null, new emptyPb.Empty());
    },
  } as unknown as grpc.UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  closers.push(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, said };
}

/** A port that leads to `port`, and a way to cut all connections through it, as the death of a process does. */
async function leadingTo(port: number): Promise<{ port: number; cut: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const through = connectTo({ host: "127.0.0.1", port });
    sockets.push(socket, through);
    socket
      .on("error", () => {})
      .pipe(through)
      .on("error", () => {})
      .pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  closers.push(cut);
  return { port: (server.address() as AddressInfo).port, cut };
}

const settings = (value: string) => {
  const request = new providerPb.ConfigureRequest();
  request.getVariablesMap().set("example:config:to", value);
  return request;
};

test("two provider resources of one process have settings of their own", async () => {
  const port = await serve(() => {
    let to: string | undefined;
    return {
      configure: async ({ variables }) => {
        to = variables["example:config:to"];
      },
      create: async () => ({ id: String(to), state: {} }),
    };
  });
  const [first, second] = [connect(port), connect(port)];
  await first.configure(settings("one"));
  await second.configure(settings("two"));

  const request = new providerPb.CreateRequest().setProperties(structPb.Struct.fromJavaScript({}));
  expect((await first.create(request)).getId()).toBe("one");
  expect((await second.create(request)).getId()).toBe("two");
});

test("messages go to the engine that attached over the same connection", async () => {
  const port = await serve(() => ({
    delete: async ({ urn }) => {
      await new Promise(setImmediate);
      log("info", urn, "gone");
    },
  }));
  const engines = await Promise.all([engine(), engine()]);
  await Promise.all(
    engines.map(async ({ address }, index) => {
      const client = connect(port);
      await client.attach(new pluginPb.PluginAttach().setAddress(address));
      await client.delete(new providerPb.DeleteRequest().setUrn(`urn:pulumi:a::b::c::${index}`));
    }),
  );

  await expect.poll(() => engines.map(({ said }) => said.length)).toEqual([1, 1]);
  expect(engines.map(({ said }) => said)).toEqual([["urn:pulumi:a::b::c::0: gone"], ["urn:pulumi:a::b::c::1: gone"]]);
});

test("what is under way is cancelled when its engine is gone, and nothing of another engine", async () => {
  const cancelled: number[] = [];
  const closed: number[] = [];
  let count = 0;
  const begun = new EventTarget();
  const port = await serve(() => {
    const number = count++;
    return {
      read: async () => {
        begun.dispatchEvent(new Event("read"));
        return new Promise(() => {});
      },
      cancel: () => cancelled.push(number),
      close: () => closed.push(number),
    };
  });
  const way = await leadingTo(port);
  const [first, second] = [connect(way.port), connect(port)];
  await first.configure(settings("one"));
  await second.configure(settings("two"));
  const reading = once(begun, "read");
  const answer = first.read(new providerPb.ReadRequest()).catch(({ code }: grpc.ServiceError) => code);
  await reading;

  way.cut();

  expect(await answer).toBe(grpc.status.UNAVAILABLE);
  await expect.poll(() => closed).toEqual([0]);
  expect(cancelled).toEqual([0]);
  await second.configure(settings("still there"));
});
