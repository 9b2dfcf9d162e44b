import { judged, repeated, rulesOn } from "../core/arguments.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import type { CopiesArgs } from "./args.ts";
import { copies } from "./schema.ts";

const rule = rulesOn(copies);

/** Everything wrong with the arguments of the copies. */
export const copiesProblems = judged(copies, [
  rule(["sources"], ({ sources }) => (sources.length === 0 ? [nothingToCopy("sources")] : [])),
  rule(["sources"], ({ sources }) =>
    repeated(
      sources.map(({ name }) => name),
      (name, index) =>
        error("shared", `sources[${index}].name`, `${shown(name)} is another source, too.`, "Each needs its own name."),
    ),
  ),
  rule(["sources", "to"], ({ sources, to }) => sources.flatMap((source, index) => sameBucket(source, index, to))),
]);

/** There are no buckets to copy. */
export function nothingToCopy(path: string): Problem {
  return error("nothing-to-copy", path, "There is no bucket to copy.", "Remove it, or add a forge, a hub or a suite.");
}

function sameBucket(source: CopiesArgs["sources"][number], index: number, to: CopiesArgs["to"]): Problem[] {
  if (source.endpoint !== to.endpoint || !source.buckets.includes(to.bucket)) return [];
  return [
    error(
      "copy-target",
      "to.bucket",
      `${shown(to.bucket)} is copied itself: it is a bucket of sources[${index}].`,
      "Name a bucket of its own, in another store.",
    ),
  ];
}
