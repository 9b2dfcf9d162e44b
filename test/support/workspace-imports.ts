import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Folder of each workspace by its package's name. */
export const workspaces: Readonly<Record<string, string>> = {
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
  const [scope = "", name = "", ...inner] = specifier.split("/");
  const folder = workspaces[`${scope}/${name}`];
  if (folder === undefined) return undefined;
  return join(root, folder, inner.length === 0 ? "index.ts" : `${inner.join("/")}.ts`);
}
