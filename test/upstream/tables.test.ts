import { stackPlans } from "@hearth-platform/stack/parts";
import { describe, expect, test } from "vitest";
import {
  faultsInOurs,
  faultsInTheirs,
  leftOutWorkloads,
  rowsOf,
  tables,
  translated,
} from "../../tools/upstream/tables.ts";
import { type RenderedObject, workloadKeys } from "../../tools/upstream/workload-keys.ts";
import { faultsInRender, readRender } from "../../tools/upstream-keys.ts";
import { checkFiles, committedStack, type StackFiles, withSettings } from "../support/stack-files.ts";

/** What upstream's charts give each workload at its start, and what we decided on each key: held against what stack `prod` renders. */

const rendered = objectsOf(committedStack("prod"));

/** With the programs that the stack could have and does not: what it renders of the others, they change. */
const further = objectsOf(
  withSettings(committedStack("prod"), {
    "cloudsuites[0].push": { enabled: true },
    "cloudsuites[0].previews": { enabled: true },
  }),
);

function objectsOf(files: StackFiles): RenderedObject[] {
  const { stack } = checkFiles(files);
  if (!stack) throw new Error("Stack prod is not valid.");
  return stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));
}

describe.each(tables())("$name", ({ ours, containers, rows }) => {
  test("every key of upstream's has a verdict, and what we render is what it says", () => {
    const objects = rendered.some(({ kind, metadata }) => `${kind} ${metadata.name}`.startsWith(ours))
      ? rendered
      : further;
    expect(faultsInOurs(rows, translated(workloadKeys(objects, ours), containers))).toEqual([]);
  });
});

test("no workload of a chart is both left out and judged", () => {
  const left = leftOutWorkloads().map(({ chart, upstream }) => `${chart}: ${upstream}`);
  const judged = new Set(tables().map(({ chart, upstream }) => `${chart}: ${upstream}`));
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((workload, index) => judged.has(workload) || left.indexOf(workload) !== index)).toEqual([]);
});

test("each program of forge, hub and suite that upstream has a chart for has its table", () => {
  const judged = new Set(tables().map(({ ours }) => ours));
  const own =
    /^(forge-(webservice|jobs|toolbox|gitstore|shell|pages|backup)|hub-(core|jobservice|registry|portal)|cloudsuite(-cron)?|office|whiteboard)$/;
  const workloads = rendered.filter(
    ({ kind, metadata }) => /^(Deployment|StatefulSet|CronJob)$/.test(kind) && own.test(metadata.name),
  );
  expect(workloads.length).toBe(15);
  for (const { kind, metadata } of workloads) expect(judged).toContain(`${kind} ${metadata.name}`);
});

describe("a table", () => {
  const rows = rowsOf("example", {
    same: { "env web A": "1" },
    ours_because: { "It is our own way.": { "env web B": ["1", "2"], "env web C": ["3", "3", "file web /c"] } },
    left_out_because: { "Nobody needs it.": { "env web D": "4" } },
    added_because: { "We need it.": { "env web E": "5" } },
  });
  const ours = { "env web A": "1", "env web B": "2", "file web /c": "3", "env web E": "5" };
  const theirs = { "env web A": "1", "env web B": "1", "env web C": "3", "env web D": "4" };
  const keys = (values: Readonly<Record<string, string>>) => new Map(Object.entries(values));

  test("holds where all is as it says", () => {
    expect(faultsInOurs(rows, keys(ours))).toEqual([]);
    expect(faultsInTheirs(rows, keys(theirs))).toEqual([]);
  });

  test.each<[what: string, now: Record<string, string>, fault: string]>([
    ["a value that is no longer the same", { ...ours, "env web A": "9" }, "env web A: said to be 1, but it is 9"],
    ["our own value, changed", { ...ours, "env web B": "1" }, "env web B: said to be 2, but it is 1"],
    [
      "a key that was left out and is there",
      { ...ours, "env web D": "4" },
      "env web D: said to be left out, but it is 4",
    ],
    ["a key of ours without a row", { ...ours, "env web F": "6" }, "env web F: 6 is ours alone, and no row says why"],
  ])("fails for %s", (_, now, fault) => {
    expect(faultsInOurs(rows, keys(now))).toEqual([fault]);
  });

  test("fails for a key of ours that is gone", () => {
    const { "file web /c": _, ...now } = ours;
    expect(faultsInOurs(rows, keys(now))).toEqual(["file web /c: said to be 3, but it is absent"]);
  });

  test("fails for a row without a verdict", () => {
    const unjudged = rowsOf("example", { unjudged: { "env web G": "7" } });
    expect(faultsInOurs(unjudged, keys({}))).toEqual(["env web G: upstream's 7 has no verdict"]);
  });

  test("is refused with two rows for one key", () => {
    const twice = { same: { "env web A": "1" }, left_out_because: { "Nobody needs it.": { "env web A": "1" } } };
    expect(() => rowsOf("example", twice)).toThrow("example.yaml: env web A has two rows.");
  });

  test("tells what another chart has anew, otherwise or no longer", () => {
    const { "env web D": _, ...rest } = theirs;
    expect(faultsInTheirs(rows, keys({ ...rest, "env web A": "9", "env web H": "8" }))).toEqual([
      "env web A: said to be 1, but the chart has 9",
      "env web D: said to be 4, but the chart has none",
      "env web H: 8 has no row",
    ]);
  });
});

test("a chart's workload that nobody judged is told", () => {
  const render = readRender(
    "{kind: Deployment, metadata: {name: new}, spec: {template: {spec: {containers: []}}}}\n---\n{kind: Service, metadata: {name: new}}",
  );
  expect(faultsInRender("example", render, [], [])).toEqual([
    "Deployment new: has no table, and is not among those left out",
  ]);
});
