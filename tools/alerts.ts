import { globSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Alert, AlertSeverity, RunbookStep } from "@hearth-platform/hearth/core/alert";
import { alertsPage } from "@hearth-platform/hearth/kubernetes/monitoring";
import { belowMark, rewrite } from "./marks.ts";

/** Writes the list of each component's alerts beside their folder, and the page with their runbooks. */

const root = join(import.meta.dirname, "..", "components");

/** Files with alerts by the file that lists them, both relative to `components/`. */
function alertFiles(): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const file of globSync("**/alerts/*.ts", { cwd: root, exclude: ["**/node_modules", "dist"] }).sort()) {
    const list = `${dirname(file)}.ts`;
    lists.set(list, [...(lists.get(list) ?? []), file]);
  }
  return lists;
}

/** What a file with an alert exports: its own name in camel case. */
function exported(file: string): string {
  return basename(file, ".ts").replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The lists of alerts by file, relative to `components/`. */
export function alertLists(): Map<string, string> {
  return new Map([...alertFiles()].map(([list, files]) => [list, listOf(files)]));
}

function listOf(files: readonly string[]): string {
  const imports = files.map((file) => `import { ${exported(file)} } from "./alerts/${basename(file)}";`);
  return `// Written by \`npm run generate\` from the files in alerts/: add one there.\n${imports.join("\n")}\n\n/** What users of the component are told. */\nexport const alerts = [\n${files.map((file) => `  ${exported(file)},\n`).join("")}];\n`;
}

/** Every alert, by the folder of its component below `components/`. */
export async function allAlerts(): Promise<Map<string, Alert<never>[]>> {
  const found = [...alertFiles()].map(async ([list, files]) => {
    const modules = await Promise.all(files.map((file) => import(join(root, file))));
    return [dirname(list), modules.map((module, index) => module[exported(files[index] ?? "")])] as const;
  });
  return new Map(await Promise.all(found));
}

const told: Readonly<Record<AlertSeverity, string>> = { page: "at once", ticket: "on the next working day" };

/** The page with its generated part as it is to be. */
export async function currentPage(text: string): Promise<string> {
  const all = [...(await allAlerts()).values()].flat().sort((a, b) => a.name.localeCompare(b.name));
  const rows = all.map(
    ({ name, severity, runbook }) => `| [${name}](#${name.toLowerCase()}) | ${severity} | ${runbook.symptom} |`,
  );
  const overview = ["| Alert | Severity | Symptom |", "|---|---|---|", ...rows].join("\n");
  return belowMark(alertsPage, text, [overview, ...all.map(section)].join("\n\n"));
}

function section(alert: Alert<never>): string {
  const { name, severity, runbook } = alert;
  const source = Object.entries(alert.metrics).map(([metric, where]) => `\`${metric}\` (\`${where}\`)`);
  return [
    `## ${name}`,
    `${runbook.symptom} Somebody is told ${told[severity]}, after ${alert.for}.`,
    `**For users.** ${runbook.users}`,
    step("Look", runbook.look),
    step("Mend", runbook.mend),
    step("Verify", runbook.verify),
    `**Leave it alone.** ${runbook.leave}`,
    `**Read from** ${source.join(", ")}.`,
  ].join("\n\n");
}

function step(title: string, { text, commands = [] }: RunbookStep): string {
  const block =
    commands.length > 0 ? `\n\n\`\`\`console\n${commands.map((each) => `$ ${each}`).join("\n")}\n\`\`\`` : "";
  return `**${title}.** ${text}${block}`;
}

if (import.meta.main) {
  for (const [file, text] of alertLists()) writeFileSync(join(root, file), text);
  await rewrite(alertsPage, currentPage);
}
