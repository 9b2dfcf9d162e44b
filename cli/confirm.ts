import { type Caller, UsageError, type YesOrNo } from "./command.ts";

interface Question extends YesOrNo {
  /** Why a command does not go on where nobody can be asked. */
  readonly unasked: string;
}

/** Whether the person agrees. @throws UsageError where there is nobody to ask */
export async function isConfirmed({ unasked, ...question }: Question, caller: Caller): Promise<boolean> {
  if (!caller.confirm) throw new UsageError(unasked);
  return caller.confirm(question);
}
