/** Kubernetes quantities in the form that the API server stores them in. */

const DECIMAL: readonly [string, bigint][] = [
  ["E", 10n ** 21n],
  ["P", 10n ** 18n],
  ["T", 10n ** 15n],
  ["G", 10n ** 12n],
  ["M", 10n ** 9n],
  ["k", 10n ** 6n],
  ["", 10n ** 3n],
  ["m", 1n],
];

const BINARY: readonly [string, bigint][] = [
  ["Ei", 1000n * 2n ** 60n],
  ["Pi", 1000n * 2n ** 50n],
  ["Ti", 1000n * 2n ** 40n],
  ["Gi", 1000n * 2n ** 30n],
  ["Mi", 1000n * 2n ** 20n],
  ["Ki", 1000n * 2n ** 10n],
  ["", 1000n],
];

/**
 * `1000m` is `1`, `2048Mi` is `2Gi`, `0.5` is `500m`: no fraction, the greatest suffix. What is no quantity, is finer
 * than a thousandth or has an exponent comes back as it is.
 */
export function canonicalQuantity(text: string): string {
  const [, whole, fraction = "", suffix = ""] = /^(\d+)(?:\.(\d*))?(m|[kMGTPE]|[KMGTPE]i)?$/.exec(text) ?? [];
  const factor = [...DECIMAL, ...BINARY].find(([name]) => name === suffix)?.[1];
  if (whole === undefined || factor === undefined) return text;
  const scaled = BigInt(whole + fraction) * factor;
  const divisor = 10n ** BigInt(fraction.length);
  if (scaled % divisor !== 0n) return text;
  const thousandths = scaled / divisor;
  if (thousandths === 0n) return "0";
  const isBinary = suffix.endsWith("i") && thousandths >= 1_024_000n && thousandths % 1000n === 0n;
  const [name, unit] = (isBinary ? BINARY : DECIMAL).find(([, size]) => thousandths % size === 0n) ?? ["m", 1n];
  return `${thousandths / unit}${name}`;
}
