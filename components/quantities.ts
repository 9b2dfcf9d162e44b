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

const quantity = /^([+-]?(?:\d+\.?\d*|\.\d+))(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;

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

/**
 * A CPU quantity in the form the API server stores it: whole cores without suffix, else millicores (`1000m` → `1`).
 * Emitting this form keeps a second `up` without changes.
 * @throws Error where `text` is not a quantity
 */
export function canonicalCpu(text: string): string {
  const millicores = Math.ceil(Math.round(must(text) * 1e6) / 1e3);
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`;
}

/**
 * A memory or storage quantity with the largest binary suffix that divides it (`2048Mi` → `2Gi`), as the API server stores it.
 * @throws Error where `text` is not a quantity
 */
export function canonicalBytes(text: string): string {
  const bytes = Math.ceil(must(text));
  for (const suffix of ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"]) {
    const factor = factors[suffix] as number;
    if (bytes >= factor && bytes % factor === 0) return `${bytes / factor}${suffix}`;
  }
  return String(bytes);
}

function must(text: string): number {
  const value = parseQuantity(text);
  if (value === undefined) throw new Error(`"${text}" is not a Kubernetes quantity such as 200m, 512Mi or 10Gi.`);
  return value;
}
