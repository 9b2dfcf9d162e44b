/** A word after `npm run sandbox --`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help text. */
  readonly help: string;
  /**
   * @param args what follows the command
   * @returns the exit status
   */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Writes a result. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Tells a person something; standard output stays free for results. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
