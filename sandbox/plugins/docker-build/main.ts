/**
 * Stands in for `pulumi-resource-docker-build`, for its Image: builds with docker or buildah and pushes to the sandbox's
 * registry (HEARTH_SANDBOX_REGISTRY) instead of the tags' own. That mapping is nowhere in the state: tags and `ref` keep the
 * names of the program. Base images are looked for in the sandbox's registry first.
 *
 * Not simulated: BuildKit and its caches, exports, secrets and several platforms (it builds for this machine's),
 * credentials of registries, and the digest a build elsewhere would have.
 */
import sdk from "@pulumi/docker-build/package.json" with { type: "json" };
import type { ProviderImplementation } from "../grpc.ts";
import { serveProvider } from "../serve.ts";
import { buildImage, checkImage, diffImage, imageExists, removeImage } from "./image.ts";

const image = "docker-build:index:Image";

function onlyImages(type: string): void {
  if (type !== image)
    throw new Error(`The sandbox's stand-in for the docker-build provider has no ${type}; it has ${image}.`);
}

/** The provider, for {@link serveProvider}. */
export const dockerBuildProvider = (): ProviderImplementation => ({
  name: "docker-build",
  version: sdk.version,
  async check(request) {
    onlyImages(request.type);
    return checkImage(request);
  },
  diff: diffImage,
  create: ({ name, inputs, preview }) => buildImage(name, inputs, preview),
  update: async ({ id, news, preview }) => (await buildImage(id, news, preview)).state,
  async read({ type, id, inputs, state }) {
    onlyImages(type);
    if (Object.keys(state).length === 0) throw new Error("An image can't be imported: its context is not in it.");
    return (await imageExists(state)) ? { id, inputs, state } : undefined;
  },
  delete: ({ state }) => removeImage(state),
});

if (import.meta.main) await serveProvider(dockerBuildProvider);
