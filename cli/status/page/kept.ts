/** An answer that is kept for a while: whoever asks meanwhile gets it, and all who wait get the same. */
export class Kept<T> {
  readonly #ask: () => Promise<T>;
  readonly #milliseconds: number;
  readonly #clock: () => number;
  #asked: { readonly at: number; readonly answer: Promise<T> } | undefined;

  /** @param milliseconds that an answer is good for, from the question on */
  constructor(ask: () => Promise<T>, milliseconds: number, clock: () => number = Date.now) {
    this.#ask = ask;
    this.#milliseconds = milliseconds;
    this.#clock = clock;
  }

  /** @throws what `ask` throws; a failure is not kept */
  get(): Promise<T> {
    const now = this.#clock();
    if (this.#asked && now - this.#asked.at < this.#milliseconds) return this.#asked.answer;
    const asked = { at: now, answer: this.#ask() };
    this.#asked = asked;
    asked.answer.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return asked.answer;
  }
}
