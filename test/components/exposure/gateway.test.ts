import type { IngressArgs } from "@hearth-platform/hearth/core/platform-args";
import { ingress as schema } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import type { ExposedHost, Exposure, ExposureRule } from "@hearth-platform/hearth/exposure/exposure";
import { exposureObjects, proxyOf } from "@hearth-platform/hearth/exposure/rendering";
import { describe, expect, it } from "vitest";

/** Who gets which request is seen by a real gateway: test/e2e/routes.test.ts. */

const metadata = { namespace: "team", labels: { part: "team" } };
const rule: ExposureRule = { service: "web", port: 80 };
const host = (name: string, more: Partial<ExposedHost> = {}): ExposedHost => ({
  metadata: { ...metadata, name },
  host: `${name}.example.org`,
  tlsSecret: `${name}-tls`,
  rules: [rule],
  ...more,
});
const ssh = {
  metadata: { ...metadata, name: "shell" },
  entryPoint: "ssh",
  listenerPort: 2222,
  service: "shell",
  port: 22,
  proxyProtocol: false,
};

function rendered(exposure: Partial<Exposure>, gateway?: IngressArgs["gateway"]) {
  const ingress = resolve(schema, { clusterIssuer: "issuer", kind: "gateway", gateway });
  return exposureObjects({ metadata, hosts: [host("web")], ...exposure }, ingress).map(({ object }) => {
    const { kind, metadata, spec } = object as typeof object & { spec: Record<string, unknown> };
    return { kind, name: metadata.name, annotations: metadata.annotations, spec };
  });
}

function of(kind: string, ...args: Parameters<typeof rendered>) {
  return rendered(...args).filter((object) => object.kind === kind);
}

/** The rules of a host's route. */
const rules = (part: Partial<ExposedHost>) => of("HTTPRoute", { hosts: [host("web", part)] })[0]?.spec.rules;

const same = { namespaces: { from: "Same" } };
const https = (name: string, port = 443) => ({
  name,
  hostname: `${name}.example.org`,
  port,
  protocol: "HTTPS",
  tls: { mode: "Terminate", certificateRefs: [{ group: "", kind: "Secret", name: `${name}-tls` }] },
  allowedRoutes: same,
});
const http = (name: string, port = 80) => ({
  name: `${name}-http`,
  hostname: `${name}.example.org`,
  port,
  protocol: "HTTP",
  allowedRoutes: same,
});

describe("a Gateway of our own", () => {
  const exposure = { hosts: [host("web"), host("office")], toHttps: "to-https", tcp: [ssh] };

  it("listens for each host with its certificate, for HTTP and for each port", () => {
    expect(of("Gateway", exposure)).toEqual([
      {
        kind: "Gateway",
        name: "web",
        annotations: { "pulumi.com/waitFor": "condition=Programmed" },
        spec: {
          gatewayClassName: "traefik",
          listeners: [
            https("web"),
            https("office"),
            http("web"),
            http("office"),
            { name: "ssh", port: 2222, protocol: "TCP", allowedRoutes: same },
          ],
        },
      },
    ]);
  });

  it("has the class and ports of the settings", () => {
    const settings = { className: "eg", httpsPort: 8443, httpPort: 8000 };
    expect(of("Gateway", { hosts: [host("web")], toHttps: "to-https" }, settings)).toMatchObject([
      { spec: { gatewayClassName: "eg", listeners: [https("web", 8443), http("web", 8000)] } },
    ]);
  });

  it("gives each route its listener", () => {
    expect(rendered(exposure).map(({ name, spec }) => [name, spec.parentRefs])).toEqual([
      ["web", undefined],
      ["web", [{ name: "web", sectionName: "web" }]],
      ["office", [{ name: "web", sectionName: "office" }]],
      [
        "to-https",
        [
          { name: "web", sectionName: "web-http" },
          { name: "web", sectionName: "office-http" },
        ],
      ],
      ["shell", [{ name: "web", sectionName: "ssh" }]],
    ]);
  });
});

describe("a Gateway that exists", () => {
  const existing = { name: "shared", namespace: "gateways" };
  const exposure = { hosts: [host("web"), host("office")], toHttps: "to-https", tcp: [ssh] };

  it("has listeners by port, and by name where a port is of one service", () => {
    const routes = rendered(exposure, { existing, httpsPort: 8443 }).filter(({ spec }) => spec.parentRefs);
    expect(routes.map(({ name, spec }) => [name, spec.parentRefs])).toEqual([
      ["web", [{ ...existing, port: 8443 }]],
      ["office", [{ ...existing, port: 8443 }]],
      ["to-https", [{ ...existing, port: 80 }]],
      ["shell", [{ ...existing, sectionName: "ssh" }]],
    ]);
    expect(of("Gateway", exposure, { existing })).toEqual([]);
  });

  it("may read the certificates from its own namespace", () => {
    expect(of("ReferenceGrant", exposure, { existing }).map(({ spec }) => spec)).toEqual([
      {
        from: [{ group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "gateways" }],
        to: ["web-tls", "office-tls"].map((name) => ({ group: "", kind: "Secret", name })),
      },
    ]);
    expect(of("ReferenceGrant", exposure, { existing: { ...existing, namespace: "team" } })).toEqual([]);
  });
});

