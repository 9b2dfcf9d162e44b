import { type Graph, type GraphNode, stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import { graphSvg } from "@hearth-platform/stack/delivery/graph/svg";
import { describe, expect, it } from "vitest";
import { committedStack } from "../../../policy/baseline/planned-stack.ts";

const bare: GraphNode = {
  id: "team",
  component: "CloudSuite",
  isStore: false,
  hosts: [],
  workloads: [],
  buckets: [],
  backups: [],
  certificates: [],
  sites: [],
  admissionPolicies: 0,
};
const of = (...nodes: Array<Partial<GraphNode>>): Graph => ({
  nodes: nodes.map((node) => ({ ...bare, ...node })),
  edges: [],
});

/** Boxes by their node: left, top, right, bottom. */
function boxes(svg: string): Array<[number, number, number, number]> {
  return [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map((match) => {
    const [x = 0, y = 0, width = 0, height = 0] = match.slice(1).map(Number);
    return [x, y, x + width, y + height];
  });
}

describe.each(["dev", "prod"])("the picture of stack %s", (name) => {
  const graph = stackGraph(committedStack(name));
  const svg = graphSvg(graph, `Stack ${name}`);

  it("has a box for every node, none over another and all inside", () => {
    const all = boxes(svg);
    expect(all).toHaveLength(graph.nodes.length);
    const [, , width = 0, height = 0] = /viewBox="([\d. ]+)"/.exec(svg)?.[1]?.split(" ").map(Number) ?? [];
    for (const [index, [left, top, right, bottom]] of all.entries()) {
      expect(left >= 0 && top >= 0 && right <= width && bottom <= height).toBe(true);
      for (const [x, y, toX, toY] of all.slice(index + 1))
        expect(right <= x || toX <= left || bottom <= y || toY <= top).toBe(true);
    }
  });

  it("has an arrow for every edge", () => expect(svg.match(/class="edge"/g)).toHaveLength(graph.edges.length));

  it("says in words what it shows", () => {
    expect(svg).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="graph-title graph-text">\n<title id="graph-title">Stack /,
    );
    for (const { hosts } of graph.nodes)
      for (const host of hosts) expect(/<desc[^>]*>(.*)<\/desc>/.exec(svg)?.[1]).toContain(host);
  });
});

describe("a picture", () => {
  it("escapes what it writes", () => {
    const svg = graphSvg(of({ id: 'a<b"&c', hosts: ["x&y.example.org"] }), "<script>");
    expect(svg).toContain("&lt;script&gt;");
    expect(svg).toContain("Suite a&lt;b&quot;&amp;c");
    expect(svg).not.toMatch(/<script|a<b|x&y/);
  });

  it("says a simple schedule in words, any other as it is", () => {
    const svg = graphSvg(of({ backups: ["0 0 3 * * *", "5 14 * * *", "0 0 */6 * * *"] }), "");
    expect(svg).toContain("every day at 03:00 UTC");
    expect(svg).toContain("every day at 14:05 UTC");
    expect(svg).toContain("0 0 */6 * * *");
  });

  it("counts many buckets and names few", () => {
    expect(graphSvg(of({ buckets: ["a", "b", "c"] }), "")).toMatch(/>a<.*>b<.*>c</s);
    expect(graphSvg(of({ buckets: ["a", "b", "c", "d"] }), "")).toContain("4 buckets");
  });

  it("shows how things stand where that is known", () => {
    const workload = { kind: "Deployment", namespace: "team", name: "cloudsuite", pods: 2 };
    const svg = graphSvg(of({ workloads: [workload], certificates: ["team/cloudsuite-tls"] }), "", {
      workload: () => ({ text: "1/2", tone: "waiting" }),
      certificate: () => ({ text: "ready", tone: "good" }),
    });
    expect(svg).toContain("1/2");
    expect(svg.match(/class="(waiting|good)"/g)).toEqual(['class="waiting"', 'class="good"']);
    expect(svg).toContain(">cloudsuite-tls<");
  });
});
