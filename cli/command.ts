import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { type Day, today } from "@hearth-platform/hearth/core/days";

/** Who runs a command, and where it answers. Results go to standard output, everything else to standard error. */
export interface Caller {
  /** Where paths start. */
  readonly folder: string;
  /** Folder of Pulumi.yaml, with the stacks' files. */
  readonly project: string;
  /** A person types, and reads. */
  readonly terminal: boolean;
  /** Characters of a line of help. */
  readonly columns: number;
  /** Today in UTC: which versions still get fixes. @default not judged */
  readonly today?: Day;
  readonly output: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether the person agrees. @default nobody can be asked */
  readonly confirm?: (question: YesOrNo) => Promise<boolean>;
}

/** A question that is answered yes or no. */
export interface YesOrNo {
  readonly message: string;
  /** The answer of Enter alone. */
  readonly initialValue: boolean;
}

/** A caller whom a command tells its exit status: 0 done, which is the default, 1 problems, another program's own. */
export interface Session extends Caller {
  /** As `--folder` says, once the command line is read. */
  project: string;
  readonly end: (status: number) => void;
}

/** A command for one run: its words, its options, what it does. */
export type CommandFor = (session: Session) => CommandUnknownOpts;

/** A command line that makes no sense, in a sentence that says why: exit status 2. */
export class UsageError extends Error {}

/** hearth's own folder, with the program and the policies. */
export const checkout = join(import.meta.dirname, "..");

const terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;

async function confirmAtTerminal({ message, initialValue }: YesOrNo): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue, output: process.stderr });
  return !isCancel(answer) && answer;
}

/** The person at this process. */
export const person: Caller = {
  folder: process.cwd(),
  project: checkout,
  terminal,
  columns: Math.min(process.stdout.columns ?? 100, 120),
  today: today(),
  output: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  ...(terminal && { confirm: confirmAtTerminal }),
};

/** How the command is called from the project's folder, as every text names it. */
export const self = "./hearth";

/** The version of hearth. */
export function hearthVersion(): string {
  return JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")).version;
}

/** Runs a command and gives its exit status: 0 done, 1 problems, 2 usage error. */
export async function runCommand(commandFor: CommandFor, args: readonly string[], caller: Caller): Promise<number> {
  let status = 0;
  const session: Session = {
    ...caller,
    end: (given) => {
      status = given;
    },
  };
  const command = withHelp(commandFor(session));
  const used = prepare(command, caller);
  try {
    await command.parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && isAnswered(error)) return 0;
    if (error instanceof CommanderError || error instanceof UsageError) {
      caller.error(`${sentence(error.message)}${await whichStacks(error, session)}\nSee: ${pathOf(used())} --help\n`);
      return 2;
    }
    caller.error(`${error instanceof Error ? error.message : String(error)}\n`);
    if (process.env.HEARTH_DEBUG) console.error(error);
    return 1;
  }
}

/** The stacks that there are, where one is to be named. */
async function whichStacks(error: Error, { project }: Caller): Promise<string> {
  const lacks = error instanceof CommanderError && error.code === "commander.missingMandatoryOptionValue";
  if (!lacks || !error.message.includes("'--stack ")) return "";
  const { stacksIn } = await import("@hearth-platform/stack/settings/stack-source");
  return ` The stacks here: ${stacksIn(project).join(", ") || "none"}.`;
}

/** Help or the version was asked for, and written. */
function isAnswered({ code }: CommanderError): boolean {
  return ["commander.helpDisplayed", "commander.help", "commander.version"].includes(code);
}

/** Makes a command and those below it answer to the caller. @returns which of them an error is about */
function prepare(root: CommandUnknownOpts, caller: Caller): () => CommandUnknownOpts {
  let used = root;
  for (const command of withCommandsBelow(root)) {
    command
      .exitOverride((error) => {
        used = command;
        throw error;
      })
      .configureOutput({
        writeOut: caller.output,
        writeErr: caller.output,
        outputError: () => undefined,
        getOutHelpWidth: () => caller.columns,
        getErrHelpWidth: () => caller.columns,
      })
      .hook("preAction", (_, action) => {
        used = action;
      });
    refuseRepetition(command);
  }
  return () => used;
}

/** A command with nothing but help. */
export function newCommand(name: string) {
  return new Command(name).helpOption("-h, --help", "show this help").helpCommand(false);
}

/** Gives `help` to the commands that have commands. */
function withHelp(root: CommandUnknownOpts): CommandUnknownOpts {
  for (const command of withCommandsBelow(root))
    if (command.commands.length > 0) command.addCommand(helpCommand(command));
  return root;
}

function helpCommand(of: CommandUnknownOpts): CommandUnknownOpts {
  return newCommand("help")
    .summary("show the help of a command")
    .argument("[COMMAND...]", "the words of the command")
    .action((words) => {
      let command = of;
      for (const word of words) {
        const next = command.commands.find((each) => each.name() === word);
        // A group refuses the word with a suggestion; below any other command there is none to suggest.
        if (!next && command.commands.length > 0) command.parse([word], { from: "user" });
        command = next ?? command.error(`unknown command '${word}'`);
      }
      command.help();
    });
}

/** A command and all below it. */
export function withCommandsBelow(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withCommandsBelow)];
}

/** Commander silently drops the first value of an option that is given twice. */
function refuseRepetition(command: CommandUnknownOpts): void {
  for (const option of command.options.filter(({ required }) => required)) {
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) command.error(`option '${option.flags}' is given twice`);
      given = true;
    });
  }
}

/** Commander's messages, as sentences: `error: unknown option '--jsn'\n(Did you mean --json?)`. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? "" : "."}`;
}

/** How a command is called, e.g. `./hearth sandbox start`. */
function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : self;
}
