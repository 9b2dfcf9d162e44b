import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { oneOf, shown } from "@hearth-platform/hearth/core/problems";

/** What follows `npm run NAME --`. Results go to standard output, everything else to standard error. */
export interface Command<Asked> {
  /** Its word for npm. */
  readonly name: string;
  /** Answer to `--help`: what it does, its options, its exit statuses. */
  readonly help: string;
  /** Understands the arguments. @throws Misuse where they make no sense */
  readonly read: (args: readonly string[], caller: Caller) => Asked;
  /** Does what was asked for and gives the exit status: 0, or 1 for problems. @throws Misuse where it can't be done as asked */
  readonly run: (asked: Asked, caller: Caller) => number | Promise<number>;
}

/** Who called a command, and where it answers. */
export interface Caller {
  /** Where the person called from: npm changes to the project's folder. */
  readonly folder: string;
  /** A person can be asked. */
  readonly terminal: boolean;
  readonly output: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Wrong use, in a sentence that says what is wrong: exit status 2. */
export class Misuse extends Error {}

/** The person at this process. */
export const person: Caller = {
  folder: process.env.INIT_CWD ?? process.cwd(),
  terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  output: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/** Runs a command and gives its exit status: 0 done, 1 problems, 2 wrong use. */
export async function runCommand<Asked>(
  { name, help, read, run }: Command<Asked>,
  args: readonly string[],
  caller: Caller = person,
): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    caller.output(help);
    return 0;
  }
  try {
    return await run(read(args, caller), caller);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    caller.error(`${error.message}\nSee: npm run ${name} -- --help\n`);
    return 2;
  }
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options and words of a command line; `--no-X` turns the boolean X off. @throws Misuse for an option that is not listed */
export function parseOptions<const T extends Options>(args: readonly string[], options: T) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    return { values, words: positionals };
  } catch (error) {
    // How to write a word that begins with a dash is not what is wrong.
    throw new Misuse((error as Error).message.replace(/\. To specify.*/s, "."));
  }
}

/** The options of a command that takes no words. @throws Misuse for an option that is not listed, or any word */
export function readOptions<const T extends Options>(args: readonly string[], options: T) {
  const { values, words } = parseOptions(args, options);
  if (words.length > 0) throw new Misuse(`"${words[0]}" is one word too many.`);
  return values;
}

/** The value of an option that takes one of a few words. @throws Misuse for another word */
export function wordOption<T extends string>(
  option: string,
  text: string | undefined,
  allowed: readonly T[],
): T | undefined {
  const word = allowed.find((each) => each === text);
  if (text !== undefined && word === undefined) throw new Misuse(`${option} is ${oneOf(allowed)}, not ${shown(text)}.`);
  return word;
}

/** The value of an option that takes a whole number. @throws Misuse for anything else */
export function countOption(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Misuse(`${option} takes a whole number, not ${shown(text)}.`);
  return Number(text);
}

/** A stack's name, which is a part of its file's. @throws Misuse for a path or none */
export function stackOption(text: string | undefined): string {
  if (!text) throw new Misuse("Name the stack: --stack STACK.");
  if (!/^[\w.-]+$/.test(text)) throw new Misuse(`${shown(text)} is not the name of a stack.`);
  return text;
}

/** A path as the caller means it. */
export function pathOption(caller: Caller, path: string): string {
  return resolve(caller.folder, path);
}
