import { once } from "node:events";
import { type ClientHttp2Stream, connect, createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";

/** An operation on one resource, as the engine asks a provider for it. */
export interface Operation {
  readonly verb: "create" | "update" | "delete";
  readonly urn: string;
}

/**
 * Is asked at each operation, before the provider gets it and before the engine gets its answer.
 * @returns whether it goes on
 */
export type Watch = (operation: Operation, moment: Moment) => Promise<boolean>;

export type Moment = "before" | "after";

const requests = {
  "/pulumirpc.ResourceProvider/Create": { verb: "create", message: providerPb.CreateRequest },
  "/pulumirpc.ResourceProvider/Update": { verb: "update", message: providerPb.UpdateRequest },
  "/pulumirpc.ResourceProvider/Delete": { verb: "delete", message: providerPb.DeleteRequest },
} as const;

/** Stands between the engine and a provider plugin that listens on `port` of 127.0.0.1: passes everything on, and has each operation watched. */
export async function proxyProvider(port: number, watch: Watch): Promise<{ port: number; close(): void }> {
  const server = createServer();
  const ends = new Set<() => void>();
  server.on("session", (engine) => {
    // A plugin has a provider of its own for each connection.
    const plugin = connect(`http://127.0.0.1:${port}`);
    const end = () => {
      ends.delete(end);
      engine.destroy();
      plugin.destroy();
    };
    ends.add(end);
    engine.on("error", end).once("close", end);
    plugin.on("error", end).once("close", end);
    engine.on("stream", (stream, headers) => {
      // The end of a connection is told by the connection.
      stream.on("error", () => {});
      answer(
        stream,
        (body) => {
          const { host: _, ...passed } = headers;
          const request = plugin.request(passed);
          request.on("error", () => {});
          stream.once("close", () => request.close());
          request.end(body);
          return request;
        },
        operationOf(String(headers[":path"])),
        watch,
      ).catch((error: Error) => {
        // A call ends with its connection.
        if (!plugin.destroyed) throw error;
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const end of ends) end();
    },
  };
}

/** Passes one call on; all of a provider's calls are one message each way. */
async function answer(
  stream: ServerHttp2Stream,
  ask: (body: Buffer) => ClientHttp2Stream,
  operation: ((body: Buffer) => Operation) | undefined,
  watch: Watch,
): Promise<void> {
  const body = await bytes(stream);
  const asked = operation?.(body);
  if (asked && !(await watch(asked, "before"))) return;
  if (stream.destroyed) return;
  const response = ask(body);
  let trailers = {};
  response.once("trailers", (received) => {
    trailers = received;
  });
  const [[headers], content] = await Promise.all([once(response, "response"), bytes(response)]);
  if (asked && !(await watch(asked, "after"))) return;
  if (stream.destroyed) return;
  // An error without a message has its status among the headers.
  const { date: _, ...rest } = headers;
  if (content.length === 0 && "grpc-status" in headers) return void stream.respond(rest, { endStream: true });
  stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  stream.respond(rest, { waitForTrailers: true });
  stream.end(content);
}

function operationOf(path: string): ((body: Buffer) => Operation) | undefined {
  const request = requests[path as keyof typeof requests];
  // A message of gRPC has five bytes before it: whether it is compressed, and its length.
  return (
    request && ((body) => ({ verb: request.verb, urn: request.message.deserializeBinary(body.subarray(5)).getUrn() }))
  );
}

/** All of a stream; never where it ends early, which its connection tells. */
function bytes(stream: ServerHttp2Stream | ClientHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    stream.on("data", (chunk: Buffer) => chunks.push(chunk)).once("end", () => resolve(Buffer.concat(chunks)));
  });
}
