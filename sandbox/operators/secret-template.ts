/**
 * The part of Go's text/template, with the functions of External Secrets' engine v2, that a secret's template needs:
 * `{{ .key }}`, `{{ index . "key" }}`, literals, function calls and pipes, `{{-` and `-}}`. Control structures (`if`,
 * `range`, `with`, variables) are refused with a message, never rendered wrongly.
 */

type TemplateFunction = (...args: string[]) => string;

const functions: Readonly<Record<string, TemplateFunction>> = {
  b64enc: (text = "") => Buffer.from(text).toString("base64"),
  b64dec: (text = "") => Buffer.from(text, "base64").toString(),
  quote: (text = "") => JSON.stringify(text),
  squote: (text = "") => `'${text}'`,
  toJson: (text = "") => JSON.stringify(text),
  toString: (text = "") => text,
  trim: (text = "") => text.trim(),
  upper: (text = "") => text.toUpperCase(),
  lower: (text = "") => text.toLowerCase(),
  urlquery: (text = "") => encodeURIComponent(text).replaceAll("%20", "+"),
  replace: (from = "", to = "", text = "") => text.replaceAll(from, to),
  trimSuffix: (suffix = "", text = "") => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text),
  trimPrefix: (prefix = "", text = "") => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
  indent: (width = "", text = "") => text.replace(/^/gm, " ".repeat(Number(width))),
  printf: (format = "", ...args) => format.replace(/%[sv]/g, () => args.shift() ?? "%!s(MISSING)"),
};

/**
 * Renders a template.
 * @param values what `.name` stands for
 * @throws on a value or function that does not exist, and on what it does not know
 */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const trimmed = template.replace(/\s*\{\{-(?=\s)/g, "{{").replace(/(?<=\s)-\}\}\s*/g, "}}");
  return trimmed.replace(/\{\{(.*?)\}\}/gs, (_, action: string) => evaluate(action, values));
}

function evaluate(action: string, values: Readonly<Record<string, string>>): string {
  const stages = splitPipes(action.trim());
  return stages.reduce<string | undefined>((piped, words) => call(words, piped, values), undefined) ?? "";
}

/** The words of each stage of a pipe; quoted text may hold spaces and bars. */
function splitPipes(action: string): string[][] {
  const stages: string[][] = [[]];
  for (const [word] of action.matchAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|\||[^\s|]+/g)) {
    if (word === "|") stages.push([]);
    else stages.at(-1)?.push(word);
  }
  return stages;
}

function call(words: readonly string[], piped: string | undefined, values: Readonly<Record<string, string>>): string {
  const [first = "", ...rest] = words;
  if (first === "index" && rest[0] === "." && rest[1]) return lookUp(literal(rest[1]) ?? rest[1], values);
  const operand = literal(first) ?? (first.startsWith(".") ? lookUp(first.slice(1), values) : undefined);
  if (operand !== undefined && rest.length === 0 && piped === undefined) return operand;
  const apply = Object.hasOwn(functions, first) ? functions[first] : undefined;
  if (!apply) throw new Error(`function "${first}" not defined in the sandbox's templates`);
  const args = rest.map((word) => literal(word) ?? lookUp(word.replace(/^\./, ""), values));
  return apply(...args, ...(piped === undefined ? [] : [piped]));
}

function literal(word: string): string | undefined {
  if (word.startsWith("`")) return word.slice(1, -1);
  if (/^\d+$/.test(word)) return word;
  return word.startsWith('"') ? (JSON.parse(word) as string) : undefined;
}

function lookUp(name: string, values: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`map has no entry for key "${name}"`);
  return value;
}
