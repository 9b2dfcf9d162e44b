import { type Graph, type GraphNode, stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import { graphSvg, narrowGraphSvg } from "@hearth-platform/stack/delivery/graph/svg";
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

describe.each(["dev", "prod"])("the picture of stack %s for a telephone", (name) => {
  const graph = stackGraph(committedStack(name));
  const svg = narrowGraphSvg(graph, `Stack ${name}`);

  it("has a box for every node in one column of 358 units, none over another", () => {
    const all = boxes(svg).sort(([, a], [, b]) => a - b);
    expect(all).toHaveLength(graph.nodes.length);
    expect(svg).toMatch(/viewBox="0 0 358 \d+"/);
    for (const [index, [left, , right, bottom]] of all.entries()) {
      expect(left >= 0 && right <= 358).toBe(true);
      expect(bottom).toBeLessThan(all[index + 1]?.[1] ?? Infinity);
    }
  });

  it("has an arrow or words for every edge", () => {
    const words = svg.match(/>(signs on with|uses) [\w-]+<\/text>/g) ?? [];
    expect((svg.match(/class="edge"/g) ?? []).length + words.length).toBe(graph.edges.length);
    expect(words).toContain(">signs on with forge</text>");
  });

  it("has arrows that lead down, from a component to its store", () => {
    const arrows = [...svg.matchAll(/d="M14 (\d+)H5V(\d+)H34"/g)].map(([, from, to]) => [Number(from), Number(to)]);
    expect(arrows.length).toBeGreaterThan(5);
    for (const [from = 0, to = 0] of arrows) expect(from).toBeLessThan(to);
  });

  it("shares no id with the other picture, beside which it stands", () => {
    const ids = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const all = [...ids(svg), ...ids(graphSvg(graph, `Stack ${name}`))];
    expect(new Set(all).size).toBe(all.length);
  });
});

it("a line that does not fit a telephone is two, and a longer one is cut", () => {
  const workload = { kind: "Deployment", namespace: "team", name: "a".repeat(30), version: "b".repeat(30) };
  const svg = narrowGraphSvg(of({ workloads: [workload], hosts: [`${"c".repeat(60)}.example.org`] }), "");
  const lines = [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)"[^>]*>([^<]*)</g)].map(([, y, text]) => ({ y, text }));
  const at = (start: string) => lines.find(({ text }) => text?.startsWith(start));
  expect(at("aaa")?.y).not.toBe(at("bbb")?.y);
  expect(at("https://ccc")?.text).toMatch(/^.{20,50}…$/);
});

it("a picture has links where it is told where they lead", () => {
  const graph = of({ id: "forge", hosts: ["git.example.org", "*.pages.example.org"] });
  expect(graphSvg(graph, "")).not.toContain("<a ");
  const links = (svg: string) => [...svg.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  const state = { link: ({ id }: GraphNode) => `/parts/${id}"` };
  const expected = ["/parts/forge&quot;", "https://git.example.org/"];
  expect(links(graphSvg(graph, "", state))).toEqual(expected);
  expect(links(narrowGraphSvg(graph, "", state))).toEqual(expected);
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
