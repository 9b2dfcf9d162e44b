import { ingress as schema } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { type Exposure, type ExposureRule, sourceLimits } from "@hearth-platform/hearth/exposure/exposure";
import { traefikObjects } from "@hearth-platform/hearth/exposure/traefik";
import { describe, expect, it } from "vitest";

const metadata = { namespace: "team", labels: { part: "team" } };
const rule: ExposureRule = { service: "web", port: 80 };
const ingress = resolve(schema, { clusterIssuer: "issuer" });

function rendered(exposure: Partial<Exposure>, trustedProxies: string[] = []) {
  const objects = traefikObjects({ metadata, hosts: [], ...exposure }, { ...ingress, trustedProxies });
  return objects.map(({ object }) => object as typeof object & { spec: Record<string, unknown> });
}

/** The rules of a host's route. */
function routes(host: Partial<Exposure["hosts"][number]>, trustedProxies: string[] = []) {
  const complete = { metadata: { ...metadata, name: "web" }, host: "a.example.org", tlsSecret: "tls", rules: [rule] };
  const objects = rendered({ hosts: [{ ...complete, ...host }] }, trustedProxies);
  return objects.find(({ kind }) => kind === "IngressRoute")?.spec.routes as Array<{
    match: string;
    priority?: number;
    middlewares?: { name: string }[];
  }>;
}

describe("the match of an IngressRoute", () => {
  it.each([
    ["any path", {}, "Host(`a.example.org`)"],
    ["one path", { paths: [{ exact: "/a" }] }, "Host(`a.example.org`) && Path(`/a`)"],
    ["a tree", { paths: [{ tree: "/a" }] }, "Host(`a.example.org`) && (Path(`/a`) || PathPrefix(`/a/`))"],
    ["a prefix", { paths: [{ prefix: "/a/" }] }, "Host(`a.example.org`) && PathPrefix(`/a/`)"],
    ["a pattern", { paths: [{ pattern: "^/a$" }] }, "Host(`a.example.org`) && PathRegexp(`^/a$`)"],
    [
      "a method, and one of two paths",
      { method: "POST", paths: [{ exact: "/a" }, { exact: "/b" }] },
      "Host(`a.example.org`) && Method(`POST`) && (Path(`/a`) || Path(`/b`))",
    ],
  ] satisfies [string, Partial<ExposureRule>, string][])("takes %s", (_, part, match) => {
    expect(routes({ rules: [{ ...rule, ...part }] })[0]?.match).toBe(match);
  });

  it("takes one label of a wildcard, below every host that is named", () => {
    expect(routes({ host: "*.pages.example.org" })).toMatchObject([
      { match: "HostRegexp(`^[a-z0-9-]+\\.pages\\.example\\.org$`)", priority: 1 },
    ]);
  });

  it("keeps what is inside only from every rule of its host, however its slashes are written", () => {
    for (const { match } of routes({ insideOnly: [["api", "internal"]], rules: [rule, { ...rule, method: "GET" }] })) {
      const [, pattern = ""] = /!PathRegexp\(`([^`]+)`\)/.exec(match) ?? [];
      for (const path of ["/api/internal", "/api/internal/a", "//api//internal/", "/api%2Finternal%2fa"])
        expect(path).toMatch(new RegExp(pattern));
      for (const path of ["/api", "/api/internals", "/a/api/internal"]) expect(path).not.toMatch(new RegExp(pattern));
    }
  });
});

describe("rules", () => {
  it("without limits have one route, also behind trusted proxies", () => {
    expect(routes({ rules: [rule, { ...rule, method: "GET" }] }, ["10.0.0.0/8"]).map(({ match }) => match)).toEqual([
      "Host(`a.example.org`)",
      "Host(`a.example.org`) && Method(`GET`)",
    ]);
  });

  it("are tried in their order where they are ordered", () => {
    expect(routes({ ordered: true, rules: [rule, rule, rule] }).map(({ priority }) => priority)).toEqual([30, 20, 10]);
    expect(routes({ rules: [rule, rule] }).map(({ priority }) => priority)).toEqual([undefined, undefined]);
  });

  it("share what they do to a request by its name", () => {
    const both = [
      { ...rule, strictTransport: "strict" },
      { ...rule, strictTransport: "strict", stripPrefix: { name: "strip", prefix: "/a" } },
    ];
    const objects = rendered({
      hosts: [{ metadata: { ...metadata, name: "web" }, host: "a.example.org", tlsSecret: "tls", rules: both }],
    });
    expect(objects.filter(({ kind }) => kind === "Middleware").map(({ metadata: { name } }) => name)).toEqual([
      "strict",
      "strip",
    ]);
    expect(routes({ rules: both }).map(({ middlewares }) => middlewares?.map(({ name }) => name))).toEqual([
      ["strict"],
      ["strict", "strip"],
    ]);
  });

  it("count a source by its connection, and by what a trusted proxy says of it", () => {
    const limits = sourceLimits("calls", { callsPerSecond: 5, burst: 10, inFlight: 3 });
    const limited = { rules: [{ ...rule, limits }] };
    expect(routes(limited)).toHaveLength(1);
    const [direct, forwarded] = routes(limited, ["10.0.0.0/8"]);
    expect(direct?.middlewares).toEqual([{ name: "calls-rate" }, { name: "calls-in-flight" }]);
    expect(forwarded?.middlewares).toEqual([{ name: "calls-rate-forwarded" }, { name: "calls-in-flight-forwarded" }]);
    expect(forwarded?.match).toContain("ClientIP(`10.0.0.0/8`)");
  });
});

describe("HTTP", () => {
  const hosts = ["a.example.org", "b.example.org"].map((host) => ({
    metadata: { ...metadata, name: host },
    host,
    tlsSecret: "tls",
    rules: [rule],
  }));

  it("is sent to HTTPS on every host", () => {
    const routes = rendered({ hosts, toHttps: "to-https" }).filter(
      ({ spec }) => JSON.stringify(spec.entryPoints) === '["web"]',
    );
    expect(routes.map(({ spec }) => spec.routes)).toMatchObject([
      [{ match: "Host(`a.example.org`) || Host(`b.example.org`)", middlewares: [{ name: "to-https" }] }],
    ]);
  });

  it("has no way in where nothing sends it on", () => {
    expect(rendered({ hosts }).flatMap(({ spec }) => spec.entryPoints)).toEqual(["websecure", "websecure"]);
  });
});

describe("a port", () => {
  const port = {
    metadata: { ...metadata, name: "shell" },
    entryPoint: "ssh",
    listenerPort: 22,
    service: "shell",
    port: 22,
  };

  it.each([true, false])("tells the service its client's address: %s", (proxyProtocol) => {
    const objects = rendered({ tcp: [{ ...port, proxyProtocol }] });
    expect(objects.map(({ kind }) => kind)).toEqual([
      ...(proxyProtocol ? ["ServersTransportTCP"] : []),
      "IngressRouteTCP",
    ]);
  });
});
