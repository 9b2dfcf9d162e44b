/** A secret value, and what it is for people: `Secret team/cloudsuite-admin password`. */
export interface Canary {
  readonly name: string;
  readonly value: string;
}

/** Where something may have got to: `state`, `ConfigMap team/x`. */
export interface Place {
  readonly name: string;
  readonly text: string;
}

/** Which canaries stand in which places, raw or in base64, a URL or JSON. No value is repeated. */
export function leaks(canaries: readonly Canary[], places: readonly Place[]): string[] {
  const forms = canaries.map(({ name, value }) => ({ name, texts: formsOf(value) }));
  return places.flatMap((place) =>
    forms
      .filter(({ texts }) => texts.some((text) => place.text.includes(text)))
      .map(({ name }) => `${name} in ${place.name}`),
  );
}

/** A value as it would be found: also amidst other bytes in base64, where it begins at one of three places. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const aligned = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The first characters and the last are of the neighbours, too.
    return text.slice(before === 0 ? 0 : before + 1, text.length - ((before + bytes.length) % 3 === 0 ? 0 : 1));
  });
  const urlSafe = aligned.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...aligned, ...urlSafe])];
}
