import { leftOutWorkloads, type Row, tables } from "./upstream/tables.ts";

/** The table of docs/explanation/fidelity.md that counts the keys which upstream's charts give their workloads, and what became of each. */
export function upstreamTotals(): string {
  const rows = tables().map(({ chart, ours, rows: keys }) => {
    const count = (verdict: Row["verdict"]) => [...keys.values()].filter((row) => row.verdict === verdict).length;
    const counts = [count("same"), count("ours"), count("left out")] as const;
    return { what: `\`${ours.split(" ")[1]?.replace(/-$/, "")}\``, chart, counts, added: count("added") };
  });
  const others = leftOutWorkloads().map(({ chart, upstream, keys }) => ({
    what: `${upstream.split(" ")[1]?.replace(/-$/, "")}, not deployed`,
    chart,
    counts: [0, 0, keys] as const,
    added: 0,
  }));
  const all = [...rows, ...others];
  const sum = (pick: (row: (typeof all)[number]) => number) => all.reduce((total, row) => total + pick(row), 0);
  const total = { what: "**all**", chart: "", counts: [0, 1, 2].map((at) => sum(({ counts }) => counts[at] ?? 0)) };
  const lines = [...all, { ...total, added: sum(({ added }) => added) }].map(({ what, chart, counts, added }) => {
    const theirs = counts.reduce((a, b) => a + b, 0);
    return `| ${[what, chart, theirs, ...counts, added].join(" | ")} |`;
  });
  const head = "| workload | chart | upstream keys | same | ours | left out | only ours |";
  return [head, "|---|---|---|---|---|---|---|", ...lines].join("\n");
}
