import { mirrored } from "@hearth-platform/hearth/core/platform";
import { imagesToLock } from "@hearth-platform/stack/locked-stack";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { NoDigest, type RegistryCredentials, registryDigest } from "./registry.ts";

/** Registries are asked for so many images at once. */
const atOnce = 4;

/** Time for all of one image: a registry may ask for a token first. */
const imageMilliseconds = 20_000;

/** Answers of a stack's registries. */
export interface ImageDigests {
  /** Image as the components name it to its digest, in the order of the images' names. */
  readonly digests: Readonly<Record<string, string>>;
  /** A sentence for each image without digest. */
  readonly problems: readonly string[];
}

/** Asks the registry of each image that the stack pulls, through the stack's mirrors, for the digest of its tag. */
export async function lockOf(stack: Stack, credentials: RegistryCredentials): Promise<ImageDigests> {
  const images = imagesToLock(stack);
  const digests: Record<string, string> = {};
  const problems: string[] = [];
  const queue = images.values();
  const worker = async () => {
    for (const image of queue) {
      const pulled = mirrored(image, { mirrors: stack.settings.images?.mirrors });
      try {
        digests[image] = await registryDigest(pulled, credentials, AbortSignal.timeout(imageMilliseconds));
      } catch (error) {
        if (!(error instanceof NoDigest)) throw error;
        problems.push(`${pulled} ${error.message}.`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return {
    digests: Object.fromEntries(Object.entries(digests).sort(([a], [b]) => (a < b ? -1 : 1))),
    problems: problems.sort(),
  };
}
