/** Remembers keys for a while, and never more than `capacity`: the oldest goes first. */
export class RecentKeys {
  readonly #capacity: number;
  readonly #lifetime: number;
  readonly #expiries = new Map<string, number>();

  /** @param lifetime - milliseconds from the last `add` */
  constructor(capacity: number, lifetime: number) {
    this.#capacity = capacity;
    this.#lifetime = lifetime;
  }

  has(key: string, now: number): boolean {
    const expiry = this.#expiries.get(key);
    if (expiry === undefined) return false;
    if (expiry > now) return true;
    this.#expiries.delete(key);
    return false;
  }

  add(key: string, now: number): void {
    this.#expiries.delete(key);
    this.#expiries.set(key, now + this.#lifetime);
    if (this.#expiries.size > this.#capacity) {
      for (const oldest of this.#expiries.keys()) {
        this.#expiries.delete(oldest);
        break;
      }
    }
  }

  delete(key: string): void {
    this.#expiries.delete(key);
  }
}
