import { existsSync, mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { byTime, currentRecord } from "./record.mjs";

const project = join(import.meta.dirname, "..");

/**
 * Loads modules one after another, and gives the last one. Modules of this project come from a bundle of them and of all
 * they import: Node resolves, reads and links some 400 files otherwise, a third of the time of `hearth validate`
 * (`npm run bench -- commands`). The bundle is made anew where a file of it has changed. Where none can be made, in a
 * folder that is read-only or of sources with an error in them, the modules are loaded as they are written.
 * @param {...string} modules their URLs, of `import.meta.resolve`
 */
export async function load(...modules) {
  let last;
  for (const module of (await bundled(modules.map((url) => fileURLToPath(url)))) ?? modules)
    last = await import(module);
  return last;
}

/**
 * @param {readonly string[]} modules
 * @returns {Promise<string[] | undefined>} URLs of what to load in place of each module; undefined where there is no bundle
 */
async function bundled(modules) {
  const paths = modules.map((file) => relative(project, file));
  if (paths.some((path) => path.startsWith(".."))) return undefined;
  const folder = join(project, "node_modules", ".cache", "hearth", paths.at(-1)?.replaceAll(sep, "-") ?? "");
  const recorded = currentRecord(join(folder, "record.json"), project, byTime);
  // A folder may have been removed from the cache, and its record left.
  const current = recorded && existsSync(join(folder, recorded.hash)) ? recorded : await made(paths, folder);
  // The stack of an error names the sources.
  process.setSourceMapsEnabled(true);
  // What Node compiles is kept: another half of a start.
  enableCompileCache(current && join(folder, current.hash));
  return current && paths.map((_, at) => pathToFileURL(join(folder, current.hash, `${at}.mjs`)).href);
}

/**
 * @param {readonly string[]} paths
 * @param {string} folder
 */
async function made(paths, folder) {
  try {
    // Told at once where nothing can be written.
    mkdirSync(folder, { recursive: true });
    const { makeBundle } = await import("./make.mjs");
    return await makeBundle({ project, modules: paths, folder });
  } catch {
    return undefined;
  }
}
