import { routeObjects } from "@hearth-platform/hearth/forge/routes";
import { describe, expect, test } from "vitest";
import { type Route, routedTo } from "../../support/traefik-rules.ts";
import { completeForge, minimalForge } from "./forge.ts";

interface RouteObject {
  kind: string;
  metadata: { name: string };
  spec: { entryPoints?: string[]; routes?: Route[]; tls?: object; redirectScheme?: object };
}

const objects = (args = completeForge) => routeObjects(args).map(({ object }) => object as unknown as RouteObject);
const routesAt = (entryPoint: string, args = completeForge) =>
  objects(args).flatMap(({ kind, spec }) =>
    kind === "IngressRoute" && spec.entryPoints?.includes(entryPoint) ? (spec.routes ?? []) : [],
  );
const to = (host: string, path: string) => routedTo(routesAt("websecure"), host, path);

describe("by HTTPS", () => {
  test.each([
    "/",
    "/-/health",
    "/-/readiness?all=1",
    "/-/liveness",
    "/api/v4/projects",
    "/oauth/token",
    "/-/cable",
    "/group/project.git/info/refs?service=git-upload-pack",
    "/group/project/-/metrics_dashboard",
    "/-/metrics_like",
    "/api/v4/internals",
    "/api/v4/projects/internal",
    "/internal/project",
    "/group/api/v4/internal",
  ])("%s goes to the proxy", (path) => {
    expect(to("forge.example.org", path)).toBe("forge-webservice");
  });

  test.each([
    "/-/metrics",
    "/-/metrics/",
    "/-/metrics?x=1",
    "//-//metrics",
    "/-/%6detrics",
    "/%2d/metrics",
    "/a/../-/metrics",
    "/-/./metrics",
    "/api/v4/internal/allowed",
    "/api/v4/internal",
    "/api/v4/internal/pages?host=a",
    "//api///v4//internal/authorized_keys",
    "/api/v4/%69nternal/allowed",
    "/api%2Fv4/internal/allowed",
    "/api/v4%2finternal%2fallowed",
    "/api/v4/projects/../internal/allowed",
  ])("%s goes nowhere", (path) => {
    expect(to("forge.example.org", path)).toBeUndefined();
  });

  test("one label before the sites' domain goes to the sites, and neither more nor the domain itself", () => {
    expect(to("team.pages.example.org", "/-/metrics")).toBe("forge-pages");
    expect(to("a.team.pages.example.org", "/")).toBeUndefined();
    expect(to("pages.example.org", "/")).toBeUndefined();
    expect(to("team-pages.example.org", "/")).toBeUndefined();
  });
});

describe("by HTTP", () => {
  test("every host is sent to HTTPS for good", () => {
    expect(routesAt("web")).toMatchObject([{ middlewares: [{ name: "forge-to-https" }] }]);
    for (const host of ["forge.example.org", "team.pages.example.org"])
      expect(routedTo(routesAt("web"), host, "/any")).toBe("noop@internal");
    const middleware = objects().find(
      ({ kind, metadata }) => kind === "Middleware" && metadata.name === "forge-to-https",
    );
    // Traefik answers 301 to GET and 308 to other methods, which must keep their body.
    expect(middleware?.spec.redirectScheme).toEqual({ scheme: "https", permanent: true });
  });
});

describe("by SSH", () => {
  const ssh = (args = completeForge) =>
    objects(args).flatMap(({ kind, metadata, spec }) => (kind.endsWith("TCP") ? [[kind, metadata.name, spec]] : []));
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
