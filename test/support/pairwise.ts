/** Values of each option. */
export type Options = Readonly<Record<string, readonly unknown[]>>;

/** A value's place in its option's list, by option. */
type Choice = Map<string, number>;

/**
 * Few combinations in which any two values of two options stand together at least once. Each takes the value that stands
 * with the most still missing partners, option by option; the same options give the same combinations.
 */
export function pairwise(options: Options): Record<string, unknown>[] {
  const names = Object.keys(options);
  const missing = new Set(allPairs(options, names));
  const combinations: Choice[] = [];
  while (missing.size > 0) {
    const [first = ""] = missing;
    const choice: Choice = new Map(JSON.parse(first) as [string, number][]);
    for (const name of names) if (!choice.has(name)) choice.set(name, best(options, name, choice, missing));
    for (const pair of pairsOf(choice)) missing.delete(pair);
    combinations.push(choice);
  }
  return combinations.map((choice) =>
    Object.fromEntries(names.map((name) => [name, options[name]?.[choice.get(name) ?? 0]])),
  );
}

function best(options: Options, name: string, choice: Choice, missing: ReadonlySet<string>): number {
  const gain = (index: number) =>
    [...choice].filter(([other, value]) => missing.has(pair([name, index], [other, value]))).length;
  const indexes = Object.keys(options[name] ?? []).map(Number);
  return indexes.reduce((most, index) => (gain(index) > gain(most) ? index : most), 0);
}

function* allPairs(options: Options, names: readonly string[]): Generator<string> {
  for (const [place, one] of names.entries())
    for (const other of names.slice(place + 1))
      for (const index of Object.keys(options[one] ?? []))
        for (const otherIndex of Object.keys(options[other] ?? []))
          yield pair([one, Number(index)], [other, Number(otherIndex)]);
}

function pairsOf(choice: Choice): string[] {
  const entries = [...choice];
  return entries.flatMap((one, place) => entries.slice(place + 1).map((other) => pair(one, other)));
}

/** The same whichever comes first. */
function pair(one: [string, number], other: [string, number]): string {
  return JSON.stringify(one[0] < other[0] ? [one, other] : [other, one]);
}
