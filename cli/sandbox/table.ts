import Table from "cli-table3";

/** A table for people: a header, a line under it and a row a line. */
export function table(head: readonly string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const lines = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  lines.push(...rows.map((row) => [...row]));
  return lines.toString();
}
