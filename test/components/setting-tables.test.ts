import { describe, expect, it } from "vitest";
import { inWords } from "../support/object-changes.ts";
import { settingPage } from "../support/setting-page.ts";
import { applied, rowName, type SettingRow, settingsWithoutRow } from "../support/setting-table.ts";
import { AppliedStack } from "../support/stack-changes.ts";
import { type StackFiles, wholePlatform } from "../support/stack-files.ts";
import { settingTables } from "./setting-tables.ts";

const whole = wholePlatform();
const stacks = new Map<string, AppliedStack>();

/** The stack of these files as one that runs. */
function running(files: StackFiles): AppliedStack {
  const key = JSON.stringify(files);
  const stack = stacks.get(key) ?? new AppliedStack(files);
  stacks.set(key, stack);
  return stack;
}

describe.each(settingTables)("the table of $title", (table) => {
  it("has a row for each of its settings", () => {
    expect(settingsWithoutRow(table)).toEqual([]);
  });

  it.each(table.rows.map((row): [string, SettingRow] => [rowName(row), row]))(
    "changes these objects, or is refused, with %s",
    (_, row) => {
      const before = applied(whole, table, row.from);
      const { refusal, changes } = running(before).to(applied(before, table, row.set));
      // A component would say it of its arguments, in the middle of an update, and `validate` would not.
      expect(refusal?.by ?? "", "what a component refuses, the settings refuse before it").not.toContain("/");
      if (row.refused !== undefined) expect(refusal?.text).toContain(row.refused);
      else expect([refusal?.text ?? "", inWords(table.namespace, changes)]).toEqual(["", [...row.shows].sort()]);
    },
  );
});

it("docs/reference/changes.md has the tables for people", async () => {
  await expect(settingPage(settingTables)).toMatchFileSnapshot("../../docs/reference/changes.md");
});

it("nothing changes where no setting does", () => {
  expect(running(whole).to(whole)).toEqual({ changes: [] });
});
