import { type Gateway, gatewayConditions } from "@hearth-platform/sandbox/operators/gateway";
import { expect, test } from "vitest";

const gateway: Gateway = {
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "Gateway",
  metadata: { name: "web", namespace: "team", generation: 2 },
  spec: {
    gatewayClassName: "traefik",
    listeners: [
      { name: "web", tls: { certificateRefs: [{ name: "web-tls" }, { name: "other", namespace: "shared" }] } },
      { name: "web-http" },
    ],
  },
};
const said = (classes: string[], secrets: string[]) =>
  gatewayConditions(gateway, new Set(classes), new Set(secrets)).map(({ type, status, observedGeneration }) => [
    type,
    status,
    observedGeneration,
  ]);

test("a Gateway is programmed once the Secrets of its certificates are there, wherever they are", () => {
  expect(said(["traefik"], ["team/web-tls", "shared/other"])).toEqual([
    ["Accepted", "True", 2],
    ["Programmed", "True", 2],
  ]);
});

test("a Gateway is not programmed while a Secret of its certificates is missing", () => {
  expect(said(["traefik"], ["team/web-tls", "team/other"])).toEqual([
    ["Accepted", "False", 2],
    ["Programmed", "False", 2],
  ]);
});

test("a Gateway whose class nobody has is left alone", () => {
  expect(said(["other"], ["team/web-tls", "shared/other"])).toEqual([]);
});
