/** Powers of the suffixes Kubernetes knows (resource.Quantity). */
const factors: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

// Each digit can be matched in one way only: a long row of them takes no longer than reading it.
const quantity = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;

/**
 * The number a Kubernetes quantity stands for: cores for CPU, bytes for memory and storage.
 * @returns undefined where `text` is not a quantity
 */
export function parseQuantity(text: string | number): number | undefined {
  const match = quantity.exec(String(text));
  if (!match) return undefined;
  const suffix = match[2] ?? "";
  const factor = factors[suffix] ?? 10 ** Number(suffix.slice(1));
  const value = Number(match[1]) * factor;
  return Number.isFinite(value) ? value : undefined;
}

/** Whether a quantity is more than another; false where one of them is none. */
export function exceeds(quantity: string, other: string): boolean {
  return (parseQuantity(quantity) ?? Number.NaN) > (parseQuantity(other) ?? Number.NaN);
}

/** Suffixes and their sizes in thousandths, the greatest first. */
const decimalSizes: readonly [string, bigint][] = [
  ["E", 10n ** 21n],
  ["P", 10n ** 18n],
  ["T", 10n ** 15n],
  ["G", 10n ** 12n],
  ["M", 10n ** 9n],
  ["k", 10n ** 6n],
  ["", 10n ** 3n],
  ["m", 1n],
];

const binarySizes: readonly [string, bigint][] = [
  ["Ei", 1000n * 2n ** 60n],
  ["Pi", 1000n * 2n ** 50n],
  ["Ti", 1000n * 2n ** 40n],
  ["Gi", 1000n * 2n ** 30n],
  ["Mi", 1000n * 2n ** 20n],
  ["Ki", 1000n * 2n ** 10n],
  ["", 1000n],
];

/**
 * A quantity in the form the API server stores it: no fraction, the greatest suffix (`1000m` is `1`, `2048Mi` is `2Gi`, `0.5`
 * is `500m`). Emitting this form keeps a second `up` without changes. What is no quantity, is finer than a thousandth or has an
 * exponent comes back as it is. (k8s.io/apimachinery, Quantity.CanonicalizeBytes)
 */
export function canonicalQuantity(text: string): string {
  const [, whole, fraction = "", suffix = ""] = /^(\d+)(?:\.(\d*))?(m|[kMGTPE]|[KMGTPE]i)?$/.exec(text) ?? [];
  const factor = [...decimalSizes, ...binarySizes].find(([name]) => name === suffix)?.[1];
  if (whole === undefined || factor === undefined) return text;
  const scaled = BigInt(whole + fraction) * factor;
  const divisor = 10n ** BigInt(fraction.length);
  if (scaled % divisor !== 0n) return text;
  const thousandths = scaled / divisor;
  if (thousandths === 0n) return "0";
  const isBinary = suffix.endsWith("i") && thousandths >= 1_024_000n && thousandths % 1000n === 0n;
  const sizes = isBinary ? binarySizes : decimalSizes;
  const [name = "m", unit = 1n] = sizes.find(([, size]) => thousandths % size === 0n) ?? [];
  return `${thousandths / unit}${name}`;
}
