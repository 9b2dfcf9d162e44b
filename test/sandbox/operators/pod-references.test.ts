import { type Pod, problem, referencesOf } from "@hearth-platform/sandbox/operators/pod-references";
import { describe, expect, it } from "vitest";

const pod = (spec: Partial<Pod["spec"]>): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "team" },
  spec: { containers: [], ...spec },
});

describe("what a pod can't start without", () => {
  it("is in the environment of all its containers", () => {
    const env = [
      { valueFrom: { secretKeyRef: { name: "database", key: "password" } } },
      { valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } },
      {},
    ];
    const envFrom = [{ secretRef: { name: "all" } }, { configMapRef: { name: "more" } }];
    expect(referencesOf(pod({ initContainers: [{ env }], containers: [{ envFrom }] }))).toEqual([
      { kind: "Secret", name: "database", keys: ["password"] },
      { kind: "ConfigMap", name: "settings", keys: ["level"] },
      { kind: "Secret", name: "all", keys: [] },
      { kind: "ConfigMap", name: "more", keys: [] },
    ]);
  });

  it("is in its volumes, projected ones too", () => {
    const volumes = [
      { name: "tls", secret: { secretName: "web-tls", items: [{ key: "tls.crt" }] } },
      { name: "config", configMap: { name: "settings" } },
      { name: "both", projected: { sources: [{ secret: { name: "token" } }, { configMap: { name: "ca" } }, {}] } },
      { name: "scratch", emptyDir: {} },
    ];
    expect(referencesOf(pod({ volumes }))).toEqual([
      { kind: "Secret", name: "web-tls", keys: ["tls.crt"], volume: "tls" },
      { kind: "ConfigMap", name: "settings", keys: [], volume: "config" },
      { kind: "Secret", name: "token", keys: [], volume: "both" },
      { kind: "ConfigMap", name: "ca", keys: [], volume: "both" },
    ]);
  });

  it("is not what it calls optional", () => {
    const envFrom = [{ secretRef: { name: "maybe", optional: true } }];
    expect(referencesOf(pod({ containers: [{ envFrom }] }))).toEqual([]);
  });
});

describe("a reference", () => {
  const reference = { kind: "Secret", name: "database", keys: ["password"] } as const;
  const held = (data: Record<string, string>) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "database" },
    data,
  });

  it("is wrong without its object, or without its key", () => {
    expect(problem(reference, "team", undefined)).toBe('secret "database" not found');
    expect(problem(reference, "team", held({ user: "" }))).toBe("couldn't find key password in Secret team/database");
  });

  it("is fine with an empty value", () => {
    expect(problem(reference, "team", held({ password: "" }))).toBeUndefined();
  });
});
