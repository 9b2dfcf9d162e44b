import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "@hearth-platform/hearth/core/paths";
import { type JsonSchema, resolved } from "../../tools/settings-table.ts";
import { type Changes, type StackFiles, withConfig, withSettings } from "./stack-files.ts";

/** A setting that is changed, and what comes of it: objects that change, or a refusal. */
export type SettingRow = {
  /** The new values, by their path below the table's root. */
  readonly set: Changes;
  /** What they are before, where that is not what the whole platform has. */
  readonly from?: Changes;
} & (
  | {
      /** Every object that changes, in the words of `inWords`: `roll Deployment cloudsuite`. */
      readonly shows: readonly string[];
      readonly refused?: undefined;
    }
  | {
      /** Part of what the refusal says. */
      readonly refused: string;
      readonly shows?: undefined;
    }
);

/** What the settings of one part of the platform do when they change. */
export interface SettingTable {
  /** As a heading, e.g. `The hub`. */
  readonly title: string;
  /** The config.yaml that it is about, by its path in the stack; none: the stack's own settings. */
  readonly config?: string;
  /** Where the rows' paths begin, such as `hub`; empty: at the file's beginning. */
  readonly root: string;
  /** Parts of the settings below the root that are not of this table. @default none */
  readonly without?: readonly string[];
  /** Namespace of the objects that are shown without one. */
  readonly namespace: string;
  readonly rows: readonly SettingRow[];
}

/** The files with the changes of a row's `set` or `from`. */
export function applied(files: StackFiles, { config, root }: SettingTable, changes: Changes = {}): StackFiles {
  const placed = Object.fromEntries(Object.entries(changes).map(([path, value]) => [below(root, path), value]));
  return config === undefined ? withSettings(files, placed) : withConfig(files, config, placed);
}

/** The row in a line: what is set, and what was before. */
export function rowName({ set, from }: SettingRow): string {
  const text = (changes: Changes) => Object.entries(changes).map(inText).join(", ");
  return from ? `${text(set)} (before: ${text(from)})` : text(set);
}

/** Changes as a person writes them, with the whole path. */
export function rowChanges({ config, root }: SettingTable, changes: Changes): string[] {
  const prefix = config === undefined ? "hearth:" : "";
  return Object.entries(changes).map(([path, value]) => inText([`${prefix}${below(root, path)}`, value]));
}

function inText([path, value]: [string, unknown]): string {
  return value === undefined ? `no ${path}` : `${path}: ${JSON.stringify(value)}`;
}

/** Every setting of the table's part in the published schema that no row changes. */
export function settingsWithoutRow(table: SettingTable): string[] {
  const file = table.config === undefined ? "stack" : "config";
  const schema = resolved(
    JSON.parse(readFileSync(join(import.meta.dirname, `../../schemas/${file}.schema.json`), "utf8")),
  );
  const changed = table.rows.flatMap(({ set }) =>
    Object.entries(set).flatMap(([path, value]) => leavesOfValue(anyElement(path), value)),
  );
  const top = table.config === undefined ? prefixless(schema.properties?.config) : schema;
  const root = anyElement(table.root).split(".").filter(Boolean).reduce(partAt, top);
  const covers = (leaf: string) => changed.some((path) => isWithin(path, leaf));
  return leavesOfSchema("", root).filter(
    (leaf) => !covers(leaf) && !table.without?.some((part) => isWithin(leaf, part)),
  );
}

function prefixless({ properties = {} }: JsonSchema = {}): JsonSchema {
  const own = Object.entries(properties).map(([key, schema]) => [key.replace(/^hearth:/, ""), schema]);
  return { properties: Object.fromEntries(own) };
}

function partAt(schema: JsonSchema, key: string): JsonSchema {
  const part = schema.properties?.[key.replace("[]", "")];
  const inner = key.endsWith("[]") ? part?.items : part;
  if (!inner) throw new Error(`The schema has no ${key}.`);
  return inner;
}

function leavesOfSchema(path: string, { properties, items }: JsonSchema): string[] {
  if (properties) return Object.entries(properties).flatMap(([key, part]) => leavesOfSchema(below(path, key), part));
  return items?.properties ? leavesOfSchema(`${path}[]`, items) : [path];
}

function leavesOfValue(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((element) => leavesOfValue(`${path}[]`, element))];
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOfValue(below(path, key), inner));
}

/** `robots[0].name` → `robots[].name`. */
const anyElement = (path: string) => path.replace(/\[\d+\]/g, "[]");

const below = (root: string, path: string) => (root === "" || path === "" ? root + path : `${root}.${path}`);
