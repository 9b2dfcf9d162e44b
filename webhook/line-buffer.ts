/** Writes the lines of one turn of the event loop together: a burst's hundred lines are one call of the system. */
export class LineBuffer {
  readonly #write: (text: string) => void;
  #text = "";

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Takes a line with its line end. */
  write(line: string): void {
    if (this.#text === "") setImmediate(() => this.flush());
    this.#text += line;
  }

  /** Writes now what there is, as before the process ends. */
  flush(): void {
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#write(text);
  }
}
