import { build } from "esbuild";

/** @param {import("./policy-pack.d.mts").PackSources} sources */
export async function bundlePolicyPack({ project, module, external }) {
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: [module],
    write: false,
    bundle: true,
    keepNames: true,
    platform: "node",
    target: "node22",
    format: "esm",
    external: external.flatMap((name) => [name, `${name}/*`]),
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
