import { shellConfiguration } from "@hearth-platform/hearth/forge/configuration/shell";
import { planForge } from "@hearth-platform/hearth/forge/plan";
import { forgeConfiguration } from "@hearth-platform/hearth/forge/program-files";
import { routeObjects } from "@hearth-platform/hearth/forge/routes";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { resolvedForge } from "../../support/plans.ts";
import { completeForge, minimalForge } from "./forge.ts";

/** Who gets which request is seen by a real Traefik: test/e2e/routes.test.ts. */

describe("a call by SSH:", () => {
  const ssh = (args = completeForge) =>
    routeObjects(resolvedForge(args)).flatMap(({ object }) => {
      const { kind, metadata, spec } = object as typeof object & { spec: object };
      return kind.includes("TCP") ? [[kind, metadata.name, spec]] : [];
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

  test("any server name goes to the shell, without the client's address where the setting says so", () => {
    const args = { ...completeForge, ssh: { entryPoint: "ssh", proxyProtocol: false } };
    expect(ssh(args)).toEqual([["IngressRouteTCP", "forge-shell", route({})]]);
  });

  test("by a Gateway the shell takes nobody's word for an address", () => {
    const byGateway = (change: object) => {
      const platform = {
        ...completeForge.platform,
        ingress: { ...completeForge.platform.ingress, kind: "gateway" },
      } as const;
      const args = { ...completeForge, platform, ssh: { entryPoint: "git", port: 2222, ...change } };
      return [ssh(args)[0], parse(shellConfiguration(forgeConfiguration(resolvedForge(args)))).sshd.proxy_protocol];
    };
    const tcpRoute = {
      parentRefs: [{ name: "forge-webservice", sectionName: "git" }],
      rules: [{ backendRefs: [{ name: "forge-shell", port: 22 }] }],
    };
    expect(byGateway({})).toEqual([["TCPRoute", "forge-shell", tcpRoute], false]);
    expect(byGateway({ proxyProtocol: true })).toEqual([["TCPRoute", "forge-shell", tcpRoute], true]);
  });

  test("by a Gateway its route is of the stable version where no older one is asked for, and the state may have it in the other", () => {
    const versions = (more: object) => {
      const { ingress } = completeForge.platform;
      const platform = { ...completeForge.platform, ingress: { ...ingress, kind: "gateway", gateway: more } } as const;
      const { objects } = planForge(resolvedForge({ ...completeForge, platform }));
      const route = objects.find(({ object }) => object.kind === "TCPRoute");
      return [route?.object.apiVersion, route?.otherVersions];
    };
    const [alpha, stable] = ["gateway.networking.k8s.io/v1alpha2", "gateway.networking.k8s.io/v1"];
    expect(versions({})).toEqual([stable, [alpha]]);
    expect(versions({ tcpRouteVersion: "v1alpha2" })).toEqual([alpha, [stable]]);
  });

  test("there is no route where there is no setting of it", () => {
    expect(ssh(minimalForge)).toEqual([]);
  });
});
