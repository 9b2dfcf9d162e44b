const factors: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/**
 * Bytes of a Kubernetes quantity such as `10Gi`.
 * @throws when it is none of a size
 */
export function bytes(quantity: string): number {
  const [, value, suffix = ""] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(quantity) ?? [];
  const factor = factors[suffix];
  if (value === undefined || factor === undefined) throw new Error(`"${quantity}" is not a size, such as 10Gi.`);
  return Number(value) * factor;
}
