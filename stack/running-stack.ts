import type { Day } from "@hearth-platform/hearth/core/days";
import * as pulumi from "@pulumi/pulumi";
import { checkLockedStack } from "./locked-stack.ts";
import { formatProblem, formatReport } from "./report.ts";
import type { Stack } from "./stack-settings.ts";
import { sourceFromEngine } from "./stack-source.ts";

/**
 * The settings of the running stack; warnings go to Pulumi's log.
 * @param project folder of Pulumi.yaml
 * @param today in UTC: which versions still get fixes
 * @throws pulumi.RunError with the report of every problem, before any resource is registered
 */
export function runningStack(project: string, today?: Day): Stack {
  const { stack, problems } = checkLockedStack(
    project,
    sourceFromEngine(project, pulumi.getStack(), pulumi.runtime.allConfig()),
    { today },
  );
  if (!stack) throw new pulumi.RunError(`Nothing was created. ${formatReport(problems)}`);
  for (const problem of problems) pulumi.log.warn(formatProblem(problem));
  return stack;
}
