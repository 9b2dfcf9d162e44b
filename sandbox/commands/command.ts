import { type ParseArgsConfig, parseArgs } from "node:util";

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

/** The command line makes no sense: exit status 2. */
export class MisuseError extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads a command's options.
 * @param positionals names of the words the command takes, each optional
 * @throws MisuseError for an unknown option or a word too many
 */
export function readOptions<const T extends Options>(
  args: readonly string[],
  options: T,
  positionals: readonly string[] = [],
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const extra = parsed.positionals[positionals.length];
    if (extra !== undefined) throw new MisuseError(`"${extra}" is one word too many.`);
    return parsed;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code.startsWith("ERR_PARSE_ARGS"))
      throw new MisuseError((error as Error).message.replace(/\. To specify.*/s, "."));
    throw error;
  }
}

/** Writes a result. */
export function print(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** Tells a person something; standard output stays free for results. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
