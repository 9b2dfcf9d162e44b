import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { alertLists, alertSections } from "./alerts.ts";
import { packagesDrawing, partsDrawing } from "./architecture-page.ts";
import { argumentTypes } from "./argument-types.ts";
import { commandSections } from "./cli-page.ts";
import { dashboardsTable } from "./dashboards-page.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { reachTables } from "./network-page.ts";
import { pictures } from "./pictures.ts";
import { policySections } from "./policies-page.ts";
import { outwardCallsTable, remainingCallsTable } from "./privacy-page.ts";
import { partsTable } from "./scale-page.ts";
import { configTable, settingsTables } from "./settings-table.ts";
import { upstreamTotals } from "./upstream-page.ts";
import { versionTables } from "./versions-page.ts";

/**
 * `npm run generate` writes every file that follows from others of the checkout, in seconds. `npm run generate:upstream` writes those that follow
 * from what others publish: it downloads their Go modules, and takes the CRDs that the sandbox has. With `--check` both write nothing, name the
 * files that are not as they are to be, and exit 1 where there is one.
 */

const root = join(import.meta.dirname, "..");

/** Files by their path in the checkout. */
type Files = ReadonlyMap<string, string>;

/** Parts of pages, each between marks with its name. */
const pageParts: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  "docs/explanation/architecture.md": { packages: packagesDrawing, parts: partsDrawing },
  "docs/explanation/fidelity.md": { totals: upstreamTotals },
  "docs/explanation/scale.md": { parts: partsTable },
  "docs/how-to/monitoring.md": { dashboards: dashboardsTable },
  "docs/reference/alerts.md": { alerts: alertSections },
  "docs/reference/cli.md": { commands: commandSections },
  "docs/reference/config-file.md": { fields: configTable },
  "docs/reference/networks.md": { reach: reachTables },
  "docs/reference/policies.md": { policies: policySections },
  "docs/reference/privacy.md": { calls: outwardCallsTable, remaining: remainingCallsTable },
  "docs/reference/settings.md": { settings: settingsTables },
  "docs/reference/versions.md": { versions: versionTables },
};

/** Folders where nothing else stands. */
const ownFolders = ["schemas", "components/kubernetes/custom-resources"];

/** What follows from others of the checkout. */
async function ownFiles(): Promise<Files> {
  const pages = Object.entries(pageParts).map(async ([page, parts]) => {
    const texts = Object.entries(parts).map(async ([name, text]) => [name, await text()] as const);
    return [page, withParts(page, readFileSync(join(root, page), "utf8"), new Map(await Promise.all(texts)))] as const;
  });
  return new Map([
    ...(await argumentTypes()),
    ...alertLists(),
    ...jsonSchemas(),
    ...pictures(),
    ...(await Promise.all(pages)),
  ]);
}

/** What follows from what others publish. Loaded on demand: the rest needs neither Go nor the sandbox. */
async function upstreamFiles(): Promise<Files> {
  const { crdTypes } = await import("./crd-types.ts");
  const { forgeApi } = await import("./forge-api.ts");
  const { hubApi } = await import("./hub-api.ts");
  const { ensurePrograms } = await import("@hearth-platform/sandbox/programs/programs");
  const { createProgress } = await import("@hearth-platform/sandbox/progress");
  const { crds } = await ensurePrograms(createProgress());
  return new Map([...(await crdTypes(crds)), ...(await forgeApi()), ...(await hubApi())]);
}

const sources = { own: ownFiles, upstream: upstreamFiles };

/** Files that are not as they are to be, by path: with their text, or with none where nothing generates them. */
export async function staleFiles(from: keyof typeof sources): Promise<Map<string, string | undefined>> {
  const files = await sources[from]();
  const isStale = ([file, text]: readonly [string, string]) => textOf(file) !== text;
  const generates = (folder: string) => [...files.keys()].some((file) => dirname(file) === folder);
  const left = ownFolders
    .filter(generates)
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => !files.has(file));
  return new Map([...[...files].filter(isStale), ...left.map((file) => [file, undefined] as const)]);
}

function textOf(file: string): string | undefined {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined;
}

/**
 * A page with what stands between its marks as it is to be.
 * @param page its path, for the message
 * @param parts text by the name in its marks
 * @throws Error if the page lost a mark
 */
export function withParts(page: string, text: string, parts: ReadonlyMap<string, string>): string {
  return [...parts].reduce((done, [name, part]) => {
    const [start, end] = [`<!-- ${name}: npm run generate -->`, `<!-- end of ${name} -->`];
    const [before, rest] = [done.indexOf(start), done.indexOf(end)];
    if (before < 0 || rest < before) throw new Error(`${page} has no marks of "${name}".`);
    return `${done.slice(0, before)}${start}\n\n${part}\n\n${done.slice(rest)}`;
  }, text);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { upstream: { type: "boolean" }, check: { type: "boolean" } } });
  const stale = await staleFiles(values.upstream ? "upstream" : "own");
  const command = values.upstream ? "npm run generate:upstream" : "npm run generate";
  for (const [file, text] of stale) {
    console.log(values.check ? `${file} is stale: ${command}` : file);
    if (values.check) process.exitCode = 1;
    else if (text === undefined) rmSync(join(root, file));
    else {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
  }
}
