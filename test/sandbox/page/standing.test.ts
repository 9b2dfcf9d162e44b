import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { sitesOf, standing } from "@hearth-platform/sandbox/page/standing";
import { describe, expect, it } from "vitest";

const object = (kind: string, name: string, rest: object): KubernetesObject => ({
  apiVersion: "v1",
  kind,
  metadata: { namespace: "team", name },
  ...rest,
});

/** How things stand where the API server has these objects. */
const having = (...objects: KubernetesObject[]) =>
  standing((kind, path) =>
    objects.find((each) => each.kind === kind && `${each.metadata.namespace}/${each.metadata.name}` === path),
  );

describe("pods", () => {
  it.each([
    ["Deployment", { replicas: 2 }, { readyReplicas: 2 }, "2 of 2 ready", "good"],
    ["Deployment", { replicas: 2 }, { readyReplicas: 1 }, "1 of 2 ready", "waiting"],
    ["Deployment", { replicas: 2 }, undefined, "0 of 2 ready", "waiting"],
    ["Deployment", { replicas: 0 }, {}, "0 of 0 ready", "good"],
    ["Deployment", {}, { readyReplicas: 1 }, "1 of 1 ready", "good"],
    ["StatefulSet", { replicas: 1 }, { readyReplicas: 1 }, "1 of 1 ready", "good"],
    ["Cluster", { instances: 2 }, { readyInstances: 1 }, "1 of 2 ready", "waiting"],
    ["Pooler", { instances: 2 }, { instances: 2 }, "2 of 2 ready", "good"],
  ])("of a %s %o with %o: %s", (kind, spec, status, text, tone) => {
    const state = having(object(kind, "web", { spec, ...(status && { status }) }));
    expect(state.workload?.({ kind, namespace: "team", name: "web" })).toEqual({ text, tone });
  });

  it("of what the API server does not have are on their way", () =>
    expect(having().workload?.({ kind: "Deployment", namespace: "team", name: "web" })).toEqual({
      text: "not created yet",
      tone: "waiting",
    }));
});

describe("a certificate", () => {
  const certificate = (status: string) =>
    having(object("Certificate", "tls", { status: { conditions: [{ type: "Ready", status }] } }));

  it("is ready, or on its way", () => {
    expect(certificate("True").certificate?.("team/tls")).toEqual({ text: "certificate ready", tone: "good" });
    expect(certificate("False").certificate?.("team/tls")?.tone).toBe("waiting");
    expect(having(object("Certificate", "tls", {})).certificate?.("team/tls")?.tone).toBe("waiting");
    expect(having().certificate?.("team/tls")?.text).toBe("not created yet");
  });
});

it("sites come in the order of their names, with the time that their annotation holds", () => {
  const site = (name: string, annotations?: Record<string, string>) => ({
    ...object("StaticSite", name, {}),
    metadata: { namespace: "pages", name, annotations },
  });
  expect(sitesOf([site("handbook", { "sites.example.org/sync": "1700000000" }), site("blog")])).toEqual([
    { path: "pages/blog" },
    { path: "pages/handbook", asked: 1_700_000_000 },
  ]);
});
