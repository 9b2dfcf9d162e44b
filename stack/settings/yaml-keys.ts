import { formatPath, type Path } from "@hearth-platform/hearth/core/paths";
import { shown } from "@hearth-platform/hearth/core/problems";
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, visit, type YAMLMap } from "yaml";
import { bounds, type TextProblem } from "./yaml-scan.ts";

/** A problem of the text at a path of the document. */
export type KeyProblem = TextProblem & { readonly path: string };

/** Keys that are doubled, not text or not harmless, aliases that lead nowhere, and nesting that is too deep. */
export function keyProblems(document: Document.Parsed): KeyProblem[] {
  const problems: KeyProblem[] = [];
  visit(document, {
    Node: (_, node, ancestors) => {
      const at = { offset: node.range?.[0] ?? 0, path: "" };
      if (ancestors.length > 2 * bounds.depth) {
        const message = `The file is nested more than ${bounds.depth} levels deep.`;
        problems.push({ ...at, code: "yaml-depth", message, remedy: "No setting is that deep." });
        return visit.BREAK;
      }
      if (isAlias(node) && !reaches(node, document, ancestors)) {
        const message = `The alias *${node.source} has no anchor before it, or contains itself.`;
        problems.push({
          ...at,
          path: formatPath(pathOf(ancestors, node)),
          code: "yaml-alias",
          message,
          remedy: "Write out the value.",
        });
      }
      if (isMap(node)) problems.push(...mapProblems(node as YAMLMap<ParsedNode>, () => pathOf(ancestors, node)));
      return undefined;
    },
  });
  return problems;
}

function mapProblems(map: YAMLMap<ParsedNode>, parentPath: () => Path): KeyProblem[] {
  const seen = new Set<string>();
  return map.items.flatMap(({ key }) => {
    const offset = key.range[0];
    const name = isScalar(key) ? key.value : undefined;
    const problem = (code: string, message: string, remedy: string): KeyProblem[] => {
      const parent = parentPath();
      return [
        { offset, path: formatPath(typeof name === "string" ? [...parent, name] : parent), code, message, remedy },
      ];
    };
    if (typeof name !== "string") return problem("yaml-key", "The key is not text.", "Use a plain word as key.");
    if (name === "<<") return problem("yaml-merge", "Merge keys (<<) are not supported.", "Write out the keys.");
    // As data it would be an own property, which some code takes for the object's prototype.
    if (name === "__proto__") return problem("unknown-key", `Unknown key ${shown(name)}.`, "Leave it out.");
    if (seen.has(name))
      return problem("yaml-duplicate", `The key ${shown(name)} appears twice.`, "Keep one of the two.");
    seen.add(name);
    return [];
  });
}

/** False for an alias whose anchor is missing, comes later or holds the alias itself. */
function reaches(alias: Alias, document: Document.Parsed, ancestors: readonly unknown[]): boolean {
  const target = alias.resolve(document);
  return target !== undefined && !ancestors.includes(target);
}

function pathOf(ancestors: readonly unknown[], node: unknown): Path {
  const chain = [...ancestors, node];
  return chain.flatMap((item, index): Path => {
    const next = chain[index + 1];
    if (isSeq(item) && next !== undefined) return [item.items.indexOf(next)];
    return typeof item === "object" && item !== null && "key" in item && isScalar(item.key)
      ? [String(item.key.value)]
      : [];
  });
}
