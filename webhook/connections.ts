import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Keeps a server to `most` connections so that no source shuts the others out. At the bound a newcomer takes the place of the
 * longest silent connection of the source that has most of them: one whose head has not come yet, or that idles between calls.
 * Calls under way keep their places; where all do, the newcomer is refused.
 */
export function boundConnections(server: Server, most: number): void {
  let open = 0;
  const silent = new Map<string, Set<Socket>>();

  function falls(source: string, socket: Socket): void {
    silent.set(source, (silent.get(source) ?? new Set()).add(socket));
  }

  function speaks(source: string, socket: Socket): void {
    const sockets = silent.get(source);
    sockets?.delete(socket);
    if (sockets?.size === 0) silent.delete(source);
  }

  function makesRoom(): boolean {
    const [source, sockets] = [...silent].sort(([, one], [, other]) => other.size - one.size)[0] ?? [];
    const [longest] = sockets ?? [];
    if (source === undefined || !longest) return false;
    speaks(source, longest);
    longest.destroy();
    return true;
  }

  server.on("connection", (socket: Socket) => {
    const source = socket.remoteAddress ?? "";
    if (open >= most && !makesRoom()) {
      socket.destroy();
      return;
    }
    open += 1;
    falls(source, socket);
    socket.once("close", () => {
      open -= 1;
      speaks(source, socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    const source = socket.remoteAddress ?? "";
    speaks(source, socket);
    response.once("close", () => {
      if (!socket.destroyed) falls(source, socket);
    });
  });
}
