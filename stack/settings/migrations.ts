import { error, type Problem, warning } from "@hearth-platform/hearth/core/problems";
import { parseVersion } from "@hearth-platform/hearth/core/versions";

/** A setting that moved. */
export interface SettingMigration {
  /** Counts from 1. */
  readonly number: number;
  /** The version that moved it: the old place works in all of its patches, and no longer in the next minor. */
  readonly since: string;
  /** The setting's name without prefix, as it was. */
  readonly from: string;
  /** Where it is now: a block's name and the key in it. */
  readonly to: readonly [block: string, key: string];
}

/** Every setting whose old place still works, in the order of their numbers. */
export const settingMigrations: readonly SettingMigration[] = [
  { number: 1, since: "0.2.0", from: "databaseOperatorNamespace", to: ["databaseOperator", "namespace"] },
];

type Values = Readonly<Record<string, unknown>>;

/** The settings with each value where it is now, and a warning for each that stood where it was. */
export function migrateSettings(
  values: Values,
  rows: readonly SettingMigration[] = settingMigrations,
): { values: Values; problems: Problem[] } {
  return rows.reduce<{ values: Values; problems: Problem[] }>(
    (done, row) => {
      if (!Object.hasOwn(done.values, row.from)) return done;
      const { [row.from]: value, ...others } = done.values;
      const [block, key] = row.to;
      const there = others[block] ?? {};
      const isBlock = typeof there === "object" && !Array.isArray(there);
      if (!isBlock || Object.hasOwn(there, key))
        return { values: others, problems: [...done.problems, inBothPlaces(row)] };
      return {
        values: { ...others, [block]: { ...there, [key]: value } },
        problems: [...done.problems, moved(row, value)],
      };
    },
    { values, problems: [] },
  );
}

function moved({ from, to: [block, key], since }: SettingMigration, value: unknown): Problem {
  const [major, minor = 0] = parseVersion(since) ?? [];
  return warning(
    "moved",
    from,
    `The setting is hearth:${block}.${key} since ${since}. This place works until ${major}.${minor + 1}.0.`,
    `Write instead: hearth:${block}: ${JSON.stringify({ [key]: value })}.`,
  );
}

function inBothPlaces({ from, to: [block, key] }: SettingMigration): Problem {
  return error(
    "moved",
    from,
    `The setting moved to hearth:${block}.${key}, and hearth:${block} is there, too.`,
    "Keep the value in the new place alone.",
  );
}
