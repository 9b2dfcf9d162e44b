import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serviceBundlePath, updateBundle } from "./build.ts";

/** What else than files decides on the image. */
export interface ImageOptions {
  /** What it starts from, with the digest where that is locked. @default the Dockerfile's */
  readonly baseImage?: string;
  readonly platforms?: readonly string[];
}

/** Tag of the image: a hash of all that its build sees. Brings the bundle up to date, so that what is deployed is what the sources say. */
export function contentTag({ baseImage, platforms }: ImageOptions): string {
  updateBundle();
  const hash = createHash("sha256").update(JSON.stringify([baseImage, platforms]));
  for (const file of [join(import.meta.dirname, "Dockerfile"), serviceBundlePath])
    hash.update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}
