import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { waitUntil } from "./health.ts";
import { pluginNames } from "./plugins/names.ts";

/** Everything of a sandbox that listens, on 127.0.0.1 only; the names are those of the parts. */
export const portNames = [
  "etcd",
  "etcd-peer",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kwok-controller",
  "object-storage",
  "registry",
  ...pluginNames.map((name) => `plugin-${name}` as const),
  "site-webhook",
  "site-webhook-operations",
  "page",
] as const;

export type PortName = (typeof portNames)[number];
export type Ports = Readonly<Record<PortName, number>>;

/** `NAME:PORT` for each provider plugin that runs with the sandbox, as PULUMI_DEBUG_PROVIDERS has them. */
export function pluginAddresses(ports: Ports): string[] {
  return pluginNames.map((name) => `${name}:${ports[`plugin-${name}`]}`);
}

/** Below the ports that Linux hands out to outgoing connections (32768 and up), which come and go. */
const range = { from: 20_000, to: 32_000 } as const;

/** Whether nothing listens on 127.0.0.1:`port`. */
export function portIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** As `portIsFree`, with patience: a process that has just been killed lets go of its port a little later. */
export function portBecomesFree(port: number): Promise<boolean> {
  return waitUntil(() => portIsFree(port), 2_000);
}

/**
 * Gives each name a port: the recorded one while it is free, else another free one.
 * @param recorded ports of the last start
 * @param names the parts that are about to be started; the ports of the others stay as they are
 * @returns all ports, and the names whose recorded port another program has taken
 */
export async function choosePorts(
  recorded: Partial<Ports>,
  names: readonly PortName[] = portNames,
  isFree: (port: number) => Promise<boolean> = portBecomesFree,
): Promise<{ ports: Ports; moved: PortName[] }> {
  const ports: Partial<Record<PortName, number>> = { ...recorded };
  const moved: PortName[] = [];
  for (const name of portNames) {
    const port = ports[name];
    if (port !== undefined && (!names.includes(name) || (await isFree(port)))) continue;
    if (port !== undefined) moved.push(name);
    ports[name] = await freePort(new Set(Object.values(ports)), isFree);
  }
  return { ports: ports as Ports, moved };
}

async function freePort(taken: ReadonlySet<number>, isFree: (port: number) => Promise<boolean>): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(range.from, range.to);
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(
    `No free port of 127.0.0.1 between ${range.from} and ${range.to} was found: stop programs that listen there, then start again.`,
  );
}
