import type { Day } from "@hearth-platform/hearth/core/days";
import * as pulumi from "@pulumi/pulumi";
import { buildProblems, checkLockedStack } from "./locked-stack.ts";
import { formatReport } from "./settings/report.ts";
import { locateSettings, sourceFromEngine } from "./settings/stack-source.ts";
import { warn } from "./settings/warn.ts";
import type { Stack } from "./stack-settings.ts";

/**
 * The settings of the running stack; warnings go to Pulumi's log.
 * @param project folder of Pulumi.yaml
 * @param today in UTC: which versions still get fixes
 * @throws pulumi.RunError with the report of every problem, before any resource is registered
 */
export function runningStack(project: string, today?: Day): Stack {
  const source = sourceFromEngine(project, pulumi.getStack(), pulumi.runtime.allConfig());
  const { stack, problems } = checkLockedStack(project, source, { today });
  if (!stack) throw new pulumi.RunError(`Nothing was created. ${formatReport(problems)}`);
  const ofBuild = locateSettings(buildProblems(stack, source.file), source);
  for (const problem of [...problems, ...ofBuild]) warn(problem);
  return stack;
}
