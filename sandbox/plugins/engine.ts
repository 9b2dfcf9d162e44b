import { AsyncLocalStorage } from "node:async_hooks";
import grpc from "@grpc/grpc-js";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import enginePb from "@pulumi/pulumi/proto/engine_pb.js";

const current = new AsyncLocalStorage<Engine>();

/** The engine at the other end of a plugin's connection. */
export class Engine {
  /** `host:port` of its own service; undefined for a provider started by hand. */
  address: string | undefined;
  #client: InstanceType<typeof engineGrpc.EngineClient> | undefined;

  constructor(address?: string) {
    this.address = address;
  }

  /** Answers a request of this engine: what {@link log} says meanwhile is said to it. */
  asking<T>(answer: () => T): T {
    return current.run(this, answer);
  }

  log(request: enginePb.LogRequest): void {
    if (this.address === undefined) return;
    this.#client ??= new engineGrpc.EngineClient(this.address, grpc.credentials.createInsecure());
    this.#client.log(request, () => {
      // A lost message must not fail the operation it is about.
    });
  }

  close(): void {
    this.#client?.close();
  }
}

/**
 * Shows a message at a resource, in the output of the engine whose request is being answered. `status` is shown while the
 * resource is worked on and then gone.
 */
export function log(severity: "status" | "info" | "warning", urn: string, message: string): void {
  const request = new enginePb.LogRequest();
  const { INFO, WARNING } = enginePb.LogSeverity;
  request.setSeverity(severity === "warning" ? WARNING : INFO);
  request.setEphemeral(severity === "status");
  request.setUrn(urn);
  request.setMessage(message);
  current.getStore()?.log(request);
}
