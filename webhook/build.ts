import { join } from "node:path";
import { build } from "esbuild";

/** Where `npm run build` puts the bundle. */
export const bundlePath = join(import.meta.dirname, "dist", "site-webhook.mjs");

/** Bundles the service and its dependencies into one file at `outfile`. The same sources give the same bytes. */
export async function buildBundle(outfile: string = bundlePath): Promise<void> {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ["main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "inline",
    logLevel: "warning",
  });
}

if (import.meta.main) {
  await buildBundle();
}
