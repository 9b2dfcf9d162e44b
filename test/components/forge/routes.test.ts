import { routeObjects } from "@hearth-platform/hearth/forge/routes";
import { describe, expect, test } from "vitest";
import { completeForge, minimalForge } from "./forge.ts";

/** Who gets which request is seen by a real Traefik: test/e2e/routes.test.ts. */

describe("by SSH", () => {
  const ssh = (args = completeForge) =>
    routeObjects(args).flatMap(({ object }) => {
      const { kind, metadata, spec } = object as typeof object & { spec: object };
      return kind.endsWith("TCP") ? [[kind, metadata.name, spec]] : [];
    });
  const route = (service: object) => ({
    entryPoints: ["ssh"],
    routes: [{ match: "HostSNI(`*`)", services: [{ name: "forge-shell", port: 22, ...service }] }],
  });

  test("any server name goes to the shell, with the client's address", () => {
    expect(ssh()).toEqual([
      ["ServersTransportTCP", "forge-shell", { proxyProtocol: { version: 2 } }],
      ["IngressRouteTCP", "forge-shell", route({ serversTransport: "forge-shell" })],
    ]);
  });

  test("or without it", () => {
    const args = { ...completeForge, ssh: { entryPoint: "ssh", proxyProtocol: false } };
    expect(ssh(args)).toEqual([["IngressRouteTCP", "forge-shell", route({})]]);
  });

  test("there is no route where there is no setting of it", () => {
    expect(ssh(minimalForge)).toEqual([]);
  });
});
