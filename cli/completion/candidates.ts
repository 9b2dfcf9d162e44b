import type { Argument, CommandUnknownOpts, Option } from "@commander-js/extra-typings";

/** A word that could stand at the cursor. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/**
 * Candidates at the cursor.
 * @param words up to the cursor; the last one is begun, or empty
 * @param stacks that there are
 * @returns none where the shell had best offer files
 */
export function candidatesFor(
  program: CommandUnknownOpts,
  words: readonly string[],
  stacks: () => readonly string[],
): Candidate[] {
  // bash makes three words of --stack=dev.
  const before = words.slice(0, -1).filter((word) => word !== "=");
  const begun = words.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const { command, place, option } = walk(program, before);
  const all = option ? choices(option, stacks) : begun.startsWith("-") ? optionsOf(command) : wordsOf(command, place);
  return all.filter(({ word }) => word.startsWith(begun));
}

/** The command that the words lead to, the number of its arguments so far, and the option that waits for its value. */
function walk(program: CommandUnknownOpts, words: readonly string[]) {
  let command = program;
  let place = 0;
  let option: Option | undefined;
  for (const word of words) {
    if (option) option = undefined;
    else if (word.startsWith("-")) option = takingValue(command, word);
    else {
      const next = command.commands.find((each) => each.name() === word);
      if (next) [command, place] = [next, 0];
      else place += 1;
    }
  }
  return { command, place, option };
}

function takingValue(command: CommandUnknownOpts, word: string): Option | undefined {
  return command.options.find(({ long, short, required }) => required && (word === long || word === short));
}

function choices({ argChoices = [], long }: Option, stacks: () => readonly string[]): Candidate[] {
  return (long === "--stack" ? stacks() : argChoices).map((word) => ({ word, about: "" }));
}

function optionsOf(command: CommandUnknownOpts): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []));
}

/** The commands below a command, or the words its next argument may be. */
function wordsOf(command: CommandUnknownOpts, place: number): Candidate[] {
  const below = place === 0 ? command.createHelp().visibleCommands(command) : [];
  const argument = command.registeredArguments[place] as Argument | undefined;
  return [
    ...below.map((each) => ({ word: each.name(), about: each.summary() })),
    ...(below.length > 0 ? [{ word: "help", about: "show the help of a command" }] : []),
    ...(argument?.argChoices ?? []).map((word) => ({ word, about: "" })),
  ];
}
