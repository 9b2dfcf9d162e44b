import type { ExposedHost, ExposureRule, PathBelow, PathMatch } from "./exposure.ts";

/**
 * Paths of a host as regular expressions that say what is let in: for a rendering that can't deny. Expressions of a host never take the same
 * path, so their order does not matter; what they don't take has no way in. A path they compare is plain: one slash between segments and no
 * percent sign, so that another spelling of what is inside only is not let in either.
 */

/** A segment of a path, as the atoms of its expression. */
type Segment = readonly Atom[];
/** A character, or digits: what stands in a class of characters, and whether it repeats. */
interface Atom {
  readonly characters: string;
  readonly repeats: boolean;
}

/** Paths that are taken, by their segments. */
interface Taken {
  /** This path itself is. */
  here: boolean;
  /** All paths below it are. */
  below: boolean;
  readonly next: Map<string, Taken>;
}

/** Any rest of a path, from a slash on. */
const anyRest = "(?:/.*)?";
/** The rest of a segment that is compared. */
const restOfSegment = "[^/%]*";

/**
 * What a rule of the host takes: each expression (RE2) is of the whole path, 1024 characters at most, as HTTPRoute has it.
 * @throws Error where a rule's paths are expressions themselves
 */
export function publicPaths({ rules, insideOnly = [] }: ExposedHost, rule: ExposureRule): string[] {
  const inside = none();
  for (const path of insideOnly) take(inside, path, { here: true, below: true });
  if (rule.paths) return rule.paths.map((path) => within(inside, path));
  for (const path of rules.flatMap(({ paths = [] }) => paths)) take(inside, ...parts(path));
  return [`^${besides(inside)}$`];
}

/** A path's own expression, without what is inside only. */
function within(inside: Taken, path: PathMatch): string {
  const [segments, { here, below }] = parts(path);
  const start = segments.map((segment) => `/${segment}`).join("");
  const node = segments.reduce<Taken | undefined>((at, segment) => at?.next.get(segment), inside) ?? none();
  if (!below) return `^${start}$`;
  return `^${start}${besides({ ...node, here: node.here || !here })}$`;
}

/** Segments of a path, and what of it is meant. */
function parts(path: PathMatch): [PathBelow, { readonly here: boolean; readonly below: boolean }] {
  if ("pattern" in path) throw new Error(`${path.pattern} is an expression: what is besides it can't be told.`);
  const [text, meant] =
    "exact" in path
      ? [path.exact, { here: true, below: false }]
      : "tree" in path
        ? [path.tree, { here: true, below: true }]
        : [path.prefix, { here: false, below: true }];
  const segments = text.split("/").filter((segment) => segment !== "");
  return [segments.map((segment) => segment.replaceAll(".", "\\.")), meant];
}

function none(): Taken {
  return { here: false, below: false, next: new Map() };
}

function take(taken: Taken, path: PathBelow, meant: { readonly here: boolean; readonly below: boolean }): void {
  let at = taken;
  for (const segment of path) {
    const next = at.next.get(segment) ?? none();
    at.next.set(segment, next);
    at = next;
  }
  at.here ||= meant.here;
  at.below ||= meant.below;
}

/** Rests of a path, from a slash on, that are not taken; of all that are taken there has to be a rest left. */
function besides({ here, below, next }: Taken): string {
  if (below) return "";
  if (next.size === 0) return here ? "/.*" : anyRest;
  const others = [
    "/",
    `/${otherSegment([...next.keys()].map(atoms))}${anyRest}`,
    ...[...next].flatMap(([segment, node]) => (node.here && node.below ? [] : [`/${segment}${besides(node)}`])),
  ];
  const rest = `(?:${others.join("|")})`;
  return here ? rest : `${rest}?`;
}

/** Atoms of a segment's expression: characters, `\.` and `\d+` are what there is. */
function atoms(segment: string): Segment {
  return [...segment.matchAll(/(\\.|[^\\+])(\+?)/g)].map(([, characters = "", plus]) => ({
    characters,
    repeats: plus === "+",
  }));
}

/** A segment that is none of these, character by character; RE2 has no other way to say so. */
function otherSegment(segments: readonly Segment[]): string {
  return otherRest(segments, "", false);
}

/** @param repeated characters of which more may come @param mayEnd the segment may end here */
function otherRest(segments: readonly Segment[], repeated: string, mayEnd: boolean): string {
  const known = Map.groupBy(
    segments.filter(([first]) => first),
    ([first]) => first?.characters,
  );
  const others = [...known.values()].map((alike) => {
    const [first] = alike[0] ?? [];
    const rests = alike.map(([, ...rest]) => rest);
    const ends = rests.some(({ length }) => length === 0);
    const { characters = "", repeats = false } = first ?? {};
    return `${characters}${repeats ? "+" : ""}${otherRest(rests, repeats ? characters : "", !ends)}`;
  });
  const different = `[^${[...known.keys()].join("").replaceAll("-", "\\-")}${repeated}/%]${restOfSegment}`;
  return `(?:${[...others, different].join("|")})${mayEnd ? "?" : ""}`;
}
