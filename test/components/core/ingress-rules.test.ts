import {
  clusterRanges,
  gatewayRule,
  ingressRule,
  platformRule,
  proxyRanges,
} from "@hearth-platform/hearth/core/object-rules";
import { describe, expect, it } from "vitest";

const said = (problems: readonly { severity: string; path: string }[]) =>
  problems.map(({ severity, path }) => `${severity} ${path}`);

describe("the kind of ingress", () => {
  it.each<[Parameters<typeof ingressRule>[1], string[]]>([
    [{}, []],
    [{ kind: "gateway", gateway: {} }, []],
    [{ kind: "gateway", entryPoint: "web" }, ["warning ingress.entryPoint"]],
    [{ kind: "gateway", httpEntryPoint: "web" }, ["warning ingress.httpEntryPoint"]],
    [{ gateway: {} }, ["warning ingress.gateway"]],
    [{ kind: "traefik", entryPoint: "web" }, ["error ingress.entryPoint"]],
  ])("has its own settings, and no use for the other's: %j", (value, problems) => {
    expect(said(ingressRule("ingress", value))).toEqual(problems);
  });
});

describe("a Gateway", () => {
  it.each<[Parameters<typeof gatewayRule>[1], string[]]>([
    [{ httpsPort: 8443 }, []],
    [{ httpsPort: 80 }, ["error gateway.httpsPort"]],
    [{ httpsPort: 8443, httpPort: 8443 }, ["error gateway.httpPort"]],
  ])("has two ports: %j", (value, problems) => {
    expect(said(gatewayRule("gateway", value))).toEqual(problems);
  });
});

describe("with network policies", () => {
  const platform = (profile: string, gateway: object, networkPolicies?: boolean) => ({
    ...{ profile, networkPolicies },
    ingress: { clusterIssuer: "issuer", kind: "gateway", gateway },
  });

  it.each<[ReturnType<typeof platform>, string[]]>([
    [platform("production", { className: "own" }), ["error platform.ingress.gateway.podLabels"]],
    [platform("development", { className: "own" }, true), ["error platform.ingress.gateway.podLabels"]],
    [platform("production", { className: "own", podLabels: { app: "proxy" } }), []],
    [platform("production", { className: "own" }, false), []],
    [platform("development", { className: "own" }), []],
    [platform("production", { className: "cilium" }), []],
    [platform("production", {}), []],
  ])("the pods of a Gateway's proxy are known, by its class or by their labels: %j", (value, problems) => {
    expect(said(platformRule("platform", value))).toEqual(problems);
  });

  it.each<[string[], string[]]>([
    [["10.42.0.0/16", "10.43.0.0/16"], []],
    [["0.0.0.0/0"], ["error networks[0]"]],
    [["fd00::/8"], ["error networks[0]"]],
    [["10.42.0.0"], ["error networks[0]"]],
  ])("the cluster's ranges are some of IPv4: %j", (value, problems) => {
    expect(said(clusterRanges("networks", value))).toEqual(problems);
  });
});

describe("trusted proxies", () => {
  it.each<[string[], string[]]>([
    [["10.0.0.0/8", "fd00::/8"], []],
    [["10.0.0.0/8", "0.0.0.0/0"], ["warning proxies[1]"]],
    [["::/0"], ["warning proxies[0]"]],
    [["0.0.0.0/0", "proxy"], ["error proxies[1]"]],
  ])("of all addresses are valid, with a warning that anyone is one: %j", (ranges, problems) => {
    expect(said(proxyRanges("proxies", ranges))).toEqual(problems);
  });
});
