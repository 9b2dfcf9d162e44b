/** Remembers values for a while, and never more than `capacity`: the oldest goes first. */
export class RecentValues<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly expiry: number }>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of a key; undefined where none is remembered any more. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiry > now) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param lifetime - milliseconds from now */
  set(key: string, value: Value, now: number, lifetime: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiry: now + lifetime });
    if (this.#entries.size > this.#capacity) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
