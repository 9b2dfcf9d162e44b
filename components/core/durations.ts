/** Seconds of each unit of a Go duration that people write. */
const units: Readonly<Record<string, number>> = { ms: 1e-3, s: 1, m: 60, h: 3600 };

/**
 * Seconds of a Go duration: `5m` → 300, `1h30m` → 5400. Without a sign, and not shorter than milliseconds.
 * @returns undefined where `text` is none
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 0), 0);
}
