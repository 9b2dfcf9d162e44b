import type { Graph, GraphNode } from "./graph.ts";
import { type BoxLine, type GraphState, linesOf } from "./lines.ts";

/** A node with the place of its box. */
export interface Box {
  readonly node: GraphNode;
  readonly href: string | undefined;
  readonly lines: readonly BoxLine[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const margin = 24;
export const titleHeight = 42;
export const lineHeight = 19;
export const padding = 12;
const gap = 20;

/** Widths of the columns of a picture for a screen. */
const wide = { component: 430, between: 110, store: 430 } as const;
/** Places of the boxes in a picture for a telephone of 390 pixels; arrows run at their left. */
const narrow = { component: 14, store: 34, right: 357 } as const;

/** Widths of the whole pictures. */
export const widths = { wide: margin + wide.component + wide.between + wide.store + margin, narrow: 358 } as const;

/** Components stand in their order; stores beside the first that uses them. */
export function placedWide({ nodes, edges }: Graph, state: GraphState): Box[] {
  const boxes: Box[] = [];
  const bottom = { component: margin, store: margin };
  const place = (node: GraphNode, side: "component" | "store") => {
    const lines = linesOf(node, state);
    const height = titleHeight + lines.length * lineHeight + padding;
    const x = side === "component" ? margin : margin + wide.component + wide.between;
    boxes.push({ node, href: state.link?.(node), lines, x, y: bottom[side], width: wide[side], height });
    bottom[side] += height + gap;
  };
  const waiting = nodes.filter(({ isStore }) => isStore);
  const components = nodes.filter(({ isStore }) => !isStore);
  for (const component of calledFirst(components)) {
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

/** Stores stand below the last component with hosts that uses them, moved in. */
export function placedNarrow({ nodes, edges }: Graph, state: GraphState): Box[] {
  const boxes: Box[] = [];
  let y = 1;
  const place = (node: GraphNode) => {
    const x = node.isStore ? narrow.store : narrow.component;
    const width = narrow.right - x;
    const lines = [...linesOf(node, state), ...wordsOf(node)].flatMap((line) => fitted(line, width));
    const height = titleHeight + lines.length * lineHeight + padding;
    boxes.push({ node, href: state.link?.(node), lines, x, y, width, height });
    y += height + gap;
  };
  // Arrows lead down, and have no room for words: the other edges are lines of text.
  const wordsOf = ({ id }: GraphNode): BoxLine[] =>
    edges
      .filter(({ from, to, label }) => from === id && (label || boxes.some(({ node }) => node.id === to)))
      .map(({ to, label }) => ({ text: label ? `${label} with ${to}` : `uses ${to}` }));
  const waiting = nodes.filter(({ isStore }) => isStore);
  const components = calledFirst(nodes.filter(({ isStore }) => !isStore));
  for (const [index, component] of components.entries()) {
    place(component);
    const later = components.slice(index + 1).filter(({ hosts }) => hosts.length > 0);
    const uses = (id: string, store: GraphNode) => edges.some(({ from, to }) => from === id && to === store.id);
    for (const store of [...waiting]) {
      if (!uses(component.id, store) || later.some(({ id }) => uses(id, store))) continue;
      waiting.splice(waiting.indexOf(store), 1);
      place(store);
    }
  }
  return boxes;
}

/** Widest letters of the picture's text, on average, in its units. */
const letter = 6.9;

/** A line as two where it does not fit, or cut where even that is too long. */
function fitted({ text, right, tone, href }: BoxLine, width: number): BoxLine[] {
  const room = Math.floor((width - 2 * padding - (tone ? 14 : 0)) / letter);
  const cut = (long: string) => (long.length > room ? `${long.slice(0, room - 1)}…` : long);
  const first = { text: cut(text), tone, href };
  if (right === undefined) return [first];
  if (text.length + right.length + 2 <= room) return [{ ...first, right }];
  return [first, { text: "", right: cut(right) }];
}

/** Nodes that nobody calls come last. */
function calledFirst(components: readonly GraphNode[]): GraphNode[] {
  const isCalled = ({ hosts }: GraphNode) => hosts.length > 0;
  return [...components.filter(isCalled), ...components.filter((node) => !isCalled(node))];
}
