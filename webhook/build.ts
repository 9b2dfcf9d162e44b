import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { byContent, currentRecord, readIfThere, recordOf, replace, writeRecord } from "@hearth-platform/bundle/record";

/** Where `npm run build` puts the bundle. */
export const serviceBundlePath = join(import.meta.dirname, "dist", "site-webhook.mjs");

/** Which files the bundle was made of; beside the packages, since whatever lies in this folder is seen by the image's build. */
const recordPath = join(import.meta.dirname, "..", "node_modules", ".cache", "site-webhook.json");

/** Makes the bundle where a file that it was made of has changed. To look takes 2 ms; to build 100, and 300 the first time. */
export function updateBundle(): void {
  if (currentRecord(recordPath, import.meta.dirname, byContent)) return;
  // Paths from this folder: a copied checkout brings its record along, and is not the one that was built.
  const esbuild = createRequire(import.meta.url).resolve("esbuild/package.json");
  const files = [
    "build.ts",
    ...[serviceBundlePath, esbuild].map((file) => relative(import.meta.dirname, file)),
    ...buildBundle(),
  ];
  writeRecord(recordPath, recordOf(import.meta.dirname, files, byContent));
}

/**
 * Bundles the service and its dependencies into one file at `outfile`. The same sources give the same bytes; an equal file is left alone.
 * @returns the files it is made of
 */
export function buildBundle(outfile: string = serviceBundlePath): string[] {
  // Loaded when there is something to build: a stack's settings alone need none of it.
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: import.meta.dirname,
    entryPoints: ["main.ts"],
    outfile,
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "inline",
    logLevel: "warning",
  });
  const text = outputFiles[0]?.text ?? "";
  if (text !== readIfThere(outfile)) replace(outfile, text);
  return Object.keys(metafile.inputs);
}

if (import.meta.main) buildBundle();
