import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { byTime, recordOf, writeRecord } from "./record.mjs";

/** Not in a bundle: what a process may hold once only, and what few commands load. */
const external = [
  "@aws-sdk/*",
  "@grpc/*",
  "@kubernetes/*",
  "@peculiar/*",
  "@pulumi/*",
  "@secretlint/*",
  "esbuild",
  "google-protobuf",
  "playwright-core",
  "undici",
];

const day = 24 * 3600_000;

/**
 * Bundles modules into a folder named after the state of their files, and records it beside them.
 * @param {{ project: string, modules: readonly string[], folder: string }} options paths of the modules start at the project
 * @throws where a module can't be built, the folder not be written, or a file was saved meanwhile
 */
export async function makeBundle({ project, modules, folder }) {
  const started = Date.now();
  const temporary = join(folder, `${process.pid}.new`);
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: modules.map((module, at) => ({ in: module, out: String(at) })),
    outdir: temporary,
    outExtension: { ".js": ".mjs" },
    metafile: true,
    bundle: true,
    keepNames: true,
    sourcemap: "linked",
    sourcesContent: false,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    external,
    // Packages written as CommonJS ask for Node's own modules that way.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    plugins: [ownPlaces],
    logLevel: "silent",
  });
  // The packages' files change with their versions alone, and have all the same time.
  const sources = Object.keys(metafile.inputs).filter((file) => !file.startsWith("node_modules/"));
  const files = ["package-lock.json", "bundle/make.mjs", ...sources].sort();
  const built = Date.now();
  const saved = files.map((file) => statSync(join(project, file)).mtimeMs);
  if (saved.some((at) => started <= at && at <= built)) throw new Error("a file was saved meanwhile");
  const record = recordOf(project, files, byTime);
  const made = join(folder, record.hash);
  // Another process may have made the same.
  if (existsSync(made)) rmSync(temporary, { recursive: true });
  else renameSync(temporary, made);
  writeRecord(join(folder, "record.json"), record);
  removeOld(folder);
  return record;
}

/** A module that asks for its own place is told that of its source, not of the bundle. */
const ownPlaces = {
  name: "own places",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: "ts" };
    });
  },
};

/**
 * Removes what is older than a day, but for the newest two: a process that started a while ago may still load parts of its bundle.
 * @param {string} folder
 */
function removeOld(folder) {
  const bundles = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { path, at } of bundles.slice(2))
    if (at < Date.now() - day) rmSync(path, { recursive: true, force: true });
}
