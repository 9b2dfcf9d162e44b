import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { compareVersions } from "@hearth-platform/hearth/core/versions";
import { forgeChanges } from "@hearth-platform/hearth/forge/changes";
import { defaultVersion, forgeDatabases, shellVersion } from "@hearth-platform/hearth/forge/versions";
import { describe, expect, test } from "vitest";
import { completeForge } from "./forge.ts";

/** docs/how-to/gitlab-19.md says what the tables say, and its way is one that no preview refuses. */
const page = readFileSync(join(import.meta.dirname, "../../../docs/how-to/gitlab-19.md"), "utf8");

const lastOn16 = "18.11.11";

describe("the page on GitLab 19", () => {
  const rows = [...page.matchAll(/^\| (\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*)\|$/gm)].map(
    ([, line = "", databases = "", shell = "", stop = ""]) => ({ line, databases, shell, stop: stop.trim() }),
  );

  test.each(rows.map((row) => [row.line, row] as const))(
    "gives release %s the databases, the shell and the stop that we know",
    (line, { databases, shell, stop }) => {
      const version = programs.gitlab.lines.find((each) => each.line === line)?.newest ?? "";
      const { oldest, newest } = forgeDatabases({ version });
      expect(databases).toBe(oldest === newest ? `${oldest}` : `${oldest} or ${newest}`);
      expect(shell).toContain(shellVersion({ version }));
      expect(stop).toBe(["2", "5", "8", "11"].includes(line.split(".")[1] ?? "") ? "yes" : "");
    },
  );

  test("has every one that the program knows the SSH server of, from the last on PostgreSQL 16 on", () => {
    const known = programs.gitlab.lines.filter(
      ({ line, newest }) => (compareVersions(line, lastOn16) ?? -1) >= 0 && shellVersion({ version: newest }),
    );
    expect(rows.map(({ line }) => line)).toEqual(known.map(({ line }) => line));
  });
});

test("the page's way, step by step, is refused nowhere", () => {
  const [first = "", later = ""] = /version: (19\.\S+) +# then (.*)$/m.exec(page)?.slice(1) ?? [];
  const [from] = /version: (18\.\S+)$/m.exec(page)?.slice(1) ?? [];
  expect(from).toBe(lastOn16);
  expect(later.split(", ").at(-1)).toBe(defaultVersion);
  const on = (version: string | undefined, databaseVersion: string) => ({ ...completeForge, version, databaseVersion });
  const way = [on(from, "16"), ...[from, first, ...later.split(", ")].map((version) => on(version, "17"))];
  expect(way.length).toBeGreaterThan(5);
  for (const [index, step] of way.slice(1).entries())
    expect(forgeChanges(way[index] ?? step, step), step.version).toEqual([]);
});

test("the page names every refusal by its code", () => {
  const codes = [
    "upgrade-unasked",
    "forge-database",
    "hub-database",
    "upgrade-database",
    "upgrade-path",
    "version-downgrade",
  ];
  for (const code of codes) expect(page).toContain(`\`${code}\``);
});
