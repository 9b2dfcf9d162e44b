/**
 * The numbers an image tag starts with: `31.0.8-apache` → [31, 0, 8], `8-alpine` → [8]; a leading `v` is left out.
 * @returns undefined where the tag starts with no number, such as `latest`
 */
export function parseVersion(tag: string): number[] | undefined {
  const match = /^v?(\d+(?:\.\d+)*)(?![\d.])/.exec(tag);
  return match?.[1]?.split(".").map(Number);
}

/** Whether a tag starts with a plain version number, so that a downgrade from or to it can be told. */
export function isComparable(tag: string): boolean {
  return /^(0|[1-9]\d*)(\.(0|[1-9]\d*))*(-.*)?$/.test(tag);
}

/**
 * Order of two tags by the numbers both have, so that `8` equals every `8.x`, of which it may be any.
 * @returns below, above or equal to 0; undefined where a tag has no number
 */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) return undefined;
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

/** Whether going from one tag to the other is, or may be, a downgrade: a tag whose version can't be read could be any. */
export function mayDowngrade(from: string, to: string): boolean {
  if (from === to) return false;
  const order = compareVersions(from, to);
  return order === undefined || order > 0;
}
