import { type Graph, type GraphNode, stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import { stackParts, stackPlans } from "@hearth-platform/stack/parts";
import { describe, expect, it } from "vitest";
import { committedStack } from "../../../policy/baseline/planned-stack.ts";

const stack = committedStack("prod");
const graph = stackGraph(stack);

function node(id: string, of: Graph = graph): GraphNode {
  const found = of.nodes.find((each) => each.id === id);
  if (!found) throw new Error(`no node ${id}`);
  return found;
}

/** Names of all objects of a kind that the plans of the stack have. */
function planned(kind: string): string[] {
  return stackPlans(stack)
    .flatMap(({ objects }) => objects.map(({ object }) => object))
    .filter((object) => object.kind === kind)
    .map(({ metadata }) => metadata.name)
    .sort();
}

const shown = (kind: string) =>
  graph.nodes
    .flatMap(({ workloads }) => workloads)
    .filter((workload) => workload.kind === kind)
    .map(({ name }) => name)
    .sort();

describe("the picture of a stack", () => {
  it("has every part but those that run nothing themselves, and every store", () => {
    const parts = stackParts(stack).filter(
      ({ component }) => component.name !== "Stores" && component.name !== "ServiceImage",
    );
    const ids = graph.nodes.map(({ id }) => id);
    expect(ids.slice(0, parts.length)).toEqual(parts.map(({ name }) => name));
    expect(ids.slice(parts.length)).toEqual([
      ...["platform-storage", "platform-db", "platform-keystore"],
      ...["cloud-storage", "cloud-db", "cloud-keystore"],
    ]);
  });

  it.each(["Deployment", "StatefulSet", "Cluster", "Pooler"])("leaves out no %s", (kind) =>
    expect(shown(kind)).toEqual(planned(kind)),
  );

  it("shows every public host once, and who answers there", () => {
    const hosts = Object.fromEntries(
      graph.nodes.filter((each) => each.hosts.length > 0).map((each) => [each.id, each.hosts]),
    );
    expect(hosts).toEqual({
      forge: ["forge.example.org", "*.pages.example.org"],
      hub: ["hub.example.org"],
      cloud: ["cloud.example.org", "office.cloud.example.org"],
      "site-webhook": ["sync.example.org"],
    });
  });

  it("shows who uses which store, and who signs on with whom", () =>
    expect(graph.edges.map(({ from, to, label }) => [from, to, ...(label ? [label] : [])])).toEqual([
      ["forge", "platform-storage"],
      ["forge", "platform-db"],
      ["forge", "platform-keystore"],
      ["hub", "platform-storage"],
      ["hub", "platform-db"],
      ["hub", "platform-keystore"],
      ["cloud", "cloud-storage"],
      ["cloud", "cloud-db"],
      ["cloud", "cloud-keystore"],
      ["platform-drill", "platform-storage"],
      ["hub", "forge", "signs on"],
      ["cloud", "forge", "signs on"],
    ]));

  it.each([
    ["team", "team"],
    ["club", "club"],
    ["forge", "platform"],
    ["hub", "platform"],
  ])("shows %s at the stores of %s alone, though all are at one provider", (part, owner) => {
    const { edges } = stackGraph(committedStack("dev"));
    const stores = edges.filter(({ from, label }) => from === part && !label).map(({ to }) => to);
    expect(stores).toEqual([`${owner}-storage`, `${owner}-db`, `${owner}-keystore`]);
  });

  it("shows backups of what is backed up, sites, buckets and how many pods of which version", () => {
    expect(node("platform-db").backups).toHaveLength(1);
    expect(node("forge").backups).toHaveLength(1);
    expect(node("hub").backups).toEqual(["30 2 * * *"]);
    expect(node("site-webhook").sites).toEqual(["pages/handbook"]);
    expect(node("cloud-storage").buckets).toEqual(["data-cloud-7f3a", "backups-cloud-7f3a"]);
    expect(node("cloud").workloads[0]).toMatchObject({
      name: "cloudsuite",
      pods: 3,
      version: expect.stringMatching(/^34\./),
    });
  });
});
