import { resolve } from "node:path";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { renderObjects } from "@hearth-platform/stack/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatProblem, formatReport } from "@hearth-platform/stack/report";
import { sourceFromFile } from "@hearth-platform/stack/stack-source";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, newCommand, type Session } from "../command.ts";
import { jsonOption, outOption, stackOption } from "../options.ts";
import { writeFolder } from "./folder.ts";

/** `hearth render`. */
export function renderCommand(session: Session) {
  return newCommand("render")
    .description(
      "Writes every Kubernetes object of a stack as YAML, one file an object. Needs no cluster and no credentials.",
    )
    .addOption(stackOption())
    .addOption(
      outOption(
        "a folder, for <namespace>/<kind>-<name>.yaml; one rendered before is brought up to date",
      ).makeOptionMandatory(),
    )
    .addOption(jsonOption("{stack, folder, files, problems}"))
    .addHelpText(
      "after",
      "\nSecret values are masked. Buckets made through the S3 API are no Kubernetes objects, and not written.",
    )
    .action(({ stack, out, json = false }) => {
      session.end(render(stack, resolve(session.folder, out), json, session));
    });
}

function render(stack: string, folder: string, json: boolean, caller: Caller): number {
  const { source, problems } = sourceFromFile(caller.project, stack);
  const checked = source ? checkLockedStack(caller.project, source, { today: caller.today }) : { problems };
  const files = checked.stack ? renderObjects(stackPlans(checked.stack)) : undefined;
  if (files) writeFolder(folder, files);
  if (json) {
    const written = files && { folder, files: [...files.keys()] };
    outputJson(caller, { stack, ...written, problems: checked.problems.map(problemRow) });
    return files ? 0 : 1;
  }
  if (!files) {
    caller.error(`Nothing was written. ${formatReport(checked.problems)}\n`);
    return 1;
  }
  for (const problem of checked.problems) caller.error(`${formatProblem(problem)}\n`);
  caller.error(`${files.size} objects of stack ${stack} are in ${folder}\n`);
  return 0;
}
