import { join } from "node:path";
import { madeNames } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { today } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { dataNeedsOf } from "@hearth-platform/stack/live/preflight/data-needs";
import { type Looked, placeOf } from "@hearth-platform/stack/live/preflight/facts";
import { isEmptyState, lostStateRefusal } from "@hearth-platform/stack/live/preflight/lost-state";
import { namespacesOf, needsOf, objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { stackPlans } from "@hearth-platform/stack/parts";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { describe, expect, it } from "vitest";

/** A stack whose platform is in the cluster, and not in its state. */

const project = join(import.meta.dirname, "../../../..");
const { source } = sourceFromFile(project, "prod");
const { stack } = source ? checkLockedStack(project, source, { today: today() }) : {};
if (!stack) throw new Error("Stack prod is not valid.");
const objects = objectsOf(stackPlans(stack));
const needs = needsOf(objects);
const data = dataNeedsOf(stack, objects);

const namespace = (name: string, more: object = {}): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels: { "app.kubernetes.io/managed-by": "hearth" }, ...more },
});
const there = { apiVersion: "v1", kind: "X", metadata: { name: "x" } } as KubernetesObject;

const whole: Readonly<Record<string, Looked>> = {
  ...Object.fromEntries(namespacesOf(needs).map((name) => [`Namespace/${name}`, namespace(name)])),
  ...Object.fromEntries(data.map((need) => [placeOf(need), there])),
};

interface State {
  readonly made?: readonly string[];
  readonly isEmpty?: boolean;
}

function refusal(seen: Readonly<Record<string, Looked>>, { made = [], isEmpty = false }: State = {}) {
  const objects = new Map(Object.entries(seen));
  const looked = { identity: undefined, served: new Set<string>(), classes: [], objects };
  return lostStateRefusal(needs, data, { ...looked, made: new Set(made), isEmpty }, "dev");
}

describe("a platform that is in the cluster", () => {
  it("is not begun anew by a stack with an empty state: one message has the evidence and the way back", () => {
    const text = refusal(whole, { isEmpty: true }) ?? "";
    expect(text).toMatch(/^Nothing was created\. This platform is in the cluster already, and this stack's state does/);
    expect(text).toMatch(
      /^- namespace platform, with the label app\.kubernetes\.io\/managed-by: hearth: database forge-db, .*git store/m,
    );
    expect(text).toContain("Its state is lost, or another stack has it.");
    expect(text).toContain("leave every object in place");
    expect(text).toContain("`pulumi stack ls --all`");
    expect(text).toContain("docs/how-to/state.md");
    expect(text).toContain("`./hearth heal --lost-state --stack dev`");
    expect(text).not.toMatch(/delet|remov|unprotect|replac|pulumi import|renam/i);
  });

  it("is not begun anew by a second stack whose first update failed at its namespaces", () => {
    expect(refusal(whole, { made: ["data-team"] })).toContain("namespace platform");
  });

  it("is its stack's own where the state knows it", () => {
    const made = namespacesOf(needs).map((name) => `Namespace ${name}`);
    expect(refusal(whole, { made })).toBeUndefined();
  });

  it("is told only of the namespaces that the state does not know", () => {
    const made = namespacesOf(needs)
      .filter((name) => name !== "platform")
      .map((name) => `Namespace ${name}`);
    const lines = (refusal(whole, { made }) ?? "").split("\n").filter((line) => line.startsWith("- namespace"));
    expect(lines).toEqual([expect.stringMatching(/^- namespace platform,/)]);
  });

  it("is told of even where it holds no data, if no update has begun anything", () => {
    const pages = { "Namespace/pages": namespace("pages") };
    expect(refusal(pages, { isEmpty: true })).toContain("- namespace pages");
  });
});

describe("a first update that was interrupted", () => {
  it("may have made namespaces that it could not record: heal finds them", () => {
    expect(refusal({ "Namespace/platform": namespace("platform") })).toBeUndefined();
  });
  it("goes on where something of the namespace is recorded", () => {
    const made = ["Secret platform/forge-db-app"];
    expect(refusal({ "Namespace/platform": namespace("platform"), "Cluster/platform/forge-db": there }, { made })).toBe(
      undefined,
    );
  });
});

describe("a namespace that others made", () => {
  it("or that is being deleted is no platform", () => {
    const others = namespace("platform", { labels: {} });
    const going = namespace("pages", { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(refusal({ "Namespace/platform": others, "Namespace/pages": going }, { isEmpty: true })).toBeUndefined();
  });
  it("with a database of the stack's name in it is", () => {
    const seen = { "Namespace/platform": namespace("platform", { labels: {} }), "Cluster/platform/forge-db": there };
    expect(refusal(seen, { isEmpty: true })).toContain("- namespace platform: database forge-db\n");
  });
});

describe("a state that can't be read", () => {
  it("refuses nothing", () => {
    const looked = { identity: undefined, served: new Set<string>(), classes: [] };
    expect(
      lostStateRefusal(needs, data, { ...looked, objects: new Map(Object.entries(whole)) }, "dev"),
    ).toBeUndefined();
  });
});

describe("a state", () => {
  it("is empty while it has nothing but the stack, and knows the namespaces of what was begun", () => {
    const root = { urn: "a", type: "pulumi:pulumi:Stack" };
    expect([isEmptyState([]), isEmptyState([root])]).toEqual([true, true]);
    expect(isEmptyState([root, { type: "pulumi:providers:kubernetes" }])).toBe(false);
    const inputs = { kind: "Namespace", metadata: { name: "platform" } };
    const made = [...madeNames([{ urn: "b", type: "kubernetes:core/v1:Namespace", inputs }])];
    expect(refusal(whole, { made })).not.toContain("namespace platform");
  });
});
