import type { Graph } from "./graph.ts";
import { type GraphState, titleOf } from "./lines.ts";
import { type Box, lineHeight, margin, padding, placedNarrow, placedWide, titleHeight, widths } from "./placement.ts";

/** An arrow: the data of its path, and its words. */
interface Arrow {
  readonly path: string;
  readonly words?: string;
}

/** The picture of a stack: components at the left, the stores they use at the right. An SVG document that needs nothing else. */
export function graphSvg(graph: Graph, title: string, state: GraphState = {}): string {
  const boxes = placedWide(graph, state);
  const arrows = arrowsOf(graph, boxes, arrow);
  return drawing({ graph, title, boxes, arrows, form: "wide", end: margin, role: roleOf(state) });
}

/** The same for a screen 390 pixels wide, in one column: stores below the components that use them. It may stand beside the other in a page. */
export function narrowGraphSvg(graph: Graph, title: string, state: GraphState = {}): string {
  const boxes = placedNarrow(graph, state);
  const at = new Map(boxes.map(({ node, y }) => [node.id, y]));
  const downwards = graph.edges.filter(({ from, to, label }) => !label && (at.get(to) ?? 0) > (at.get(from) ?? 0));
  const arrows = arrowsOf({ ...graph, edges: downwards }, boxes, (from, to) => ({
    path: `M${from.x} ${from.y + 21}H5V${to.y + 21}H${to.x}`,
  }));
  return drawing({ graph, title, boxes, arrows, form: "narrow", end: 1, role: roleOf(state) });
}

function arrowsOf(
  { edges }: Graph,
  boxes: readonly Box[],
  draw: (from: Box, to: Box, label?: string) => Arrow,
): Arrow[] {
  const at = new Map(boxes.map((box) => [box.node.id, box]));
  return edges.flatMap(({ from, to, label }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return start && end ? [draw(start, end, label)] : [];
  });
}

/** In an image nothing can be pressed. */
function roleOf({ link }: GraphState): string {
  return link ? "group" : "img";
}

interface Drawing {
  readonly graph: Graph;
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly form: keyof typeof widths;
  /** Room below the last box. */
  readonly end: number;
  readonly role: string;
}

function drawing({ graph, title, boxes, arrows, form, end, role }: Drawing): string {
  const height = Math.max(...boxes.map(({ y, height }) => y + height), 0) + end;
  const own = form === "wide" ? "" : `${form}-`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widths[form]} ${height}" role="${role}" aria-labelledby="${own}graph-title ${own}graph-text">`,
    `<title id="${own}graph-title">${escaped(title)}</title>`,
    `<desc id="${own}graph-text">${escaped(description(graph))}</desc>`,
    `<style>${pictureStyle}</style>`,
    `<defs><marker id="${own}tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>`,
    ...arrows.map(({ path, words = "" }) => `<path d="${path}" class="edge" marker-end="url(#${own}tip)"/>${words}`),
    ...boxes.map((box) => boxSvg(box, own)),
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

function boxSvg({ node, href, lines, x, y, width, height }: Box, own: string): string {
  const rows = lines.map(({ text, right, tone, href }, index) => {
    const baseline = y + titleHeight + index * lineHeight + 13;
    const dot = tone ? `<circle cx="${x + padding + 4}" cy="${baseline - 4}" r="4" class="${tone}"/>` : "";
    const left = linked(href, `<text x="${x + padding + (tone ? 14 : 0)}" y="${baseline}">${escaped(text)}</text>`);
    const end = right ? `<text x="${x + width - padding}" y="${baseline}" class="end">${escaped(right)}</text>` : "";
    return `${dot}${left}${end}`;
  });
  return [
    `<g id="${own}node-${escaped(node.id)}" class="${node.isStore ? "store" : "component"}">`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    linked(href, `<text x="${x + padding}" y="${y + 25}" class="title">${escaped(titleOf(node))}</text>`),
    ...(node.namespace
      ? [`<text x="${x + width - padding}" y="${y + 25}" class="end">${escaped(node.namespace)}</text>`]
      : []),
    ...rows,
    "</g>",
  ].join("\n");
}

function arrow(from: Box, to: Box, label: string | undefined): Arrow {
  if (from.x === to.x) {
    // Both are components, one above the other.
    const x = from.x + from.width * 0.5;
    const [start, end] = from.y > to.y ? [from.y, to.y + to.height] : [from.y + from.height, to.y];
    const words = label ? `<text x="${x + 8}" y="${(start + end) / 2 + 4}">${escaped(label)}</text>` : "";
    return { path: `M${x} ${start}L${x} ${end}`, words };
  }
  const start = { x: from.x + from.width, y: from.y + Math.min(from.height / 2, 60) };
  const end = { x: to.x, y: to.y + Math.min(to.height / 2, 30) };
  const bend = (end.x - start.x) / 2;
  return { path: `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}` };
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
.edge{fill:none;stroke:#8d99ae;stroke-width:1.4}
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
