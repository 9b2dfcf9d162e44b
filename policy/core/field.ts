import { parseQuantity } from "@hearth-platform/hearth/core/quantities";

/** Stands in a resource's inputs for a value that is only known once something else was made. */
export const unknown: unique symbol = Symbol("unknown");

/** Thrown where a policy reads an unknown value; `judge` makes of it a skipped evaluation, never a pass. */
export class UnknownField extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not known yet.`);
    this.path = path;
  }
}

/** Told of every path whose value a policy reads. */
export type Reader = (path: string) => void;

/**
 * A place in a resource's inputs, there or not. Going down never fails; reading a value gives undefined where it is absent or of
 * another type, so that a policy is total over any tree.
 * @throws UnknownField from each reading getter where the value is unknown
 */
export class Field {
  /** As Kubernetes writes it, e.g. `spec.containers[0].image`; empty: the whole. */
  readonly path: string;
  readonly #raw: unknown;
  readonly #reader: Reader | undefined;
  readonly #key: string | number | undefined;

  constructor(path: string, raw: unknown, reader?: Reader, key?: string | number) {
    this.path = path;
    this.#raw = raw;
    this.#reader = reader;
    this.#key = key;
  }

  /** The field below. Below an unknown one everything is unknown. */
  get(...keys: readonly (string | number)[]): Field {
    return keys.reduce<Field>((field, key) => field.#child(key), this);
  }

  /** Whether the value is not known yet; asking is not reading. */
  get isUnknown(): boolean {
    return this.#raw === unknown;
  }

  /** The value, as it is. @throws UnknownField where it is not known yet */
  get value(): unknown {
    this.#reader?.(this.path);
    if (this.#raw === unknown) throw new UnknownField(this.path);
    return this.#raw ?? undefined;
  }

  /** Whether it is there; null is not. */
  get exists(): boolean {
    return this.value !== undefined;
  }

  get text(): string | undefined {
    const { value } = this;
    return typeof value === "string" ? value : undefined;
  }

  get flag(): boolean | undefined {
    const { value } = this;
    return typeof value === "boolean" ? value : undefined;
  }

  /** A number, or one written as text, such as `2` or `"2.0"`. */
  get number(): number | undefined {
    const { value } = this;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  }

  /** A Kubernetes quantity as a number: cores, or bytes. */
  get quantity(): number | undefined {
    const { value } = this;
    return typeof value === "string" || typeof value === "number" ? parseQuantity(value) : undefined;
  }

  /** The items of a list; none where it is no list. */
  get items(): readonly Field[] {
    const { value } = this;
    return Array.isArray(value) ? value.map((_, index) => this.#child(index)) : [];
  }

  /** The keys of a map with their fields; none where it is no map. */
  get entries(): readonly (readonly [key: string, field: Field])[] {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return Object.keys(value).map((key) => [key, this.#child(key)]);
  }

  /** This place and all below it, maps and lists before what is in them; looking is not reading. */
  *walk(): Generator<Field> {
    yield this;
    if (typeof this.#raw !== "object" || this.#raw === null) return;
    for (const key of Object.keys(this.#raw)) yield* this.#child(Array.isArray(this.#raw) ? Number(key) : key).walk();
  }

  /** Every text at this place and below; looking is not reading. */
  texts(): readonly NamedText[] {
    const found: NamedText[] = [];
    collectTexts(this.#raw, [], "", found);
    return found;
  }

  /** The last key of its path. */
  get key(): string | number | undefined {
    return this.#key;
  }

  /** The same place, reading which nobody is told of; undefined where its value is not known. */
  get glance(): Field | undefined {
    return this.#raw === unknown ? undefined : new Field(this.path, this.#raw, undefined, this.#key);
  }

  #child(key: string | number): Field {
    const raw = this.#raw;
    const below =
      raw === unknown
        ? unknown
        : typeof raw === "object" && raw !== null && Object.hasOwn(raw, key)
          ? (raw as Record<string | number, unknown>)[key]
          : undefined;
    return new Field(join(this.path, key), below, this.#reader, key);
  }
}

/** A text in a tree, and what it is the value of. */
export interface NamedText {
  readonly text: string;
  /** The key of its map; of a `value`, the `name` or `key` beside it; in a list, the list's key. */
  readonly name: string;
  /** Where it is, from the place that was asked. */
  readonly keys: readonly (string | number)[];
}

function collectTexts(raw: unknown, keys: readonly (string | number)[], name: string, found: NamedText[]): void {
  if (typeof raw === "string") found.push({ text: raw, name, keys });
  else if (Array.isArray(raw))
    for (const [index, item] of raw.entries()) collectTexts(item, [...keys, index], name, found);
  else if (typeof raw === "object" && raw !== null)
    for (const [key, below] of Object.entries(raw))
      collectTexts(below, [...keys, key], (key === "value" ? nameBeside(raw) : undefined) ?? key, found);
}

function nameBeside(map: object): string | undefined {
  return ["name", "key", "header"]
    .map((key) => (Object.hasOwn(map, key) ? (map as Record<string, unknown>)[key] : undefined))
    .find((found) => typeof found === "string");
}

function join(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
