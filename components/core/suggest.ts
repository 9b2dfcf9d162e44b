/** The candidate that `word` was most likely meant to be; undefined where none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const plain = normal(word);
  const most = Math.max(1, Math.floor(plain.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, text: normal(candidate) }))
    // Each letter more or less is a step: most words need not be compared.
    .filter(({ text }) => Math.abs(text.length - plain.length) <= most)
    .map(({ candidate, text }) => ({ candidate, steps: distance(plain, text) }))
    .sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  return best && best.steps <= most ? best.candidate : undefined;
}

/** Case, dashes and look-alike forms don't make another word; what is longer than any key is cut. */
function normal(word: string): string {
  return word
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]/g, "")
    .slice(0, 64);
}

/** Levenshtein distance: insertions, deletions and substitutions from `a` to `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (left === right ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
