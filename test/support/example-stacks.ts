import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder of the stacks to start from. */
export const examples = join(import.meta.dirname, "../../examples/stacks");

/** Their names, which their folders have too. */
export const exampleStacks: readonly string[] = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The repository with stacks outside of hearth's folder. */
export const ownRepository = join(import.meta.dirname, "../../examples/own-repository");

/**
 * A copy of the example repository, with the files of a folder beside its own; its pinned hearth is this checkout.
 * @param context of the cluster that its stacks name
 * @returns its folder
 */
export function repositoryWith(folder: string, context: string): string {
  const repository = mkdtempSync(join(tmpdir(), "hearth-own-"));
  for (const each of [ownRepository, folder]) cpSync(each, repository, { recursive: true });
  mkdirSync(join(repository, "vendor"));
  symlinkSync(join(import.meta.dirname, "../.."), join(repository, "vendor", "hearth"));
  for (const file of readdirSync(repository).filter((name) => /^Pulumi\..+\.yaml$/.test(name))) {
    const text = readFileSync(join(repository, file), "utf8");
    writeFileSync(join(repository, file), text.replace(/^( +context:) .+$/m, `$1 ${context}`));
  }
  return repository;
}
