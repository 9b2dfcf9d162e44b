import { parseQuantity } from "../core/quantities.ts";

const mebibyte = 2 ** 20;

/** What Apache's first process and the code that all share (OPcache, APCu) take. */
const shared = 256 * mebibyte;

/** What one request takes at most: measured with 20 at once, each with a sign-in, whose hash takes the most. */
const eachRequest = 72 * mebibyte;

/** Fewer make a page wait for its own parts; more the image's Apache does not run. */
const [fewest, most] = [5, 150];

/**
 * How many requests a web pod serves at once, the others waiting: as many as its memory holds.
 * @param memory the pod's limit, a quantity
 */
export function requestWorkers(memory: string): number {
  const fitting = Math.floor(((parseQuantity(memory) ?? 0) - shared) / eachRequest);
  return Math.min(most, Math.max(fewest, fitting));
}
