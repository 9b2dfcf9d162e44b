import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below those that systems give to outgoing connections: none of these takes a port before its server listens.
const [first, behindLast] = [20_000, 30_000];

/** A port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(first, behindLast);
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}

/** Such a port for each of the names. */
export async function freePorts(names: readonly string[]): Promise<Map<string, number>> {
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return new Map([...ports].map((port, index) => [names[index] ?? "", port]));
}
