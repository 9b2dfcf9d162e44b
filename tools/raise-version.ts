import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { today } from "@hearth-platform/hearth/core/days";
import { compareVersions } from "@hearth-platform/hearth/core/versions";

/** Gives the whole project a new version, and what stands under *Unreleased* in the CHANGELOG its version and day. `node tools/raise-version.ts 0.3.0` */

const root = join(import.meta.dirname, "..");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

/** Every file of the checkout that has the project's version. */
export const versionedFiles: readonly string[] = [
  ...[
    "package.json",
    "package-lock.json",
    "CHANGELOG.md",
    "README.md",
    "SECURITY.md",
    "examples/README.md",
    "examples/packs-alone/README.md",
  ],
  ...globSync(["*/package.json", "{policy,examples}/*/package.json"], {
    cwd: root,
    exclude: ["node_modules", "policy/dist"],
  }).sort(),
];

/**
 * The text of one of these files, with the new version.
 * @throws Error where the new version is not after the old one, or there is nothing to release
 */
export function raised(file: string, text: string, from: string, to: string, day: string): string {
  if (!/^\d+\.\d+\.\d+$/.test(to) || compareVersions(to, from) !== 1)
    throw new Error(`Name a version X.Y.Z after ${from}: node tools/raise-version.ts X.Y.Z`);
  if (file === "package-lock.json") return raisedLock(text, from, to);
  if (file === "CHANGELOG.md") return raisedChangelog(text, to, day);
  const old = from.replaceAll(".", "\\.");
  const minor = (version: string) => version.split(".").slice(0, 2).join(".");
  return text
    .replaceAll(`this project, version ${minor(from)} `, `this project, version ${minor(to)} `)
    .replace(new RegExp(`("(?:version|@hearth-platform/[\\w-]+)": ")${old}"`, "g"), `$1${to}"`)
    .replace(new RegExp(`(hearth-platform-(?:hearth|policy)-)${old}\\.tgz`, "g"), `$1${to}.tgz`);
}

/** A package in the lock file. */
interface Locked {
  version?: string;
  dependencies?: Record<string, string>;
}

/** Packages of others may have the same version, so only those of the checkout change. */
function raisedLock(text: string, from: string, to: string): string {
  const lock = JSON.parse(text) as Locked & { packages: Record<string, Locked> };
  const own = Object.entries(lock.packages).filter(([place]) => !place.includes("node_modules/"));
  for (const entry of [lock, ...own.map(([, each]) => each)]) {
    if (entry.version === from) entry.version = to;
    for (const name of Object.keys(entry.dependencies ?? {}))
      if (name.startsWith("@hearth-platform/")) entry.dependencies = { ...entry.dependencies, [name]: to };
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

function raisedChangelog(text: string, to: string, day: string): string {
  const [, notes = ""] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(text) ?? [];
  if (notes.trim() === "")
    throw new Error('CHANGELOG.md has nothing under "## Unreleased": there is nothing to release.');
  return text.replace("## Unreleased\n", `## Unreleased\n\n## ${to} - ${day}\n`);
}

if (import.meta.main) {
  const to = process.argv[2] ?? "";
  const { version } = JSON.parse(textOf("package.json"));
  // All of them first: none is written where one is refused.
  const texts = versionedFiles.map((file) => [file, raised(file, textOf(file), version, to, today())] as const);
  for (const [file, text] of texts) writeFileSync(join(root, file), text);
  console.log(`${version} is ${to} now.`);
}
