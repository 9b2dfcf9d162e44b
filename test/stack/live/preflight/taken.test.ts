import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { LiveCluster, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import type { Looked, QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import { refusalOf } from "@hearth-platform/stack/live/preflight/preflight";
import { lookForNew, newObjects, takenFindings } from "@hearth-platform/stack/live/preflight/taken";
import { describe, expect, it } from "vitest";

/** Objects that exist, and that the state does not know: the engine forgot what it had made, or others made them. */

const object = (kind: string, name: string, metadata: object = { namespace: "team" }): KubernetesObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name, ...metadata },
});
const planned = [object("Namespace", "team", {}), object("Service", "web"), object("Secret", "admin")];
const marked = { labels: { "app.kubernetes.io/managed-by": "hearth" } };

const facts = (made: readonly string[] | undefined, namespace: Looked, isEmpty = false): QuickFacts => ({
  identity: undefined,
  served: new Set(),
  classes: [],
  objects: new Map([["Namespace/team", namespace]]),
  ...(made && { made: new Set(made) }),
  isEmpty,
});
const names = (objects: readonly KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const lookedFor = (...args: Parameters<typeof facts>) => names(newObjects(planned, facts(...args)));

const own = object("Namespace", "team", marked);
const all = ["Namespace team", "Service team/web", "Secret team/admin"];

describe("what is looked for before an update", () => {
  it("is what the state does not know: nothing of an update that makes nothing new", () => {
    expect(lookedFor(all, own)).toEqual([]);
    expect(lookedFor(["Namespace team", "Secret team/admin"], own)).toEqual(["Service web"]);
    expect(lookedFor(["Namespace team", "Secret team/web", "Secret team/admin"], own)).toEqual(["Service web"]);
  });
  it("is nothing in a namespace that does not exist, nor of a stack that begins, nor without the state", () => {
    expect(lookedFor(["Bucket"], "absent")).toEqual([]);
    expect(lookedFor([], own, true)).toEqual([]);
    expect(lookedFor(undefined, own)).toEqual([]);
  });
  it("is a namespace only where hearth labelled it: that of others has its own finding", () => {
    expect(lookedFor(all.slice(1), own)).toEqual(["Namespace team"]);
    expect(lookedFor(all.slice(1), object("Namespace", "team", {}))).toEqual([]);
  });
  it("is a hundred objects at most", () => {
    const many = Array.from({ length: 300 }, (_, index) => object("ConfigMap", `${index}`));
    expect(newObjects(many, facts([], own))).toHaveLength(100);
  });
  it("is asked for one by one, and what may not be read is passed over", async () => {
    const asked: string[] = [];
    const cluster = Object.assign(Object.create(LiveCluster.prototype), {
      kind: async ({ kind }: KubernetesObject) => (kind === "Unserved" ? undefined : { plural: "x", namespaced: true }),
      get: async ({ metadata: { name } }: KubernetesObject) => {
        asked.push(name);
        if (name === "closed") throw new Refusal(403, {});
        return name === "there" ? object("Service", name) : undefined;
      },
    }) as LiveCluster;
    const kinds = [["Service", "there"] as const, ["Service", "gone"] as const, ["Service", "closed"] as const];
    const objects = [...kinds, ["Unserved", "x"] as const].map(([kind, name]) => object(kind, name));
    expect(names(await lookForNew(cluster, objects))).toEqual(["Service there"]);
    expect(asked).toEqual(["there", "gone", "closed"]);
  });
});

describe("an update that would stop at what exists", () => {
  const byPulumi = { namespace: "team", managedFields: [{ manager: "pulumi-kubernetes-5ae60ffc" }] };
  const byHand = { namespace: "team", managedFields: [{ manager: "kubectl-create" }] };

  it("is refused in one message that names heal, where Pulumi made it", () => {
    const there = [object("Service", "web", byPulumi), object("Secret", "admin", byPulumi)];
    const refusal = refusalOf(takenFindings(there, "dev")) ?? "";
    expect(refusal).toMatch(/^Nothing was created\. The update would stop at what exists in the cluster already/);
    expect(refusal).toContain("- 2 objects: Pulumi made Service team/web, Secret team/admin,");
    expect(refusal.match(/\.\/hearth heal --stack dev/g)).toHaveLength(1);
  });
  it("names ten objects at most", () => {
    const there = Array.from({ length: 12 }, (_, index) => object("Service", `s${index}`, byPulumi));
    const [found] = takenFindings(there, "dev");
    expect([found?.subject, found?.message]).toEqual(["12 objects", expect.stringMatching(/s9, 2 more,/)]);
  });
  it("is told of each object of others, and nothing that could lose its data", () => {
    const refusal = refusalOf(takenFindings([object("Service", "web", byHand)], "dev")) ?? "";
    expect(refusal).toContain("- Service team/web: It exists and is not this stack's.\n    Leave what exists in place");
    expect(refusal).not.toMatch(/heal --stack|delet|remov|replac|unprotect|import/);
  });
  it("is told how a volume that was restored under its name becomes the stack's", () => {
    const refusal = refusalOf(takenFindings([object("PersistentVolumeClaim", "data", byHand)], "dev")) ?? "";
    expect(refusal).toContain('If you restored it for this stack, docs/explanation/data.md, "When a volume is gone"');
  });
  it("does not count what is being deleted", () => {
    const going = object("Service", "web", { ...byPulumi, deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(takenFindings([going], "dev")).toEqual([]);
  });
});
