/** Serves providers to the Pulumi engine, over gRPC on ports of 127.0.0.1. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { Engine } from "./engine.ts";
import { handlers } from "./grpc.ts";
import type { ProviderImplementation } from "./provider.ts";

export interface ListenOptions {
  /** @default a free one */
  readonly port?: number;
  /** The engine's address, where it is known before it attaches. */
  readonly engine?: string;
}

/**
 * Serves a provider as a plugin that the engine starts: prints the port as the first line, which is how the engine finds
 * it, and ends the process when the engine closes its standard input (it was killed), on SIGTERM and on SIGINT. Waits under
 * way are cancelled first.
 */
export async function serveProvider(open: () => ProviderImplementation): Promise<void> {
  const engine = engineAddress();
  const { port, close } = await listen(open, { engine });
  const end = () => {
    close();
    process.exit(0);
  };
  process.once("SIGTERM", end).once("SIGINT", end);
  if (engine !== undefined) process.stdin.resume().once("end", end).once("error", end);
  process.stdout.write(`${port}\n`);
}

/**
 * Serves a provider on a port of 127.0.0.1 until `close`. The engine makes a connection for each provider resource, so each
 * connection gets a provider of its own from `open`: one's settings are never another's. What a provider has under way is
 * cancelled when its connection ends.
 */
export async function listen(
  open: () => ProviderImplementation,
  { port = 0, engine: address }: ListenOptions = {},
): Promise<{ port: number; close(): void }> {
  const ends = new Set<() => void>();
  const listener = createServer((socket) => {
    const provider = open();
    const engine = new Engine(address);
    const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
    server.addService(providerGrpc.ResourceProviderService, handlers(provider, engine));
    const end = () => {
      if (!ends.delete(end)) return;
      provider.cancel?.();
      provider.close?.();
      engine.close();
      server.forceShutdown();
    };
    ends.add(end);
    socket.once("close", end);
    server.createConnectionInjector(grpc.ServerCredentials.createInsecure()).injectConnection(socket);
  });
  listener.listen(port, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    close: () => {
      listener.close();
      for (const end of ends) end();
    },
  };
}

/**
 * The engine's address is the last argument (after its logging flags); there is none for a provider started by hand.
 */
function engineAddress(): string | undefined {
  return process.argv.slice(2).findLast((argument) => /^[\w.[\]]+:\d+$/.test(argument));
}
