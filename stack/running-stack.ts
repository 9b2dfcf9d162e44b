import * as pulumi from "@pulumi/pulumi";
import { checkLockedStack } from "./locked-stack.ts";
import { formatFault, formatReport } from "./report.ts";
import type { Stack } from "./stack-settings.ts";
import { sourceFromEngine } from "./stack-source.ts";

/**
 * The settings of the running stack; warnings go to Pulumi's log.
 * @param project folder of Pulumi.yaml
 * @throws pulumi.RunError with the report of every fault, before any resource is registered
 */
export function runningStack(project: string): Stack {
  const { stack, faults } = checkLockedStack(
    project,
    sourceFromEngine(project, pulumi.getStack(), pulumi.runtime.allConfig()),
  );
  if (!stack) throw new pulumi.RunError(`Nothing was created. ${formatReport(faults)}`);
  for (const fault of faults) pulumi.log.warn(formatFault(fault));
  return stack;
}
