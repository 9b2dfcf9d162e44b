import { rowChanges, type SettingRow, type SettingTable } from "./setting-table.ts";
import type { Changes } from "./stack-files.ts";

const start = `# What a change of a setting does

Each row is a change that \`npm test\` makes: in process, and where the end-to-end tests' platform has the setting, in previews of the real engine.
The platform of the tests is stack \`dev\` with a forge and a hub; another stack has other objects, and the same happens to them.

| Word | Meaning |
|---|---|
| update | changed in place; nothing restarts |
| **roll** | its pods are made anew, as the workload's strategy says |
| rerun | the Job runs again; each of them may |
| replace | deleted and made anew |
| create, delete | it joins or leaves the platform |
| **refused** | the preview ends with this, and nothing is changed |

A cluster of the database (\`Cluster\`) that is updated restarts its instances one by one where PostgreSQL needs it: for another image, other resources or another number of connections.
What is refused because it is protected holds data that would be left behind or lost: see [data.md](../explanation/data.md).
This page is written by \`npx vitest run --project unit test/components/setting-tables.test.ts -u\`.
`;

/** docs/reference/changes.md: the tables for people. */
export function settingPage(tables: readonly SettingTable[]): string {
  return [start, ...tables.map(section)].join("\n");
}

function section(table: SettingTable): string {
  const rows = table.rows.map((row) => `| ${cell(table, row.set)}${before(table, row)} | ${effect(row)} |`);
  return [
    `## ${table.title}`,
    "",
    `Objects without a namespace are in \`${table.namespace}\`, or in none.`,
    "",
    "| Change | What comes of it |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const before = (table: SettingTable, { from }: SettingRow) => (from ? `<br>before: ${cell(table, from)}` : "");

function cell(table: SettingTable, changes: Changes): string {
  return rowChanges(table, changes)
    .map((change) => `\`${escaped(change)}\``)
    .join("<br>");
}

function effect({ shows, refused }: SettingRow): string {
  if (refused !== undefined) return `**refused**: ${escaped(refused)}`;
  if (shows.length === 0) return "nothing";
  const operations = ["roll", "rerun", "update", "create", "replace", "delete"];
  return operations
    .flatMap((operation) => {
      const objects = shows
        .filter((words) => words.startsWith(`${operation} `))
        .map((words) => words.slice(operation.length + 1));
      const word = operation === "roll" ? "**roll**" : operation;
      return objects.length > 0 ? [`${word} ${objects.map((object) => `\`${object}\``).join(", ")}`] : [];
    })
    .join("<br>");
}

const escaped = (text: string) => text.replaceAll("|", "\\|");
