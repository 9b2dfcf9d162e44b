import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseVersion } from "@hearth-platform/hearth/core/versions";
import { migrateSettings, settingMigrations } from "@hearth-platform/stack/settings/migrations";
import { expect, it } from "vitest";
import { checkFiles, smallStack, withSettings } from "../../support/stack-files.ts";

const rows = [{ number: 1, since: "0.2.0", from: "old", to: ["block", "key"] }] as const;

it("a setting that moved counts in its old place, with a warning that names the new one and the line to write", () => {
  expect(migrateSettings({ old: "a", block: { other: 1 } }, rows)).toEqual({
    values: { block: { other: 1, key: "a" } },
    problems: [
      {
        severity: "warning",
        code: "moved",
        path: "old",
        message: "The setting is hearth:block.key since 0.2.0. This place works until 0.3.0.",
        remedy: 'Write instead: hearth:block: {"key":"a"}.',
      },
    ],
  });
  expect(migrateSettings({ block: { key: "a" } }, rows)).toEqual({ values: { block: { key: "a" } }, problems: [] });
});

it.each([[{ key: "b" }], ["no block"]])("a setting in both places is refused: %j", (block) => {
  expect(migrateSettings({ old: "a", block }, rows)).toMatchObject({
    values: { block },
    problems: [{ severity: "error", code: "moved", path: "old" }],
  });
});

it("a stack with a setting in its old place is what it is with the new one, and is told the line", () => {
  const settings = { databaseOperatorNamespace: undefined, databaseOperator: undefined };
  const old = checkFiles(withSettings(smallStack(), { ...settings, databaseOperatorNamespace: "cnpg-system" }));
  const today = checkFiles(withSettings(smallStack(), { ...settings, databaseOperator: { namespace: "cnpg-system" } }));
  expect(old.stack?.settings).toEqual(today.stack?.settings);
  expect(old.stack?.settings.databaseOperator).toEqual({ namespace: "cnpg-system" });
  const told = old.problems.filter(({ code }) => code === "moved");
  expect(told).toMatchObject([{ severity: "warning", path: "hearth:databaseOperatorNamespace" }]);
  expect(today.problems.filter(({ code }) => code === "moved")).toEqual([]);
});

it("an old place works for one minor version: then its row goes", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"));
  const minor = (text: string) => (parseVersion(text)?.[0] ?? 0) * 1_000 + (parseVersion(text)?.[1] ?? 0);
  expect(settingMigrations.filter(({ since }) => minor(since) < minor(version))).toEqual([]);
  expect(settingMigrations.map(({ number }) => number)).toEqual(
    [...new Set(settingMigrations.map(({ number }) => number))].sort((a, b) => a - b),
  );
});
