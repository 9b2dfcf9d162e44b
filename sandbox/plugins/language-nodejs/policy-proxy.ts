import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import grpc from "@grpc/grpc-js";
import analyzerServices from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import analyzer from "@pulumi/pulumi/proto/analyzer_pb.js";

const { configureStack, handshake, ...forwarded } = analyzerServices.AnalyzerService;
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const raw = (data: Buffer) => data;

/** How long a call may still take on a connection that the engine was asked to leave, in ms. */
const farewell = 10 * 60_000;

/**
 * Stands between the engine and a policy pack. The SDK reads the stack's configuration from the environment, so the pack
 * can only be started once the engine has called ConfigureStack; until then this answers for it. Once the pack runs, it
 * asks the engine to connect anew, as any gRPC server may, and joins the new connection to the pack's; to read and send
 * each call anew took an eighth of a gate. After `PolicyProxy` of the Pulumi SDK for Go.
 */
export class PolicyProxy implements AsyncDisposable {
  readonly #server = new grpc.Server(unlimited);
  readonly #ownConnections = this.#server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  readonly #door = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  readonly #configured = Promise.withResolvers<analyzer.AnalyzerStackConfigureRequest | undefined>();
  readonly #pack = Promise.withResolvers<grpc.Client>();
  #stack?: analyzer.AnalyzerStackConfigureRequest;
  #firstLine: Buffer | undefined = Buffer.alloc(0);
  /** The pack's port, once it takes connections. */
  #packPort?: number;

  /** Where the engine reaches it, on 127.0.0.1. */
  get port(): number {
    return (this.#door.address() as AddressInfo).port;
  }

  static async start(): Promise<PolicyProxy> {
    const proxy = new PolicyProxy();
    // Nobody may be waiting when the pack fails to start.
    proxy.#pack.promise.catch(() => undefined);
    proxy.#serve();
    await once(proxy.#door.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  /** Answer of ConfigureStack; undefined if the engine does not call it. Rejects when `signal` aborts. */
  stackConfiguration(signal: AbortSignal): Promise<analyzer.AnalyzerStackConfigureRequest | undefined> {
    signal.addEventListener("abort", () => this.#configured.reject(signal.reason), { once: true });
    return this.#configured.promise;
  }

  /** Takes the pack's standard output; its first line is the pack's port, what follows is returned. */
  readPort(data: Uint8Array): Uint8Array {
    if (!this.#firstLine) return data;
    this.#firstLine = Buffer.concat([this.#firstLine, data]);
    const end = this.#firstLine.indexOf("\n");
    if (end < 0) return Buffer.alloc(0);
    const line = this.#firstLine.toString("utf8", 0, end).trim();
    const rest = this.#firstLine.subarray(end + 1);
    this.#firstLine = undefined;
    if (/^\d+$/.test(line)) this.#attach(Number(line));
    else this.#pack.reject(new Error(`could not read policy pack port: it printed "${line}"`));
    return rest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pack.reject(new Error("policy pack not started: it exited"));
    await this.#pack.promise.then((client) => client.close()).catch(() => undefined);
    this.#door.close();
    this.#server.forceShutdown();
  }

  #accept(socket: Socket): void {
    if (this.#packPort === undefined) {
      this.#ownConnections.injectConnection(socket);
      return;
    }
    const pack = connect({ port: this.#packPort, host: "127.0.0.1", noDelay: true });
    // Either end may leave at any time; the other is closed then.
    pipeline(socket, pack, socket, () => undefined);
  }

  #serve(): void {
    this.#server.addService(
      { configureStack, handshake },
      {
        handshake: (_: unknown, done: grpc.sendUnaryData<analyzer.AnalyzerHandshakeResponse>) =>
          done(null, new analyzer.AnalyzerHandshakeResponse()),
        configureStack: (
          call: grpc.ServerUnaryCall<analyzer.AnalyzerStackConfigureRequest, analyzer.AnalyzerStackConfigureResponse>,
          done: grpc.sendUnaryData<analyzer.AnalyzerStackConfigureResponse>,
        ) => {
          this.#stack = call.request;
          this.#configured.resolve(call.request);
          done(null, new analyzer.AnalyzerStackConfigureResponse());
        },
      },
    );
    const definitions = Object.entries(forwarded).map(([name, { path }]) => [
      name,
      {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: raw,
        requestDeserialize: raw,
        responseSerialize: raw,
        responseDeserialize: raw,
      },
    ]);
    const handlers = Object.entries(forwarded).map(([name, { path }]) => [name, this.#forward(path)]);
    this.#server.addService(Object.fromEntries(definitions), Object.fromEntries(handlers));
  }

  #forward(path: string): grpc.handleUnaryCall<Buffer, Buffer> {
    return (call, done) => {
      this.#configured.resolve(undefined);
      this.#pack.promise.then(
        (client) =>
          client.makeUnaryRequest(path, raw, raw, call.request, call.metadata, (error, response) =>
            done(error, response ?? null),
          ),
        (error: Error) => done({ code: grpc.status.UNKNOWN, details: error.message }),
      );
    };
  }

  #attach(port: number): void {
    const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), unlimited);
    const attached = () => {
      this.#packPort = port;
      this.#pack.resolve(client);
      // Calls under way end on their connection.
      this.#ownConnections.drain(farewell);
    };
    if (!this.#stack) {
      attached();
      return;
    }
    const { path, requestSerialize } = configureStack;
    client.makeUnaryRequest(path, requestSerialize, raw, this.#stack, (error) => {
      // Packs older than ConfigureStack do not implement it.
      if (error && error.code !== grpc.status.UNIMPLEMENTED)
        this.#pack.reject(new Error(`policy pack configuration failed: ${error.message}`));
      else attached();
    });
  }
}
