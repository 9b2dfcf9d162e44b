import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { parse, stringify } from "yaml";

interface Kubeconfig {
  readonly clusters: { readonly cluster: { server: string } }[];
}

/**
 * A way to an API server that is some milliseconds away.
 * @param from kubeconfig of the API server
 * @param to file that gets the kubeconfig of this way
 * @param milliseconds from a request to its answer, at least
 */
export async function delayed(from: string, to: string, milliseconds: number): Promise<AsyncDisposable> {
  const config = parse(readFileSync(from, "utf8")) as Kubeconfig;
  const [entry] = config.clusters;
  if (!entry) throw new Error(`${from} has no cluster.`);
  const { hostname, port } = new URL(entry.cluster.server);
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const api = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [caller, api],
      [api, caller],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      // Timers of the same length end in the order in which they began.
      one.on("data", (chunk) => setTimeout(() => other.writable && other.write(chunk), milliseconds / 2));
      one.on("close", () => {
        sockets.delete(one);
        setTimeout(() => other.destroy(), milliseconds / 2);
      });
      one.on("error", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  entry.cluster.server = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(to, stringify(config), { mode: 0o600 });
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
