import { type Command, runCommand } from "@hearth-platform/cli/command";

/** What a command answered. */
export interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, as a caller in `folder` without a terminal. */
export async function call<Asked>(command: Command<Asked>, folder: string, args: readonly string[]): Promise<Answer> {
  let stdout = "";
  let stderr = "";
  const status = await runCommand(command, args, {
    folder,
    terminal: false,
    output: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
  });
  return { status, stdout, stderr };
}
