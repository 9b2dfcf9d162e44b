import { isWithin } from "@hearth-platform/hearth/core/paths";
import { inWords, type ObjectChange, type Operation, rollsPods } from "./object-changes.ts";
import { applied, type SettingRow, type SettingTable } from "./setting-table.ts";
import type { PreviewStep } from "./stack.ts";
import type { AppliedStack, Refusal } from "./stack-changes.ts";
import type { StackFiles } from "./stack-files.ts";

/** A row and the table it stands in. */
interface PlacedRow {
  readonly table: SettingTable;
  readonly row: SettingRow;
}

/** Rows that one preview shows together. */
interface Pack {
  readonly rows: readonly PlacedRow[];
  readonly files: StackFiles;
  /** All that changes: what each of the rows changes, and nothing else. */
  readonly words: readonly string[];
  readonly refusal: Refusal | undefined;
}

/** The rows that start from the whole platform. */
export function placedRows(tables: readonly SettingTable[]): PlacedRow[] {
  return tables.flatMap((table) => table.rows.filter(({ from }) => !from).map((row) => ({ table, row })));
}

/**
 * The rows in as few packs as they fit in: in one pack no row changes what another one has changed, and all together
 * come to the sum of what each comes to alone.
 */
export function packed(
  rows: readonly PlacedRow[],
  whole: StackFiles,
  running: AppliedStack,
): { readonly shown: Pack[]; readonly refused: Pack[] } {
  const packs: Pack[] = [];
  const none: Pack = { rows: [], files: whole, words: [], refusal: undefined };
  for (const placed of rows) {
    const alone = extended(none, placed, running);
    if (alone.words.length === 0 && !alone.refusal) continue;
    if (!packs.some((pack, index) => replaced(packs, index, joined(pack, alone, running)))) packs.push(alone);
  }
  return { shown: packs.filter(({ refusal }) => !refusal), refused: packs.filter(({ refusal }) => refusal) };
}

function replaced(packs: Pack[], index: number, pack: Pack | undefined): boolean {
  if (pack) packs[index] = pack;
  return pack !== undefined;
}

/** The pack with one more row; nothing where that does not fit in. */
function joined(pack: Pack, alone: Pack, running: AppliedStack): Pack | undefined {
  const [placed] = alone.rows;
  if (!placed || pack.refusal?.by !== alone.refusal?.by || pack.rows.some((other) => overlap(other, placed)))
    return undefined;
  const both = extended(pack, placed, running);
  const { refusal } = both;
  const fits = refusal
    ? refusal.by === pack.refusal?.by && both.rows.every(({ row }) => refusal.text.includes(row.refused ?? ""))
    : same(both.words, [...pack.words, ...alone.words]);
  return fits ? both : undefined;
}

const same = (words: readonly string[], sum: readonly string[]) =>
  JSON.stringify(words) === JSON.stringify([...new Set(sum)].sort());

function overlap(one: PlacedRow, other: PlacedRow): boolean {
  if (one.table.config !== other.table.config) return false;
  const paths = ({ table, row }: PlacedRow) =>
    Object.keys(row.set).map((path) => (table.root === "" ? path : `${table.root}.${path}`));
  return paths(one).some((path) => paths(other).some((taken) => isWithin(path, taken) || isWithin(taken, path)));
}

function extended(pack: Pack, placed: PlacedRow, running: AppliedStack): Pack {
  const files = applied(pack.files, placed.table, placed.row.set);
  const { refusal, changes } = running.to(files);
  return { rows: [...pack.rows, placed], files, words: inWords("", changes), refusal };
}

/** What the engine's steps do to the objects in the cluster and to the buckets. */
export function changesOf(steps: readonly PreviewStep[]): ObjectChange[] {
  return steps.flatMap(({ op, urn, detailedDiff, oldState, newState }) => {
    const { kind, metadata, bucket } = newState?.inputs ?? oldState?.inputs ?? {};
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const [kindOfBucket] = /^aws:s3\/.*:(.*)$/.exec(type)?.slice(1) ?? [];
    if (kindOfBucket !== undefined && bucket !== undefined)
      return [{ operation: operationOf(op), kind: kindOfBucket, namespace: undefined, name: bucket }];
    if (!type.startsWith("kubernetes:") || !kind || !metadata) return [];
    const rolls =
      op === "update" &&
      Object.keys(detailedDiff ?? {}).some((path) => rollsPods(kind, ...(path.split(/[.[]/) as [string, string])));
    return [
      {
        operation: rolls ? "roll" : operationOf(op),
        kind,
        namespace: metadata.namespace,
        name: metadata.name,
      },
    ];
  });
}

const operations: Readonly<Record<string, Operation>> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "delete-replaced": "replace",
};

function operationOf(op: string): Operation {
  const operation = operations[op];
  if (!operation) throw new Error(`No operation for the engine's ${op}.`);
  return operation;
}
