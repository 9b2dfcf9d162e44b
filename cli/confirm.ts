import { type Caller, UsageError } from "./command.ts";

/** A question that is answered yes or no. */
interface Question {
  readonly message: string;
  /** The answer of Enter alone. */
  readonly initialValue: boolean;
  /** Why a command does not go on where nobody can be asked. */
  readonly unasked: string;
}

/** Whether the person agrees. @throws UsageError where there is nobody to ask */
export async function isConfirmed({ message, initialValue, unasked }: Question, caller: Caller): Promise<boolean> {
  if (!caller.terminal) throw new UsageError(unasked);
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue, output: process.stderr });
  return !isCancel(answer) && answer;
}
