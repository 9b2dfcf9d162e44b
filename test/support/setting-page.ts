import { rowChanges, type SettingRow, type SettingTable } from "./setting-table.ts";
import type { Changes } from "./stack-files.ts";

const start = `# What a change of a setting does

Each row is a change that \`npm test\` makes, in process and, if the end-to-end tests' platform has the setting, in previews of the real engine.
The tests use stack \`dev\` with a forge and a hub. Another stack has other objects, with the same effects.

| Word | Meaning |
|---|---|
| update | the object changes in place; nothing restarts |
| **roll** | the pods are replaced, by the workload's strategy |
| rerun | the Job runs again; every Job here may run repeatedly |
| replace | the object is deleted and created again |
| create, delete | the object is added or removed |
| **refused** | the preview ends with this message, and nothing changes |

An update of a database's \`Cluster\` restarts its instances one by one if PostgreSQL needs that: for another image, other resources or another number of connections.
A refusal with "because it is protected" names an object whose data would be left behind or lost: see [data.md](../explanation/data.md).
\`npx vitest run --project unit test/components/setting-tables.test.ts -u\` writes this page.
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
    `Objects shown without a namespace are in \`${table.namespace}\`, or are cluster-wide.`,
    "",
    "| Change | Effect |",
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
