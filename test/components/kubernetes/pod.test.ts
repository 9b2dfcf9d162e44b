import { mirrored } from "@hearth-platform/hearth/core/platform";
import { planNamespace } from "@hearth-platform/hearth/kubernetes/namespace";
import {
  configurationHash,
  type PodRequest,
  podTemplate,
  selectorLabels,
  workloadLabels,
} from "@hearth-platform/hearth/kubernetes/pod";
import { type PodExceptionName, podExceptions } from "@hearth-platform/hearth/kubernetes/pod-exceptions";
import { describe, expect, test } from "vitest";
import { platform } from "../../support/platform.ts";

const request: PodRequest = {
  name: "forge-jobs",
  partOf: "forge",
  user: 1000,
  group: 1000,
  containers: [{ name: "jobs", image: "docker.io/example/jobs:1" }],
};

describe("a pod", () => {
  test("is restricted: no root, no escalation, no capability, no writable root, no token", () => {
    const { spec } = podTemplate(request, platform);
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
    });
    expect(spec?.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  test("leaves that profile only as far as an exception says", () => {
    const excepted = (exception: PodExceptionName) =>
      podTemplate({ ...request, containers: [{ name: "c", image: "i", exception }] }, platform).spec;
    const collabora = excepted("collabora");
    expect(collabora?.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(collabora?.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: true,
      readOnlyRootFilesystem: false,
      capabilities: { drop: ["ALL"], add: [...podExceptions.collabora.capabilities] },
    });
    expect(JSON.stringify(collabora)).not.toContain(podExceptions.collabora.reason);
    expect(excepted("onlyoffice")?.securityContext).toMatchObject({ runAsNonRoot: false });
  });

  test("takes the platform's settings, its own over the shared ones, labels and tolerations added up", () => {
    const settings = {
      workload: { nodeSelector: { pool: "a" }, labels: { team: "x" }, tolerations: [{ key: "shared" }] },
      workloads: {
        "forge-jobs": { nodeSelector: { pool: "b" }, labels: { tier: "y" }, tolerations: [{ key: "own" }] },
      },
    };
    const { metadata, spec } = podTemplate(request, { ...platform, ...settings });
    expect(spec?.nodeSelector).toEqual({ pool: "b" });
    expect(spec?.tolerations).toEqual([{ key: "shared" }, { key: "own" }]);
    expect(metadata?.labels).toMatchObject({ team: "x", tier: "y", "app.kubernetes.io/name": "forge-jobs" });
  });

  test("keeps its selector whatever labels are added", () => {
    const named = { ...platform, workload: { labels: { "app.kubernetes.io/name": "mine" } } };
    expect(workloadLabels("forge-jobs", "forge", named)).toMatchObject(selectorLabels("forge-jobs"));
  });

  test("has nothing that the API server would drop", () => {
    const text = JSON.stringify(podTemplate(request, platform), (_, value) =>
      value === undefined ? "undefined" : value,
    );
    expect(text).not.toMatch(/undefined|null|\[\]|\{\}/);
  });

  test("rolls with its configuration and with a raised revision of a Secret it reads, and only then", () => {
    const annotations = (change: Partial<PodRequest>, revisions: Record<string, number> = {}) =>
      podTemplate({ ...request, ...change }, { ...platform, secrets: { revisions } }).metadata?.annotations;
    const configured = { configuration: { "a.conf": "x" }, secrets: ["password"] };
    expect(annotations(configured)).not.toEqual(annotations({ ...configured, configuration: { "a.conf": "y" } }));
    expect(annotations(configured)).not.toEqual(annotations(configured, { password: 1 }));
    expect(annotations(configured)).toEqual(annotations(configured, { other: 1 }));
  });
});

test("a configuration's hash does not depend on the order of its files", () => {
  expect(configurationHash({ a: "1", b: "2" })).toBe(configurationHash({ b: "2", a: "1" }));
  expect(configurationHash({ a: "1", b: "2" })).not.toBe(configurationHash({ a: "2", b: "1" }));
});

describe("an image", () => {
  const mirrors = {
    "docker.io": "mirror.example.org/hub",
    "docker.io/library": "mirror.example.org/official",
    "quay.io/a/b:1": "mirror.example.org/one:1",
  };

  test.each([
    ["docker.io/valkey/valkey:8", "mirror.example.org/hub/valkey/valkey:8"],
    ["docker.io/library/nextcloud:31", "mirror.example.org/official/nextcloud:31"],
    ["docker.io.example.org/a:1", "docker.io.example.org/a:1"],
    ["quay.io/a/b:1", "mirror.example.org/one:1"],
    ["quay.io/a/b:12", "quay.io/a/b:12"],
    ["ghcr.io/a/b:1", "ghcr.io/a/b:1"],
  ])("%s comes from %s", (image, expected) => expect(mirrored(image, { mirrors })).toBe(expected));
});

test("a namespace holds data, enforces its level without warning of what it admits, and audits what is not restricted", () => {
  const [planned] = planNamespace("team", {}, "baseline");
  expect(planned?.holdsData).toBe(true);
  expect(planned?.object.metadata.labels).toMatchObject({
    "pod-security.kubernetes.io/enforce": "baseline",
    "pod-security.kubernetes.io/warn": "baseline",
    "pod-security.kubernetes.io/audit": "restricted",
  });
});

test("a namespace that exists already is left out", () => {
  expect(planNamespace("team", { existingNamespaces: ["other", "team"] })).toEqual([]);
});
