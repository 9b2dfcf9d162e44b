import { execa } from "execa";
import { type Figure, type Report, ratios } from "../report.ts";
import { type BenchOptions, root } from "../samples.ts";
import type { Growth, Subject } from "./measure.ts";

const subjects: readonly Subject[] = ["plan", "program", "packs", "render"];
const sizes = { suites: [1, 10, 100], sites: [10, 100, 1000] } as const;
/** How many suites or sites a process makes in all: fewer take less time than what the compiler does beside them. */
const made = { suites: 100, sites: 4000 } as const;

/** A process repeats a small stack until it made as many objects, so one run is enough. */
export const usualRuns = 1;

/**
 * How time and memory an object grow with the number of suites and sites. Each size has a process of its own, and sizes
 * take turns.
 */
export async function run({ runs }: BenchOptions): Promise<Report> {
  const figures: Figure[] = [];
  for (const subject of subjects)
    for (const kind of ["suites", "sites"] as const) {
      const all: Growth[][] = sizes[kind].map(() => []);
      for (let run = 0; run < runs; run++)
        for (const [index, size] of sizes[kind].entries()) all[index]?.push(await measure(subject, kind, size));
      const [few = [], , many = []] = all.map((growths) => growths.map(({ microseconds }) => microseconds));
      figures.push(
        ...sizes[kind].map((size, index) => ({
          what: `${subject}, ${size} ${kind}: time an object`,
          unit: "µs CPU",
          values: all[index]?.map(({ microseconds }) => microseconds) ?? [],
        })),
        {
          what: `${subject}: time an object at ${sizes[kind][2]} of ${sizes[kind][0]} ${kind}`,
          unit: "x",
          values: ratios(many, few),
          goal: { atMost: 1.15 },
        },
        {
          what: `${subject}: memory an object at ${sizes[kind][2]} of ${sizes[kind][0]} ${kind}`,
          unit: "x",
          values: ratios(
            all[2]?.map(({ kilobytes }) => kilobytes) ?? [],
            all[0]?.map(({ kilobytes }) => kilobytes) ?? [],
          ),
          goal: { atMost: 1.15 },
        },
      );
    }
  return { name: "growth", figures };
}

async function measure(subject: Subject, kind: keyof typeof sizes, size: number): Promise<Growth> {
  const { stdout } = await execa(
    process.execPath,
    ["--expose-gc", "bench/growth/measure.ts", subject, kind, String(size), String(made[kind])],
    { cwd: root, stderr: "inherit" },
  );
  return JSON.parse(stdout) as Growth;
}
