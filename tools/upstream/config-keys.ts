import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";

/** A key of a configuration file by its path, such as `production.gitlab.host`, and its value as text. */
export type ConfigKeys = ReadonlyMap<string, string>;

/** A value that is no fact of the file: a program of several lines. */
const script = "(script)";

/**
 * The keys of a configuration file, read by the format its name tells; `.erb` and `.tpl` are templates that the image fills at its start.
 * Files of no known format are one key with the value `(script)`.
 * @throws Error where the text is not of the format
 */
export function configKeys(file: string, text: string): ConfigKeys {
  const name = file.replace(/^.*\//, "").replace(/\.(erb|tpl)$/, "");
  const filled = filledIn(text, /\.toml$/.test(name));
  if (/\.(ya?ml)$/.test(name)) return flat(parseYaml(filled, { uniqueKeys: false }));
  if (/\.toml$/.test(name)) return flat(parseToml(filled));
  if (/settings\.rb$/.test(name)) return lines(filled, /^\s*:?(\w+)(?::|\s*=>)\s+(.+?),?$/);
  if (/nginx.*\.conf$/.test(name)) return nginxKeys(filled);
  if (/\.php$/.test(name)) return phpKeys(filled);
  if (/(^config|\.conf|\.ini)$/.test(name)) return lines(filled, /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/);
  return new Map([["", script]]);
}

/** A tree of values as paths. Scalars and lists of scalars are values; everything else is a branch. */
function flat(tree: unknown, path = ""): ConfigKeys {
  if (tree === null || typeof tree !== "object" || tree instanceof Date) return new Map([[path, String(tree)]]);
  const entries = Object.entries(tree);
  const isLeaf = entries.length === 0 || (Array.isArray(tree) && tree.every((item) => typeof item !== "object"));
  if (isLeaf) return new Map([[path, JSON.stringify(tree)]]);
  const inner = (key: string) => (Array.isArray(tree) ? `${path}[${key}]` : path ? `${path}.${key}` : key);
  return new Map(entries.flatMap(([key, value]) => [...flat(value, inner(key))]));
}

const templatePart = /\{%-?([\s\S]*?)-?%\}|<%-?([\s\S]*?)-?%>|\{\{-?([\s\S]*?)-?\}\}/g;
const statement = /^\s*(if|else|end|range|with|define|for|unless|require|begin|rescue|[$@]?\w+\s*:?=[^=])/;

/** The text without its templates' statements, and with what their expressions read, such as `(file /etc/gitlab/token)`, in their place. */
function filledIn(text: string, isToml: boolean): string {
  const filled = text.replace(templatePart, (_, gomplate, erb, go) => {
    const code = String(gomplate ?? erb ?? go).trim();
    const isStatement = erb === undefined ? statement.test(code) : !code.startsWith("=");
    return isStatement ? "" : source(code.replace(/^=/, ""));
  });
  const keyed = filled.replace(/^\s*\(computed\)\s*$/gm, "");
  return isToml ? keyed.replace(/^(\s*[\w.]+\s*=\s*)(\(.*\))\s*$/gm, '$1"$2"') : keyed;
}

function source(code: string): string {
  const file = /["'](\/[^"']*)["']/.exec(code)?.[1];
  const variable = /ENV(?:\.fetch)?[([]?\s*["'](\w+)["']|Getenv\s+["'](\w+)["']/.exec(code);
  if (file) return `(file ${file})`;
  return variable ? `(variable ${variable[1] ?? variable[2]})` : "(computed)";
}

/** Keys of a format that has one a line, below `[section]`s where it has them. */
function lines(text: string, pattern: RegExp): ConfigKeys {
  const keys = new Map<string, string>();
  let section = "";
  for (const line of text.split("\n")) {
    const header = /^\s*\[(.+)\]\s*$/.exec(line);
    if (header) section = `${header[1]}.`;
    const [, key, value] = /^\s*[#;]/.test(line) ? [] : (pattern.exec(line) ?? []);
    if (key !== undefined && value !== undefined) add(keys, section + key, value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return keys;
}

/** Directives that say what their first word is about. */
const named = new Set(["proxy_set_header", "add_header", "fastcgi_param"]);

function nginxKeys(text: string): ConfigKeys {
  const keys = new Map<string, string>();
  const blocks: string[] = [];
  const plain = text.replace(/(^|\s)#.*$/gm, "");
  for (const [, words = "", end] of plain.matchAll(/([^;{}]*)([;{}])/g)) {
    const [name = "", ...values] = words.trim().split(/\s+/);
    if (end === "{") blocks.push([name, ...values].join(" "));
    else if (end === "}") blocks.pop();
    else if (named.has(name)) add(keys, [...blocks, `${name} ${values[0]}`].join("."), values.slice(1).join(" "));
    else add(keys, [...blocks, name].join("."), values.join(" "));
  }
  return keys;
}

/** Keys of `'key' => value` in PHP's nested arrays; items of a list are numbered. */
function phpKeys(text: string): ConfigKeys {
  const keys = new Map<string, string>();
  const path: { readonly name: string; items: number }[] = [];
  const full = (key: string) => [...path.map(({ name }) => name), key].filter(Boolean).join(".");
  for (const line of text.split("\n")) {
    const [, named, value = ""] = /^\s*(?:['"]([^'"]+)['"]\s*=>\s*)?(.+?),?\s*$/.exec(line) ?? [];
    const inner = path.at(-1);
    if (/^(\$CONFIG\s*=\s*)?(array\s*\(|\[)$/.test(value)) path.push({ name: named ?? item(inner), items: 0 });
    else if (/^[)\]];?$/.test(value)) path.pop();
    else if (inner) add(keys, full(named ?? item(inner)), value.replace(/^(['"])(.*)\1$/, "$2"));
  }
  return keys;
}

const item = (list: { items: number } | undefined) => (list ? String(list.items++) : "");

/** A key that is there already gets a number. */
function add(keys: Map<string, string>, key: string, value: string): void {
  let name = key;
  for (let count = 1; keys.has(name); count++) name = `${key}[${count}]`;
  keys.set(name, value);
}
