import type { KeystoreArgs } from "@hearth-platform/hearth/stores/keystore/args";
import { keystoreChanges, keystoreProblems } from "@hearth-platform/hearth/stores/keystore/rules";
import { expect, test } from "vitest";
import { forgeKeystore } from "./keystore.ts";

test("the least of arguments has no problem", () => expect(keystoreProblems(forgeKeystore)).toEqual([]));

test.each<[string, Partial<KeystoreArgs>]>([
  ["namespace", { namespace: "kube-system" }],
  ["version", { version: "latest" }],
  ["version", { version: "docker.io/redis:7" }],
  ["storageSize", { storageSize: "5GB" }],
  ["replicas", { replicas: 2 }],
  ["replicas", { replicas: 0 }],
  [
    "resources.requests.memory",
    { resources: { requests: { cpu: "50m", memory: "1Gi" }, limits: { cpu: "200m", memory: "256Mi" } } },
  ],
])("a keystore's %s is refused in %j", (path, wrong) => {
  const problems = keystoreProblems({ ...forgeKeystore, ...wrong });
  expect(problems.map((problem) => [problem.severity, problem.path])).toEqual([["error", path]]);
});

test.each<[string, Partial<KeystoreArgs>, Partial<KeystoreArgs>]>([
  ["version", { version: "8.1.4-alpine" }, { version: "7.2.9-alpine" }],
  ["storageSize", { storageSize: "10Gi" }, {}],
  ["storageClass", {}, { storageClass: "longhorn" }],
  ["namespace", {}, { namespace: "other" }],
])("a change of %s that loses data is refused, unless its volume may be lost", (path, before, now) => {
  const changes = (platform: Partial<KeystoreArgs["platform"]> = {}) =>
    keystoreChanges(
      { ...forgeKeystore, ...before },
      { ...forgeKeystore, ...now, platform: { ...forgeKeystore.platform, ...platform } },
    );
  expect(changes().map((problem) => problem.path)).toEqual([path]);
  expect(changes({ allowDataLoss: ["forge/data-keystore-0"] })).toEqual([]);
});

test("growing, upgrading and turning into a cache are no loss", () => {
  const now = { ...forgeKeystore, version: "8.2.0-alpine", storageSize: "10Gi", use: "cache" as const };
  expect(keystoreChanges(forgeKeystore, now)).toEqual([]);
});
