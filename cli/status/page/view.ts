import type { Graph, GraphNode } from "@hearth-platform/stack/delivery/graph/graph";
import { type GraphState, titleOf } from "@hearth-platform/stack/delivery/graph/lines";
import { graphSvg, narrowGraphSvg } from "@hearth-platform/stack/delivery/graph/svg";
import { type StatusReport, statusReport } from "../checks.ts";
import type { ComponentState } from "../components.ts";
import type { StatusFacts } from "../facts.ts";
import { type SiteState, standing } from "./standing.ts";
import type { UpdateView } from "./update.ts";
import type { PolicyVerdict } from "./verdict.ts";

/** All that the page shows of a stack. */
export interface StackView {
  readonly stack: string;
  /** The stacks that can be chosen, this one among them. */
  readonly stacks: readonly string[];
  /** What is wrong with the settings, or why the cluster can't be looked at; then the rest is not known. */
  readonly failure?: string;
  /** Absent where the settings have problems. */
  readonly picture?: Picture;
  readonly report?: StatusReport;
  readonly parts: readonly PartView[];
  readonly state: StateView;
  /** Absent where the stack has no site webhook, or its sites can't be seen. */
  readonly sites?: readonly SiteState[];
}

/** The drawing of a stack as SVG, for screens and for telephones. */
export interface Picture {
  readonly wide: string;
  readonly narrow: string;
}

/** What Pulumi says of a stack. */
export interface StateView {
  /** Why it can't be asked. */
  readonly failure?: string;
  /** Absent before the stack was brought up. */
  readonly verdicts?: readonly PolicyVerdict[];
  readonly update?: UpdateView;
}

/** A component as a line of the page. */
export interface PartView {
  /** Its name in Pulumi's state. */
  readonly name: string;
  /** What it is called, e.g. `Suite team`. */
  readonly title: string;
  /** Its public hosts. */
  readonly hosts: readonly string[];
  readonly ready: number;
  readonly wanted: number;
}

/** Address of a stack on the page. */
export function stackAddress(stack: string): string {
  return `/stacks/${encodeURIComponent(stack)}`;
}

/** Address of a component on the page. */
export function partAddress(stack: string, part: string): string {
  return `${stackAddress(stack)}/parts/${encodeURIComponent(part)}`;
}

/** What is drawn of a stack, and its findings where its cluster was looked at. */
export function liveView(
  name: string,
  graph: Graph,
  facts: StatusFacts | undefined,
): Pick<StackView, "picture" | "report" | "parts"> {
  const title = `Stack ${name}`;
  const picture = (state: GraphState): Picture => ({
    wide: graphSvg(graph, title, state),
    narrow: narrowGraphSvg(graph, title, state),
  });
  if (!facts) return { picture: picture({ link: () => undefined }), parts: [] };
  const report = statusReport(facts);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const names = new Set(report.components.map((each) => each.name));
  const link = ({ id }: GraphNode) => (names.has(id) ? partAddress(name, id) : undefined);
  const state = { ...standing(report.components, facts), link };
  return { picture: picture(state), report, parts: partViews(report, nodes) };
}

function partViews({ components }: StatusReport, nodes: ReadonlyMap<string, GraphNode>): PartView[] {
  return components.map((each) => partView(each, nodes.get(each.name)));
}

/** A component as it runs. @param node of the picture */
export function partView({ name, component, workloads }: ComponentState, node: GraphNode | undefined): PartView {
  const sum = (of: "ready" | "wanted") => workloads.reduce((total, each) => total + each[of], 0);
  const title = titleOf({ component, id: name });
  return { name, title, hosts: node?.hosts ?? [], ready: sum("ready"), wanted: sum("wanted") };
}
