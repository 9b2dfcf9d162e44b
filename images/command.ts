import { join } from "node:path";
import Table from "cli-table3";
import { type Caller, type Command, Misuse, parseOptions, stackOption } from "../command-line/command.ts";
import { stackPlans } from "../render/plans.ts";
import { formatReport } from "../settings/report.ts";
import { checkStack } from "../settings/stack-settings.ts";
import { sourceFromFile } from "../settings/stack-source.ts";
import { type StackImage, stackImages } from "./stack-images.ts";

const help = `Lists the images of a stack, as nodes pull them: what to mirror, to scan, or to let through a firewall.

  npm run images -- list --stack STACK

  --stack STACK   the stack, from Pulumi.STACK.yaml
  --json          prints nothing but JSON: [{image, repository, tag, digest, usedBy}]
  --help          this text

It asks no registry. Exit status: 0 listed, 1 faults in the settings, 2 wrong use.
`;

const project = join(import.meta.dirname, "..");

/** What was asked for. */
interface Asked {
  readonly stack: string;
  readonly json: boolean;
}

/** `npm run images`. */
export const imagesCommand: Command<Asked> = {
  name: "images",
  help,
  read(args) {
    const { values, words } = parseOptions(args, { stack: { type: "string" }, json: { type: "boolean" } });
    if (words.length !== 1 || words[0] !== "list") throw new Misuse("Say what to do with the images: list.");
    return { stack: stackOption(values.stack), json: values.json ?? false };
  },
  run: listImages,
};

function listImages({ stack, json }: Asked, caller: Caller): number {
  const { source, faults } = sourceFromFile(project, stack);
  const checked = source ? checkStack(project, source) : { faults };
  if (!checked.stack) {
    caller.error(`${formatReport(checked.faults)}\n`);
    return 1;
  }
  const images = stackImages(stackPlans(checked.stack));
  caller.output(json ? `${JSON.stringify(images, null, 2)}\n` : `${table(images)}\n`);
  return 0;
}

function table(images: readonly StackImage[]): string {
  const lines = new Table({ head: ["Image", "Tag", "Used by"], style: { head: [], border: [], compact: true } });
  lines.push(...images.map(({ repository, tag = "", usedBy }) => [repository, tag, usedBy.join("\n")]));
  return lines.toString();
}
