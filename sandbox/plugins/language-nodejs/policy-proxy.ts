import grpc from "@grpc/grpc-js";
import analyzerServices from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import analyzer from "@pulumi/pulumi/proto/analyzer_pb.js";

const { configureStack, handshake, ...forwarded } = analyzerServices.AnalyzerService;
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const raw = (data: Buffer) => data;

/**
 * Stands between the engine and a policy pack. The SDK reads the stack's configuration from the environment, so the pack
 * can only be started once the engine has called ConfigureStack; until then this answers for it, afterwards it passes
 * each call on, byte for byte. After `PolicyProxy` of the Pulumi SDK for Go.
 */
export class PolicyProxy implements AsyncDisposable {
  readonly #server = new grpc.Server(unlimited);
  readonly #configured = Promise.withResolvers<analyzer.AnalyzerStackConfigureRequest | undefined>();
  readonly #pack = Promise.withResolvers<grpc.Client>();
  #stack?: analyzer.AnalyzerStackConfigureRequest;
  #firstLine: Buffer | undefined = Buffer.alloc(0);
  #port = 0;

  /** Where the engine reaches it, on 127.0.0.1. */
  get port(): number {
    return this.#port;
  }

  static async start(): Promise<PolicyProxy> {
    const proxy = new PolicyProxy();
    // Nobody may be waiting when the pack fails to start.
    proxy.#pack.promise.catch(() => undefined);
    proxy.#serve();
    proxy.#port = await new Promise((resolve, reject) =>
      proxy.#server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
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
    if (/^\d+$/.test(line)) this.#attach(`127.0.0.1:${line}`);
    else this.#pack.reject(new Error(`could not read policy pack port: it printed "${line}"`));
    return rest;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pack.reject(new Error("policy pack not started: it exited"));
    await this.#pack.promise.then((client) => client.close()).catch(() => undefined);
    this.#server.forceShutdown();
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
          client.makeUnaryRequest(path, raw, raw, call.request, (error, response) => done(error, response ?? null)),
        (error: Error) => done({ code: grpc.status.UNKNOWN, details: error.message }),
      );
    };
  }

  #attach(address: string): void {
    const client = new grpc.Client(address, grpc.credentials.createInsecure(), unlimited);
    if (!this.#stack) {
      this.#pack.resolve(client);
      return;
    }
    const { path, requestSerialize } = configureStack;
    client.makeUnaryRequest(path, requestSerialize, raw, this.#stack, (error) => {
      // Packs older than ConfigureStack do not implement it.
      if (error && error.code !== grpc.status.UNIMPLEMENTED)
        this.#pack.reject(new Error(`policy pack configuration failed: ${error.message}`));
      else this.#pack.resolve(client);
    });
  }
}
