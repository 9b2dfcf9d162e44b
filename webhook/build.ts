import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where `npm run build` puts the bundle. */
export const bundlePath = join(import.meta.dirname, "dist", "site-webhook.mjs");

/** Bundles the service and its dependencies into one file at `outfile`. The same sources give the same bytes; an equal file is left alone. */
export function buildBundle(outfile: string = bundlePath): void {
  // Loaded when there is something to build: a stack's settings alone need none of it.
  const { buildSync } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles } = buildSync({
    absWorkingDir: import.meta.dirname,
    entryPoints: ["main.ts"],
    outfile,
    write: false,
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
  if (text === written(outfile)) return;
  mkdirSync(dirname(outfile), { recursive: true });
  // In one step: another process may be reading it.
  const temporary = `${outfile}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, outfile);
}

function written(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

if (import.meta.main) buildBundle();
