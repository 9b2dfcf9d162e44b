import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Folder of each workspace by its package's name. */
export const workspaces: Readonly<Record<string, string>> = {
  "@hearth-platform/bundle": "bundle",
  "@hearth-platform/cli": "cli",
  "@hearth-platform/hearth": "components",
  "@hearth-platform/policy": "policy",
  "@hearth-platform/sandbox": "sandbox",
  "@hearth-platform/site-webhook": "webhook",
  "@hearth-platform/stack": "stack",
};

/** The project's file that an import of `file` means; undefined where it is a package of others. */
export function importedFile(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return join(dirname(file), specifier);
  const { name, path } = packageOf(specifier);
  const folder = workspaces[name];
  if (folder === undefined) return undefined;
  const target = join(root, folder, path || "index");
  return existsSync(`${target}.mjs`) ? `${target}.mjs` : `${target}.ts`;
}

/** The package that a specifier names, and the path in it. */
export function packageOf(specifier: string): { name: string; path: string } {
  const words = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  return { name: words.slice(0, length).join("/"), path: words.slice(length).join("/") };
}

/** Files of code below a folder of the project, by their paths from the project's own. */
export function codeFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
    .sort();
}

/** What a file of the project imports, types included. */
export function importsOf(file: string): { specifier: string; dynamic: boolean }[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = (pattern: RegExp, dynamic: boolean) =>
    [...text.matchAll(pattern)].map(([, specifier = ""]) => ({ specifier, dynamic }));
  return [
    ...found(/^(?:import|export|\})(?:[^"';]*?\sfrom)?\s*"([^"]+)"/gm, false),
    ...found(/\bimport(?:\.meta\.resolve)?\(\s*"([^"]+)"/g, true),
  ];
}
