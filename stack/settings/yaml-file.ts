import type { Path } from "@hearth-platform/hearth/core/paths";
import { error } from "@hearth-platform/hearth/core/problems";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { LocatedProblem, Places, Position } from "./located.ts";
import { keyProblems } from "./yaml-keys.ts";
import { bounds, scanYaml, type TextProblem } from "./yaml-scan.ts";

/** The content of a YAML file, with the place of every value in it. */
export interface YamlFile extends Places {
  /** Plain data. */
  readonly value: unknown;
  /** The scalar at `path` as it is written, e.g. `1.10`, which YAML reads as 1.1. */
  source(path: Path): string | undefined;
}

/**
 * Reads YAML that nobody vouches for: runs, opens and expands nothing, and stops early at what would cost time or memory.
 * @param remedy what to do about a file that is empty or no map
 */
export function readYaml(
  file: string,
  content: Uint8Array,
  remedy = "Write one with `./hearth init`.",
): { yaml?: YamlFile; problems: LocatedProblem[] } {
  const text = decode(content);
  if (typeof text !== "string")
    return { problems: [{ ...error(text.code, "", text.message, text.remedy), file, line: 1, column: 1 }] };
  const position = positions(text);
  const located = ({ code, message, remedy, offset }: TextProblem, path = ""): LocatedProblem => ({
    ...error(code, path, message, remedy),
    file,
    ...position(offset),
  });
  const unsafe = unsafeCharacter(text) ?? scanYaml(text);
  if (unsafe) return { problems: [located(unsafe)] };

  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  const faults = [...document.errors, ...document.warnings];
  // What follows a tab is indented wrongly because of it.
  const tabs = faults.filter(({ code }) => code === "TAB_AS_INDENT");
  const syntax = (tabs.length > 0 ? tabs : faults).map((problem) => located(syntaxProblem(problem)));
  if (syntax.length > 0) return { problems: withoutEchoes(syntax) };
  const problems = keyProblems(document).map(({ path, ...problem }) => located(problem, path));
  if (problems.length > 0) return { problems };
  if (!isMap(document.contents)) return { problems: [located({ ...notAMap(document.contents), remedy })] };
  const expanded = expand(document);
  if ("code" in expanded) return { problems: [located(expanded)] };
  return {
    yaml: {
      file,
      value: expanded.value,
      ...places(document.contents, (node) => (isAlias(node) ? node.resolve(document) : node), position),
    },
    problems: [],
  };
}

function decode(content: Uint8Array): string | Omit<TextProblem, "offset"> {
  if (content.byteLength > bounds.bytes)
    return {
      code: "yaml-size",
      message: `The file has ${content.byteLength} bytes.`,
      remedy: `The limit is ${bounds.bytes}.`,
    };
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return { code: "yaml-encoding", message: "The file is not UTF-8 text.", remedy: "Save it as UTF-8." };
  }
}

function positions(text: string): (offset: number) => Position {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) lines.addNewLine(end + 1);
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

/** Control characters, and those that make a line look different from what it is. */
function unsafeCharacter(text: string): TextProblem | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const match = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]/.exec(text);
  if (!match) return undefined;
  const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return {
    code: "yaml-character",
    offset: match.index,
    message: `The file has the invisible character U+${code}.`,
    remedy: "Delete this character.",
  };
}

const syntaxRemedies: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "Indent with spaces.",
  MULTIPLE_DOCS: "Keep one document, without a line --- after the first.",
  BAD_INDENT: "Indent all keys of a block by the same amount.",
};

const syntaxMessages: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "The file has more than one document.",
};

function syntaxProblem(problem: { code: string; message: string; pos: [number, number] }): TextProblem {
  return {
    code: problem.code === "RESOURCE_EXHAUSTION" ? "yaml-depth" : "yaml-syntax",
    offset: problem.pos[0],
    message: syntaxMessages[problem.code] ?? `${problem.message.replace(/\.$/, "")}.`,
    remedy: syntaxRemedies[problem.code] ?? "Correct the YAML here.",
  };
}

/** The first problem of each line, a few: what follows them is mostly their echo. */
function withoutEchoes(problems: readonly LocatedProblem[]): LocatedProblem[] {
  return problems.filter(({ line }, index) => problems.findIndex((other) => other.line === line) === index).slice(0, 5);
}

function notAMap(contents: ParsedNode | null): Omit<TextProblem, "remedy"> {
  const empty = contents === null || (isScalar(contents) && contents.value === null);
  return {
    code: empty ? "yaml-empty" : "type",
    offset: contents?.range[0] ?? 0,
    message: empty ? "The file is empty." : "The file is not a set of `key: value` lines.",
  };
}

/** The document as plain data; aliases inside aliases multiply, and are bounded. */
function expand(document: Document.Parsed): { value: unknown } | TextProblem {
  try {
    return { value: document.toJS({ maxAliasCount: bounds.aliases * 4 }) };
  } catch {
    const message = "Aliases inside aliases make the file too large.";
    return { code: "yaml-alias", offset: 0, message, remedy: "Write out the values." };
  }
}

type Root = YAMLMap<ParsedNode, ParsedNode | null>;

function places(
  root: Root,
  resolve: (node: unknown) => unknown,
  position: (offset: number) => Position,
): Pick<YamlFile, "locate" | "locateKey" | "source"> {
  const start = root.range?.[0] ?? 0;
  /** The key and value at each step of `path`, as far as it goes. */
  const walk = (path: Path) => {
    const steps: { key: number; node: Node | null }[] = [];
    let current: unknown = root;
    for (const key of path) {
      const step = stepInto(resolve(current), key);
      if (!step) break;
      steps.push(step);
      current = step.node;
    }
    return steps;
  };
  return {
    locate(path) {
      const steps = walk(path);
      const last = steps.at(-1);
      if (!last) return position(start);
      return position(steps.length < path.length ? last.key : (last.node?.range?.[0] ?? last.key));
    },
    locateKey: (path) => position(walk(path).at(-1)?.key ?? start),
    source(path) {
      const steps = walk(path);
      const node = resolve(steps.at(-1)?.node);
      return steps.length === path.length && isScalar(node) ? node.source : undefined;
    },
  };
}

function stepInto(node: unknown, key: string | number): { key: number; node: Node | null } | undefined {
  if (isMap(node)) {
    const pair = pairsOf(node as Root).get(key);
    return pair && { key: pair.key.range[0], node: pair.value };
  }
  const item = isSeq(node) && typeof key === "number" ? (node.items[key] as Node | undefined) : undefined;
  return item && { key: item.range?.[0] ?? 0, node: item };
}

const pairs = new WeakMap<Root, ReadonlyMap<unknown, Root["items"][number]>>();

/** The pairs of a block by their keys, found once: each of a thousand problems may ask for one. */
function pairsOf(map: Root): ReadonlyMap<unknown, Root["items"][number]> {
  const known = pairs.get(map) ?? new Map(map.items.map((item) => [isScalar(item.key) && item.key.value, item]));
  pairs.set(map, known);
  return known;
}
