import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { root } from "./samples.ts";

/** A figure: every run's value, and the goal that their median has to meet. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** Undefined for a figure that others are compared with. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
}

/** What a benchmark found. */
export interface Report {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** What has to be known beside the figures, a sentence each. */
  readonly notes?: readonly string[];
}

/** The middle one; of an even number the lower of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Run by run, so that both sides of a ratio saw the same machine. */
export function ratios(values: readonly number[], of: readonly number[]): number[] {
  return values.map((value, run) => value / (of[run] ?? Number.NaN));
}

/** Whether the figure's goal is met; one without a goal misses none. */
export function isMet({ values, goal }: Figure): boolean {
  if (!goal) return true;
  return "atMost" in goal ? median(values) <= goal.atMost : median(values) >= goal.atLeast;
}

/** The report as a table, its last line the sum. */
export function tableOf({ name, figures, notes = [] }: Report): string {
  const table = new Table({
    head: ["Figure", "Unit", "Runs", "Min", "Median", "Max", "Goal", ""],
    colAligns: ["left", "left", "right", "right", "right", "right", "right", "left"],
    style: { head: [], border: [] },
  });
  for (const figure of figures) {
    const { what, unit, values } = figure;
    const verdict = figure.goal ? (isMet(figure) ? "met" : "MISSED") : "";
    const numbers = [Math.min(...values), median(values), Math.max(...values)].map(inDigits);
    table.push([what, unit, values.length, ...numbers, goalText(figure), verdict]);
  }
  const judged = figures.filter(({ goal }) => goal);
  const missed = judged.filter((figure) => !isMet(figure));
  const sum = `${name}: ${judged.length - missed.length} of ${judged.length} goals met${missed.length > 0 ? `; missed: ${missed.map(({ what }) => what).join("; ")}` : ""}`;
  return [table.toString(), ...notes, machine(), sum].join("\n");
}

/** Prints the report, and writes it as JSON. @returns whether every goal is met */
export function publish(report: Report): boolean {
  const folder = join(root, "node_modules", ".cache", "bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${report.name}.json`);
  const met = report.figures.every(isMet);
  const figures = report.figures.map((figure) => ({ ...figure, median: median(figure.values), met: isMet(figure) }));
  writeFileSync(
    file,
    `${JSON.stringify({ ...report, figures, met, date: new Date().toISOString(), machine: machine() }, undefined, 2)}\n`,
  );
  console.log(`JSON: ${file}`);
  console.log(tableOf(report));
  return met;
}

function machine(): string {
  const [{ model = "an unknown processor" } = {}] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores of ${model}, ${memory} GiB, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
}

function goalText({ goal }: Figure): string {
  if (!goal) return "";
  return "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
}

function inDigits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
