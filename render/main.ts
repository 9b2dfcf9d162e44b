import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { formatFault, formatReport } from "../settings/report.ts";
import { checkStack } from "../settings/stack-settings.ts";
import { sourceFromFile } from "../settings/stack-source.ts";
import { ForeignFolder, writeFolder } from "./folder.ts";
import { renderObjects } from "./objects.ts";
import { stackPlans } from "./plans.ts";

const help = `Writes every Kubernetes object of a stack as YAML, one file an object. Needs no cluster and no credentials.

  npm run render -- --stack STACK --out FOLDER

  --stack STACK   the stack, from Pulumi.STACK.yaml
  --out FOLDER    where the files go: <namespace>/<kind>-<name>.yaml; a folder rendered before is brought up to date
  --help          this text

Secret values are masked. Buckets made through the S3 API are no Kubernetes objects, and not written.
Exit status: 0 written, 1 faults in the settings, 2 wrong use.
`;

const project = join(import.meta.dirname, "..");

function main(args: readonly string[]): number {
  const asked = readArguments(args);
  if (typeof asked === "string") {
    process.stderr.write(`${asked}\nSee: npm run render -- --help\n`);
    return 2;
  }
  if (asked.help) {
    process.stdout.write(help);
    return 0;
  }
  const { source, faults } = sourceFromFile(project, asked.stack);
  const checked = source ? checkStack(project, source) : { faults };
  if (!checked.stack) {
    process.stderr.write(`Nothing was written. ${formatReport(checked.faults)}\n`);
    return 1;
  }
  for (const fault of checked.faults) process.stderr.write(`${formatFault(fault)}\n`);
  const files = renderObjects(stackPlans(checked.stack));
  writeFolder(asked.out, files);
  process.stderr.write(`${files.size} objects of stack ${asked.stack} are in ${asked.out}\n`);
  return 0;
}

/** What was asked for, or what is wrong with the arguments. */
function readArguments(args: readonly string[]): { help: boolean; stack: string; out: string } | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { stack: { type: "string" }, out: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    const { help = false, stack = "", out = "" } = values;
    if (!help && (stack === "" || out === "")) return "Name the stack and the folder: --stack STACK --out FOLDER.";
    if (!help && !/^[\w.-]+$/.test(stack)) return `${JSON.stringify(stack)} is not the name of a stack.`;
    // npm changes to the project's folder and remembers where it was called.
    return { help, stack, out: resolve(process.env.INIT_CWD ?? "", out) };
  } catch (problem) {
    return (problem as Error).message;
  }
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (problem) {
  if (!(problem instanceof ForeignFolder)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exitCode = 2;
}
