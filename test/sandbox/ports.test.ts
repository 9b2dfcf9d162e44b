import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { choosePorts, portIsFree, portNames } from "@hearth-platform/sandbox/ports";
import { describe, expect, it } from "vitest";

const free = async () => true;

describe("the choice of ports", () => {
  it("gives every part one of its own, below those of outgoing connections", async () => {
    const { ports, moved } = await choosePorts({}, portNames, free);
    expect(Object.keys(ports).sort()).toEqual([...portNames].sort());
    expect(new Set(Object.values(ports)).size).toBe(portNames.length);
    for (const port of Object.values(ports)) expect(port).toBeLessThan(32_768);
    expect(moved).toEqual([]);
  });

  it("keeps the recorded ports while they are free", async () => {
    const { ports } = await choosePorts({}, portNames, free);
    expect(await choosePorts(ports, portNames, free)).toEqual({ ports, moved: [] });
  });

  it("moves a part whose recorded port is taken, and says which", async () => {
    const { ports } = await choosePorts({}, portNames, free);
    const second = await choosePorts(ports, portNames, async (port) => port !== ports.registry);
    expect(second.moved).toEqual(["registry"]);
    expect(second.ports).toEqual({ ...ports, registry: expect.any(Number) });
    expect(second.ports.registry).not.toBe(ports.registry);
  });

  it("leaves the ports of running parts alone, which are taken by themselves", async () => {
    const { ports } = await choosePorts({}, portNames, free);
    const second = await choosePorts(ports, ["registry"], async (port) => port === ports.registry);
    expect(second).toEqual({ ports, moved: [] });
  });

  it("ends with advice where nothing is free", async () => {
    await expect(choosePorts({}, portNames, async () => false)).rejects.toThrow(/stop programs/);
  });
});

it("a port is free unless something listens on it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await portIsFree(port)).toBe(false);
  server.close();
  await once(server, "close");
  expect(await portIsFree(port)).toBe(true);
});
