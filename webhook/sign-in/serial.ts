/** Lets tasks of one key run one after the other, and never lets more than `most` of a key wait. */
export class Serial {
  readonly #most: number;
  readonly #lines = new Map<number, { last: Promise<unknown>; length: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Keys of which a task runs or waits. */
  get keys(): number {
    return this.#lines.size;
  }

  /** Runs `task` after those of its key that came before; undefined where too many wait. */
  async run<T>(key: number, task: () => Promise<T>): Promise<T | undefined> {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > this.#most) return undefined;
    this.#lines.set(key, line);
    line.length += 1;
    const result = line.last.then(task, task);
    line.last = result;
    try {
      return await result;
    } finally {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(key);
    }
  }
}
