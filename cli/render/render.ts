import { join } from "node:path";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { renderObjects } from "@hearth-platform/stack/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatProblem, formatReport } from "@hearth-platform/stack/report";
import { sourceFromFile } from "@hearth-platform/stack/stack-source";
import { type Caller, type Command, Misuse, pathOption, readOptions, stackOption } from "../command.ts";
import { writeFolder } from "./folder.ts";

const help = `Writes every Kubernetes object of a stack as YAML, one file an object. Needs no cluster and no credentials.

  npm run render -- --stack STACK --out FOLDER

  --stack STACK   the stack, from Pulumi.STACK.yaml
  --out FOLDER    where the files go: <namespace>/<kind>-<name>.yaml; a folder rendered before is brought up to date
  --help          this text

Secret values are masked. Buckets made through the S3 API are no Kubernetes objects, and not written.
Exit status: 0 written, 1 problems in the settings, 2 wrong use.
`;

const project = join(import.meta.dirname, "../..");

/** Which stack is rendered, and into which folder. */
interface Asked {
  readonly stack: string;
  readonly out: string;
}

/** `npm run render`. */
export const renderCommand: Command<Asked> = {
  name: "render",
  help,
  read(args, caller) {
    const values = readOptions(args, { stack: { type: "string" }, out: { type: "string" } });
    if (!values.out) throw new Misuse("Name the folder: --out FOLDER.");
    return { stack: stackOption(values.stack), out: pathOption(caller, values.out) };
  },
  run: render,
};

function render({ stack, out }: Asked, caller: Caller): number {
  const { source, problems } = sourceFromFile(project, stack);
  const checked = source ? checkLockedStack(project, source) : { problems };
  if (!checked.stack) {
    caller.error(`Nothing was written. ${formatReport(checked.problems)}\n`);
    return 1;
  }
  for (const problem of checked.problems) caller.error(`${formatProblem(problem)}\n`);
  const files = renderObjects(stackPlans(checked.stack));
  writeFolder(out, files);
  caller.error(`${files.size} objects of stack ${stack} are in ${out}\n`);
  return 0;
}
