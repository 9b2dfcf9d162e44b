import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";

export const enter = "\r";
export const up = "\u001B[A";
export const down = "\u001B[B";
export const controlC = "\u0003";

/** What is typed when the screen shows a text. */
export type Answer = readonly [question: string, typed: string];

/**
 * Runs a command at a terminal, in `folder` as its home too, and types each answer when its question is shown.
 * @throws if it ends before its last question
 */
export async function talk(
  command: string,
  folder: string,
  answers: readonly Answer[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly status: number | null; readonly screen: string }> {
  // A terminal made by script(1) has no size of its own.
  const sized = `stty cols 100 rows 40; exec ${command}`;
  const terminal = spawn("script", ["--quiet", "--return", "--flush", "--command", sized, "/dev/null"], {
    cwd: folder,
    env: { ...process.env, HOME: folder, KUBECONFIG: "", ...env },
  });
  const ended = once(terminal, "exit");
  let screen = "";
  let answered = 0;
  /** What of the screen was there at the last answer. */
  let read = 0;
  for await (const shown of terminal.stdout.setEncoding("utf8")) {
    screen += stripVTControlCharacters(shown);
    const [question, typed] = answers[answered] ?? [];
    if (question === undefined || typed === undefined || !screen.slice(read).includes(question)) continue;
    answered += 1;
    read = screen.length;
    terminal.stdin.write(typed);
  }
  const [status] = await ended;
  if (answered < answers.length) throw new Error(`No question "${answers[answered]?.[0]}":\n${screen}`);
  return { status, screen };
}
