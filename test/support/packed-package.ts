import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";

const root = join(import.meta.dirname, "..", "..");

/** Packs a built package as `npm publish` does, and asks no registry. @returns the archive, which is in `folder` */
export async function packedPackage(built: string, folder: string): Promise<string> {
  const pack = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder];
  const { stdout } = await execa("npm", pack, { cwd: built, preferLocal: true, localDir: root });
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** Unpacks an archive into a folder, which is made. */
export async function unpackPackage(archive: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await execa("tar", ["-xzf", archive, "-C", folder, "--strip-components=1"]);
}

/** Links packages of the checkout into `modules`. */
export function linkPackages(modules: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(modules, name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
}
