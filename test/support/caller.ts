import { join } from "node:path";
import { type Caller, type CommandFor, runCommand } from "@hearth-platform/cli/command";
import { runHearth } from "@hearth-platform/cli/hearth";

/** What a command answered. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = join(import.meta.dirname, "../..");

/** Runs `./hearth ARGS` in this process, as a caller in `folder` without a terminal. */
export function hearth(folder: string, ...args: string[]): Promise<Answer> {
  return answer(folder, (caller) => runHearth(args, caller));
}

/** Runs `./hearth ARGS` in this process, on the stacks of another project. */
export function hearthIn(project: string, ...args: string[]): Promise<Answer> {
  return answer(project, (caller) => runHearth(args, { ...caller, project }));
}

/** The same on a day, of which it depends which versions still get fixes. */
export function hearthOn(today: string, folder: string, ...args: string[]): Promise<Answer> {
  return answer(folder, (caller) => runHearth(args, { ...caller, today }));
}

/**
 * Runs one command, which may be made for the test.
 * @param project where its stacks are; default: the checkout
 * @param agrees what a person answers to each question; default: nobody can be asked
 */
export function call(
  command: CommandFor,
  folder: string,
  args: readonly string[],
  project = root,
  agrees?: boolean,
): Promise<Answer> {
  const person = agrees !== undefined && { confirm: async () => agrees };
  return answer(folder, (caller) => runCommand(command, args, { ...caller, ...person, project }));
}

async function answer(folder: string, run: (caller: Caller) => Promise<number>): Promise<Answer> {
  const text = { stdout: "", stderr: "" };
  const status = await run({
    folder,
    project: root,
    terminal: false,
    columns: 100,
    output: (more) => {
      text.stdout += more;
    },
    error: (more) => {
      text.stderr += more;
    },
  });
  return { status, ...text };
}
