import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { WorkloadKeys } from "./workload-keys.ts";

/** Where the tables stand. */
export const tablesFolder = join(import.meta.dirname, "../../test/upstream");

/** The decision on a key that upstream's chart or ours sets. */
export type Row =
  | { readonly verdict: "same"; readonly theirs: string }
  | {
      readonly verdict: "ours";
      readonly theirs: string;
      readonly ours: string;
      readonly key?: string;
      readonly why: string;
    }
  | { readonly verdict: "left out"; readonly theirs: string; readonly why: string }
  | { readonly verdict: "added"; readonly ours: string; readonly why: string }
  | { readonly verdict: "unjudged"; readonly theirs: string };

/** Rows by key, such as `env webservice TZ`. */
export type Rows = ReadonlyMap<string, Row>;

/** The keys of one workload of a chart, each with what was decided on it. */
export interface Table {
  /** Name of its file without `.yaml`. */
  readonly name: string;
  /** The chart and its version, such as `gitlab 9.9.1`. */
  readonly chart: string;
  /** The workload in the chart's render, such as `Deployment forge-webservice-default`. */
  readonly upstream: string;
  /** The same of ours, in stack `prod`. A Job's name ends where its version begins: `Job forge-migrations-`. */
  readonly ours: string;
  /** Upstream's name of a container → ours. */
  readonly containers: Readonly<Record<string, string>>;
  readonly rows: Rows;
}

/** A workload of a chart that we don't deploy. */
export interface LeftOutWorkload {
  readonly chart: string;
  readonly upstream: string;
  readonly why: string;
  /** How many keys the chart gives it. */
  readonly keys: number;
}

type Values = Readonly<Record<string, string>>;

interface TableFile {
  readonly chart: string;
  readonly upstream: string;
  readonly ours: string;
  readonly containers?: Values;
  /** Name of a table whose rows hold here too, unless this one has its own. */
  readonly with?: string;
  readonly same?: Values;
  readonly ours_because?: Readonly<Record<string, Readonly<Record<string, readonly [string, string, string?]>>>>;
  readonly left_out_because?: Readonly<Record<string, Values>>;
  readonly added_because?: Readonly<Record<string, Values>>;
  readonly unjudged?: Values;
}

/** Every table, by name. @throws Error where a key has two rows */
export function tables(folder = tablesFolder): Table[] {
  const files = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => [file.slice(0, -".yaml".length), readYaml<TableFile>(join(folder, file))]),
  );
  return [...files].flatMap(([name, file]) => {
    if (!file.ours) return [];
    const shared =
      file.with === undefined ? [] : [...rowsOf(file.with, files.get(file.with) ?? missing(name, file.with))];
    const { chart, upstream, ours, containers = {} } = file;
    return [{ name, chart, upstream, ours, containers, rows: new Map([...shared, ...rowsOf(name, file)]) }];
  });
}

/** The workloads that we don't deploy. */
export function leftOutWorkloads(folder = tablesFolder): LeftOutWorkload[] {
  return readYaml(join(folder, "left-out-workloads.yaml"));
}

const readYaml = <T>(file: string): T => parse(readFileSync(file, "utf8"));

function missing(name: string, other: string): never {
  throw new Error(`${name}.yaml: there is no table ${other}.`);
}

/** Rows of a file. @throws Error where a key has two */
export function rowsOf(name: string, file: Partial<TableFile>): Rows {
  const rows = new Map<string, Row>();
  const add = (key: string, row: Row) => {
    if (rows.has(key)) throw new Error(`${name}.yaml: ${key} has two rows.`);
    rows.set(key, row);
  };
  const each = <T>(of: Readonly<Record<string, T>> | undefined) => Object.entries(of ?? {});
  for (const [key, theirs] of each(file.same)) add(key, { verdict: "same", theirs });
  for (const [why, keys] of each(file.ours_because))
    for (const [key, [theirs, ours, at]] of each(keys)) add(key, { verdict: "ours", theirs, ours, key: at, why });
  for (const [why, keys] of each(file.left_out_because))
    for (const [key, theirs] of each(keys)) add(key, { verdict: "left out", theirs, why });
  for (const [why, keys] of each(file.added_because))
    for (const [key, ours] of each(keys)) add(key, { verdict: "added", ours, why });
  for (const [key, theirs] of each(file.unjudged)) add(key, { verdict: "unjudged", theirs });
  return rows;
}

/** A key as upstream names it: by upstream's name of the container. */
export function translated(keys: WorkloadKeys, containers: Values): WorkloadKeys {
  const theirs = new Map(Object.entries(containers).map(([upstream, ours]) => [ours, upstream]));
  const translate = (key: string) => {
    const [kind = "", container = "", ...rest] = key.split(" ");
    return kind === "config" ? key : [kind, theirs.get(container) ?? container, ...rest].join(" ").trim();
  };
  return new Map([...keys].map(([key, value]) => [translate(key), value]));
}

/** Rows that disagree with our render, one line for each. */
export function faultsInOurs(rows: Rows, ours: WorkloadKeys): string[] {
  const judged = new Set<string>();
  const faults: string[] = [];
  for (const [key, row] of rows) {
    const at = (row.verdict === "ours" ? row.key : undefined) ?? key;
    const now = ours.get(at);
    judged.add(at);
    if (row.verdict === "unjudged") faults.push(`${key}: upstream's ${row.theirs} has no verdict`);
    else if (row.verdict === "left out") {
      if (now !== undefined) faults.push(`${key}: said to be left out, but it is ${now}`);
    } else {
      const said = row.verdict === "same" ? row.theirs : row.ours;
      if (now !== said) faults.push(`${at}: said to be ${said}, but it is ${now ?? "absent"}`);
    }
  }
  const own = [...ours].filter(([key]) => !judged.has(key));
  return [...faults, ...own.map(([key, value]) => `${key}: ${value} is ours alone, and no row says why`)];
}

/** Rows that disagree with a chart's render, one line for each. */
export function faultsInTheirs(rows: Rows, theirs: WorkloadKeys): string[] {
  const known = [...rows].flatMap(([key, row]) => (row.verdict === "added" ? [] : [[key, row.theirs] as const]));
  const said = new Map(known);
  return [
    ...known.flatMap(([key, value]) => {
      const now = theirs.get(key);
      return now === value ? [] : [`${key}: said to be ${value}, but the chart has ${now ?? "none"}`];
    }),
    ...[...theirs].flatMap(([key, value]) => (said.has(key) ? [] : [`${key}: ${value} has no row`])),
  ];
}
