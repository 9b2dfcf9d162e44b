import type { Graph, GraphNode, GraphWorkload } from "./graph.ts";

/** How something stands, for its colour: as wanted, on its way, or not as wanted for long. */
export type Tone = "good" | "waiting" | "bad";

/** Extra text of a line, after the plan's own. */
export interface LineState {
  readonly text: string;
  readonly tone: Tone;
}

/** State of the running platform. @default none; the picture shows the plan alone */
export interface GraphState {
  readonly workload?: (workload: GraphWorkload) => LineState | undefined;
  /** @param certificate as `namespace/name` */
  readonly certificate?: (certificate: string) => LineState | undefined;
  /** Address of more about a component; with it, hosts are links too. @default none: the picture has no links */
  readonly link?: (node: GraphNode) => string | undefined;
}

/** A line of a box. */
interface Line {
  readonly text: string;
  readonly right?: string;
  readonly tone?: Tone;
  readonly href?: string | undefined;
}

/** A node with the place of its box. */
interface Box {
  readonly node: GraphNode;
  readonly href: string | undefined;
  readonly lines: readonly Line[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const margin = 24;
const gap = 20;
const column = { component: 430, between: 110, store: 430 } as const;
const width = margin + column.component + column.between + column.store + margin;
const titleHeight = 42;
const lineHeight = 19;
const padding = 12;

const titles: Readonly<Record<string, string>> = {
  Admission: "Limits in the cluster",
  Forge: "Forge",
  Hub: "Hub",
  CloudSuite: "Suite",
  SiteWebhook: "Site webhook",
  ObjectStorage: "Buckets",
  Database: "PostgreSQL",
  Keystore: "Keystore",
};

/** The picture of a stack: components at the left, the stores they use at the right. An SVG document that needs nothing else. */
export function graphSvg(graph: Graph, title: string, state: GraphState = {}): string {
  const boxes = placed(graph, state);
  const height = Math.max(...boxes.map(({ y, height }) => y + height), 0) + margin;
  const at = new Map(boxes.map((box) => [box.node.id, box]));
  const edges = graph.edges.flatMap(({ from, to, label }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return start && end ? [arrow(start, end, label)] : [];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="graph-title graph-text">`,
    `<title id="graph-title">${escaped(title)}</title>`,
    `<desc id="graph-text">${escaped(description(graph))}</desc>`,
    `<style>${pictureStyle}</style>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>`,
    ...edges,
    ...boxes.map(boxSvg),
    "</svg>",
    "",
  ].join("\n");
}

/** The picture in words, for those who can't see it. */
export function description({ nodes, edges }: Graph): string {
  return nodes
    .filter(({ isStore }) => !isStore)
    .map((node) => {
      const own = edges.filter(({ from }) => from === node.id);
      const stores = own.filter(({ label }) => label === undefined).map(({ to }) => to);
      const parts = [
        ...(node.hosts.length > 0 ? [`at ${node.hosts.join(", ")}`] : []),
        ...(stores.length > 0 ? [`uses ${stores.join(", ")}`] : []),
        ...own.flatMap(({ to, label }) => (label ? [`${label} with ${to}`] : [])),
      ];
      return `${[titleOf(node), ...parts].join("; ")}.`;
    })
    .join(" ");
}

/** Components stand in their order; stores beside the first that uses them. */
function placed({ nodes, edges }: Graph, state: GraphState): Box[] {
  const boxes: Box[] = [];
  const bottom = { component: margin, store: margin };
  const place = (node: GraphNode, side: "component" | "store") => {
    const lines = linesOf(node, state);
    const height = titleHeight + lines.length * lineHeight + padding;
    const x = side === "component" ? margin : margin + column.component + column.between;
    boxes.push({ node, href: state.link?.(node), lines, x, y: bottom[side], width: column[side], height });
    bottom[side] += height + gap;
  };
  const waiting = nodes.filter(({ isStore }) => isStore);
  const components = nodes.filter(({ isStore }) => !isStore);
  // Nodes that nobody calls come last.
  for (const component of [...components.filter(isCalled), ...components.filter((node) => !isCalled(node))]) {
    const own = waiting.filter(({ id }) => edges.some(({ from, to }) => from === component.id && to === id));
    const shared = own.some(({ id }) => edges.filter(({ to }) => to === id).length > 1);
    // A suite and its stores begin on one line; what shares the stores stands below the first.
    if (own.length > 0 && !shared) bottom.component = bottom.store = Math.max(bottom.component, bottom.store);
    place(component, "component");
    for (const store of own) {
      waiting.splice(waiting.indexOf(store), 1);
      place(store, "store");
    }
  }
  return boxes;
}

const isCalled = ({ hosts }: GraphNode) => hosts.length > 0;

function linesOf(node: GraphNode, { workload: ofWorkload, certificate: ofCertificate, link }: GraphState): Line[] {
  const bucketLines = node.buckets.length > 3 ? [`${node.buckets.length} buckets`] : node.buckets;
  return [
    ...node.hosts.map((host) => ({ text: `https://${host}`, href: link && hostAddress(host) })),
    ...node.workloads.map((workload) => {
      const state = ofWorkload?.(workload);
      const count = state?.text ?? (workload.pods === undefined ? "" : `× ${workload.pods}`);
      return { text: workload.name, right: [workload.version, count].filter(Boolean).join("  "), tone: state?.tone };
    }),
    ...bucketLines.map((text) => ({ text })),
    ...node.backups.map((schedule) => ({ text: "backup", right: inWords(schedule) })),
    ...node.certificates.flatMap((certificate) => {
      const state = ofCertificate?.(certificate);
      return state ? [{ text: certificate.replace(/^.*\//, ""), right: state.text, tone: state.tone }] : [];
    }),
    ...node.sites.map((site) => ({ text: site })),
    ...(node.admissionPolicies > 0 ? [{ text: counted(node.admissionPolicies) }] : []),
  ];
}

/** Where a browser opens a host; undefined for the wildcard of many. */
export function hostAddress(host: string): string | undefined {
  return host.includes("*") ? undefined : `https://${host}/`;
}

const counted = (policies: number) => (policies === 1 ? "1 admission policy" : `${policies} admission policies`);

/** A schedule of cron, with or without seconds, as people say it where it is simple. */
function inWords(schedule: string): string {
  const [, minute = "", hour = ""] = /^(?:0 )?(\d+) (\d+) \* \* \*$/.exec(schedule) ?? [];
  return minute ? `every day at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")} UTC` : schedule;
}

/** What a component is called in pictures and pages, e.g. `Suite team`. */
export function titleOf({ component, id }: Pick<GraphNode, "component" | "id">): string {
  const title = titles[component] ?? component;
  return component === "CloudSuite" ? `${title} ${id}` : title;
}

function boxSvg({ node, href, lines, x, y, width, height }: Box): string {
  const rows = lines.map(({ text, right, tone, href }, index) => {
    const baseline = y + titleHeight + index * lineHeight + 13;
    const dot = tone ? `<circle cx="${x + padding + 4}" cy="${baseline - 4}" r="4" class="${tone}"/>` : "";
    const left = linked(href, `<text x="${x + padding + (tone ? 14 : 0)}" y="${baseline}">${escaped(text)}</text>`);
    const end = right ? `<text x="${x + width - padding}" y="${baseline}" class="end">${escaped(right)}</text>` : "";
    return `${dot}${left}${end}`;
  });
  return [
    `<g id="node-${escaped(node.id)}" class="${node.isStore ? "store" : "component"}">`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    linked(href, `<text x="${x + padding}" y="${y + 25}" class="title">${escaped(titleOf(node))}</text>`),
    ...(node.namespace
      ? [`<text x="${x + width - padding}" y="${y + 25}" class="end">${escaped(node.namespace)}</text>`]
      : []),
    ...rows,
    "</g>",
  ].join("\n");
}

function arrow(from: Box, to: Box, label: string | undefined): string {
  if (from.x === to.x) {
    // Both are components, one above the other.
    const x = from.x + from.width * 0.5;
    const [start, end] = from.y > to.y ? [from.y, to.y + to.height] : [from.y + from.height, to.y];
    const text = label ? `<text x="${x + 8}" y="${(start + end) / 2 + 4}">${escaped(label)}</text>` : "";
    return `<path d="M${x} ${start}L${x} ${end}" class="edge"/>${text}`;
  }
  const start = { x: from.x + from.width, y: from.y + Math.min(from.height / 2, 60) };
  const end = { x: to.x, y: to.y + Math.min(to.height / 2, 30) };
  const bend = column.between / 2;
  return `<path d="M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}" class="edge"/>`;
}

function linked(href: string | undefined, text: string): string {
  return href === undefined ? text : `<a href="${escaped(href)}">${text}</a>`;
}

/** The picture's own, for the policy of a page that shows it. */
export const pictureStyle = `
text{font:13px system-ui,sans-serif;fill:#33415c}
.title{font-size:16px;font-weight:600;fill:#0b1f3a}
.end{text-anchor:end;fill:#5c677d}
rect{fill:#fff;stroke:#c3ccd9}
.component rect{stroke:#3a6ea5;stroke-width:1.5}
.store rect{fill:#f4f7fb}
.edge{fill:none;stroke:#8d99ae;stroke-width:1.4;marker-end:url(#tip)}
.tip{fill:#8d99ae}
.good{fill:#2a9d4a}.waiting{fill:#e0a100}.bad{fill:#c8324b}
@media(prefers-color-scheme:dark){
text{fill:#cfd8e6}.title{fill:#fff}.end{fill:#9aa7bd}
rect{fill:#172033;stroke:#3a465c}.component rect{stroke:#6ea8e0}.store rect{fill:#111827}
.edge{stroke:#6b7890}.tip{fill:#6b7890}
}`;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
