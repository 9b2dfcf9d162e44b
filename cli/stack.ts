import { type CheckedStackFile, checkStackFile } from "@hearth-platform/stack/locked-stack";
import { formatReport } from "@hearth-platform/stack/settings/report";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import type { Caller } from "./command.ts";

/** What a command's options say of the stack. */
export interface StackOptions {
  readonly stack: string;
  /** Where its settings stand, if not in Pulumi.STACK.yaml. */
  readonly configFile?: string;
  /** Its lock counts. @default true */
  readonly locked?: boolean;
}

/** The stack that a command's options name, or what is wrong with it. */
export function checkedStack(
  { stack, configFile: file, locked }: StackOptions,
  { project, today }: Caller,
): CheckedStackFile {
  return checkStackFile(project, stack, { file, today, locked });
}

/** The same for a command that needs it sound. @throws Error with what was left undone, and the report of every problem */
export function soundStack(options: StackOptions, caller: Caller, undone: string): Stack {
  const { stack, problems } = checkedStack(options, caller);
  if (!stack) throw new Error(`${undone} ${formatReport(problems)}`);
  return stack;
}
