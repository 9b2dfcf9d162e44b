import { gatewayRule, ingressRule, proxyRanges } from "@hearth-platform/hearth/core/object-rules";
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
  const existing = { name: "shared", namespace: "gateways" };

  it.each<[Parameters<typeof gatewayRule>[1], string[]]>([
    [{ className: "eg", httpsPort: 8443 }, []],
    [{ existing }, []],
    [{ existing, className: "eg" }, ["warning gateway.className"]],
    [{ httpsPort: 80 }, ["error gateway.httpsPort"]],
    [{ httpsPort: 8443, httpPort: 8443 }, ["error gateway.httpPort"]],
  ])("has two ports, and a class where it is made: %j", (value, problems) => {
    expect(said(gatewayRule("gateway", value))).toEqual(problems);
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
