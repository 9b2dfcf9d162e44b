import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { faultsInTheirs, type LeftOutWorkload, leftOutWorkloads, type Table, tables } from "./upstream/tables.ts";
import { isNamed, type RenderedObject, workloadKeys } from "./upstream/workload-keys.ts";

const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"]);

/**
 * What of the tables in test/upstream is not so in a chart's render, a line each: rows that the chart has no longer or otherwise, keys without a
 * row, workloads that neither a table nor the list of those left out has.
 * @param chart by its name alone, such as `gitlab`
 */
export function faultsInRender(
  chart: string,
  objects: readonly RenderedObject[],
  judged: readonly Table[] = tables(),
  leftOut: readonly LeftOutWorkload[] = leftOutWorkloads(),
): string[] {
  const own = judged.filter((table) => table.chart.startsWith(`${chart} `));
  const others = leftOut.filter((workload) => workload.chart.startsWith(`${chart} `));
  const known = [...own, ...others].map(({ upstream }) => upstream);
  const unknown = objects.filter(
    (object) => workloads.has(object.kind) && !known.some((name) => isNamed(object, name)),
  );
  return [
    ...own.flatMap((table) => {
      const faults = faultsInTheirs(table.rows, workloadKeys(objects, table.upstream));
      return faults.map((fault) => `${table.name}: ${fault}`);
    }),
    ...others.flatMap(({ upstream, keys }) => {
      const now = workloadKeys(objects, upstream).size;
      return now === keys ? [] : [`${upstream}: said to have ${keys} keys, but it has ${now}`];
    }),
    ...unknown.map(({ kind, metadata }) => `${kind} ${metadata.name}: has no table, and is not among those left out`),
  ];
}

/** Objects of a YAML file. */
export function readRender(text: string): RenderedObject[] {
  return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
}

// node tools/upstream-keys.ts gitlab gitlab.yaml: compares the tables with a render that `helm template` made with test/upstream/values/gitlab.yaml.
if (import.meta.main) {
  const [chart, file] = process.argv.slice(2);
  if (!chart || !file) throw new Error("Say the chart and the file of its render: gitlab gitlab.yaml");
  const faults = faultsInRender(chart, readRender(readFileSync(file, "utf8")));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`Every key of ${chart} has its row.`);
}
