import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { buildahStorage } from "@hearth-platform/sandbox/container-builder";
import { buildBundle } from "@hearth-platform/site-webhook/build";
import { execa } from "execa";

/** What the Dockerfile adds to its base. */
export interface BuiltImage {
  /** `sha256:…` of its manifest. */
  readonly digest: string;
  /** Bytes of each layer as a registry holds it. */
  readonly layers: readonly number[];
}

const dockerfile = join(import.meta.dirname, "..", "..", "webhook", "Dockerfile");

/**
 * Builds the image in `folder` with nothing below it, so that no base has to be downloaded, from a bundle made for it alone.
 * @returns undefined where there is no buildah
 */
export async function buildImage(folder: string): Promise<BuiltImage | undefined> {
  const context = join(folder, "context");
  await mkdir(context, { recursive: true });
  await copyFile(dockerfile, join(context, "Dockerfile"));
  buildBundle(join(context, "dist", "site-webhook.mjs"));
  const { options, env } = buildahStorage(folder);
  const buildah = (...args: string[]) => execa("buildah", [...options, ...args], { env, reject: false });
  const image = "localhost/site-webhook:bench";
  const layout = join(folder, "layout");
  const built = await buildah("build", "--timestamp", "0", "--build-arg", "BASE=scratch", "--tag", image, context);
  if (built.code === "ENOENT") return undefined;
  const pushed = built.failed ? built : await buildah("push", image, `oci:${layout}`);
  if (pushed.failed) throw new Error(`buildah could not build the image:\n${pushed.stderr}`);
  const [manifest] = (await json<{ manifests: { digest: string }[] }>(join(layout, "index.json"))).manifests;
  const { digest = "" } = manifest ?? {};
  const { layers } = await json<{ layers: { size: number }[] }>(join(layout, "blobs", ...digest.split(":")));
  return { digest, layers: layers.map(({ size }) => size) };
}

async function json<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, "utf8"));
}
