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

/** Which canaries stand in which places, in any of their forms. No value is repeated. */
export function leaks(canaries: readonly Canary[], places: readonly Place[]): string[] {
  const forms = canaries.map(({ name, value }) => ({ name, texts: formsOf(value) }));
  return places.flatMap((place) =>
    forms
      .filter(({ texts }) => texts.some((text) => place.text.includes(text)))
      .map(({ name }) => `${name} in ${place.name}`),
  );
}

/** A value as it would be found: raw, in a URL, in JSON, and the bytes that it is or stands for in hexadecimal and base64. */
export function formsOf(value: string): string[] {
  const bytes = [Buffer.from(value)];
  if (/^([0-9a-f]{2})+$/i.test(value)) bytes.push(Buffer.from(value, "hex"));
  else if (/^[\w+/-]+={0,2}$/.test(value)) bytes.push(Buffer.from(value, "base64"));
  const written = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...bytes.flatMap(encodings)];
  return [...new Set(written)].filter((form) => form.length >= 16);
}

function encodings(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  // Amidst other bytes in base64 they begin at one of three places.
  const aligned = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The first characters and the last are of the neighbours, too.
    return text.slice(before === 0 ? 0 : before + 1, text.length - ((before + bytes.length) % 3 === 0 ? 0 : 1));
  });
  const urlSafe = aligned.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [hex, hex.toUpperCase(), ...aligned, ...urlSafe];
}
