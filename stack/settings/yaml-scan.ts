import { CST, Lexer } from "yaml";

/** Bounds of a settings file. A config.yaml has about 60 lines, 300 tokens and a depth of 4. */
export const bounds = { bytes: 256 * 1024, tokens: 5_000, depth: 32, aliases: 32 } as const;

/** A problem of the YAML text itself, before it means anything. */
export interface TextProblem {
  readonly code: string;
  /** Characters before it. */
  readonly offset: number;
  readonly message: string;
  readonly remedy: string;
}

/**
 * What must not reach the YAML parser, found in one pass over the tokens: deep nesting, floods of tokens or aliases,
 * tags, directives and complex keys. The parser would overflow, run for minutes, or only warn.
 */
export function scanYaml(text: string): TextProblem | undefined {
  const count = { offset: 0, depth: 0, compact: 0, tokens: 0, aliases: 0 };
  let afterMarker = false;
  for (const token of new Lexer().lex(text)) {
    // The lexer puts a marker before the text of a scalar; that text is no syntax.
    const type: string = afterMarker ? "text" : (CST.tokenType(token) ?? "text");
    afterMarker = type === "scalar";
    count.tokens += 1;
    if (type === "flow-map-start" || type === "flow-seq-start") count.depth += 1;
    if (type === "flow-map-end" || type === "flow-seq-end") count.depth -= 1;
    if (type === "newline") count.compact = 0;
    if (type === "seq-item-ind") count.compact += 1;
    if (type === "alias") count.aliases += 1;
    const refused = refuse(type, token, count);
    if (refused) return { offset: count.offset, ...refused };
    if (type !== "doc-mode" && type !== "flow-error-end" && type !== "scalar") count.offset += token.length;
  }
  return undefined;
}

type Counts = Readonly<Record<"depth" | "compact" | "tokens" | "aliases", number>>;

function refuse(type: string, token: string, count: Counts): Omit<TextProblem, "offset"> | undefined {
  const problem = (code: string, message: string, remedy: string) => ({ code, message, remedy });
  if (count.tokens > bounds.tokens)
    return problem("yaml-size", `The file has more than ${bounds.tokens} YAML tokens.`, "Shorten it.");
  if (count.depth + count.compact > bounds.depth)
    return problem(
      "yaml-depth",
      `The file is nested more than ${bounds.depth} levels deep.`,
      "No setting is that deep.",
    );
  if (count.aliases > bounds.aliases)
    return problem("yaml-alias", `The file has more than ${bounds.aliases} aliases.`, "Write out the values.");
  if (type === "directive-line")
    return problem("yaml-directive", "The file has a YAML directive.", "Remove the line with %. The file is YAML 1.2.");
  if (type === "tag" && token !== "!!str")
    return problem("yaml-tag", `The tag ${JSON.stringify(token.slice(0, 40))} is not allowed.`, "Remove the tag.");
  if (type === "explicit-key-ind")
    return problem("yaml-key", "The key is written with a question mark.", "Write it as `key: value`.");
  return undefined;
}