describe("a rule of an HTTPRoute", () => {
  const backendRefs = [{ name: "web", port: 80 }];

  it.each([
    ["any path", {}, [{ path: { type: "PathPrefix", value: "/" } }]],
    ["one path", { paths: [{ exact: "/a" }] }, [{ path: { type: "Exact", value: "/a" } }]],
    ["a tree", { paths: [{ tree: "/a" }] }, [{ path: { type: "PathPrefix", value: "/a" } }]],
    ["a pattern", { paths: [{ pattern: "^/a$" }] }, [{ path: { type: "RegularExpression", value: "^/a$" } }]],
    [
      "a method, and one of two paths",
      { method: "POST", paths: [{ exact: "/a" }, { prefix: "/b/" }] },
      [
        { path: { type: "Exact", value: "/a" }, method: "POST" },
        { path: { type: "PathPrefix", value: "/b/" }, method: "POST" },
      ],
    ],
  ] satisfies [string, Partial<ExposureRule>, object[]][])("takes %s", (_, part, matches) => {
    expect(rules({ rules: [{ ...rule, ...part }] })).toEqual([{ matches, backendRefs }]);
  });

  it("says what is let in where some of it is inside only", () => {
    expect(rules({ insideOnly: [["a"]] })).toEqual([
      {
        matches: [
          { path: { type: "RegularExpression", value: "^(?:/|/(?:a(?:[^/%][^/%]*)|[^a/%][^/%]*)(?:/.*)?)?$" } },
        ],
        backendRefs,
      },
    ]);
  });

  it("keeps browsers to HTTPS, and takes a prefix away", () => {
    expect(
      rules({ rules: [{ ...rule, strictTransport: "strict", stripPrefix: { name: "strip", prefix: "/a" } }] }),
    ).toEqual([
      {
        matches: [{ path: { type: "PathPrefix", value: "/" } }],
        filters: [
          {
            type: "ResponseHeaderModifier",
            responseHeaderModifier: { set: [{ name: "Strict-Transport-Security", value: "max-age=15552000" }] },
          },
          { type: "URLRewrite", urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/" } } },
        ],
        backendRefs,
      },
    ]);
  });

  it("answers paths with another address", () => {
    const redirect = { name: "dav", paths: ["/a", "/a/"], pattern: "/a/?", to: "/b" };
    expect(rules({ rules: [{ ...rule, redirect }] })).toMatchObject([
      {
        matches: [{ path: { type: "Exact", value: "/a" } }, { path: { type: "Exact", value: "/a/" } }],
        filters: [
          {
            requestRedirect: {
              scheme: "https",
              path: { type: "ReplaceFullPath", replaceFullPath: "/b" },
              statusCode: 301,
            },
          },
        ],
      },
      { backendRefs },
    ]);
  });
});

describe("HTTP", () => {
  it("is sent to HTTPS on every host", () => {
    const routes = of("HTTPRoute", { hosts: [host("web"), host("office")], toHttps: "to-https" });
    expect(routes.find(({ name }) => name === "to-https")?.spec).toMatchObject({
      hostnames: ["web.example.org", "office.example.org"],
      rules: [{ filters: [{ requestRedirect: { scheme: "https", statusCode: 301 } }] }],
    });
  });

  it("has no way in where nothing sends it on", () => {
    expect(of("Gateway", {})).toMatchObject([{ spec: { listeners: [https("web")] } }]);
  });
});

describe("network policies", () => {
  const party = (gateway: NonNullable<IngressArgs["gateway"]>) =>
    proxyOf(resolve(schema, { clusterIssuer: "issuer", kind: "gateway", gateway }));
  const labelled = (matchLabels: Record<string, string>) => [{ namespaceSelector: {}, podSelector: { matchLabels } }];
  const existing = { name: "public", namespace: "gateways" };

  it("let in the pods of Traefik, of the Gateway's class, or those the settings name", () => {
    const traefik = labelled({ "app.kubernetes.io/name": "traefik" });
    const podLabels = { app: "proxy" };
    expect(proxyOf(resolve(schema, { clusterIssuer: "issuer" })).party.outside).toEqual(traefik);
    expect(party({}).party.outside).toEqual(traefik);
    expect(party({ className: "eg" }).party.outside).toEqual(
      labelled({ "app.kubernetes.io/component": "proxy", "app.kubernetes.io/managed-by": "envoy-gateway" }),
    );
    expect(party({ className: "own", podLabels }).party.outside).toEqual(labelled(podLabels));
  });

  it("let everybody in where no selector knows the proxy, as with Cilium", () => {
    expect(party({ className: "cilium" }).party).toEqual({ unnamed: true });
  });

  it.each(["istio", "nginx"])(
    "know that the proxies of %s stand beside their Gateway, among the pods they serve",
    (className) => {
      const pods = { matchExpressions: [{ key: "gateway.networking.k8s.io/gateway-name", operator: "Exists" }] };
      expect(party({ className }).party).toEqual({ pods, outside: [{ namespaceSelector: {}, podSelector: pods }] });
      expect(party({ className, existing }).party).toEqual({
        outside: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "gateways" } },
            podSelector: { matchLabels: { "gateway.networking.k8s.io/gateway-name": "public" } },
          },
        ],
      });
    },
  );
});
