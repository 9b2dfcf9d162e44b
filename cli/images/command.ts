import { writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/report";
import { type StackImage, stackImages } from "@hearth-platform/stack/stack-images";
import { checkStack, type Stack } from "@hearth-platform/stack/stack-settings";
import { type StackSource, sourceFromFile } from "@hearth-platform/stack/stack-source";
import Table from "cli-table3";
import { type Caller, type Command, Misuse, parseOptions, pathOption, stackOption } from "../command.ts";
import { dockerCredentials } from "./credentials.ts";
import { lockOf } from "./lock.ts";

const help = `The images of a stack, as nodes pull them.

  npm run images -- list --stack STACK [--json]
  npm run images -- lock --stack STACK [--out FILE]

  list            what to mirror, to scan, or to let through a firewall; asks no registry
  lock            asks the registry of each image for the digest of its tag, and writes the stack's lock
  --stack STACK   the stack, from Pulumi.STACK.yaml
  --json          prints nothing but JSON: [{image, repository, tag, digest, usedBy}]
  --out FILE      where the lock goes. Default: the file that hearth:images.lock names
  --help          this text

Registries are signed in to with what docker login wrote to ~/.docker/config.json. Where one image has no digest, no lock is written.
Exit status: 0 listed or written, 1 problems in the settings or images without digest, 2 wrong use.
`;

/** What was asked for. */
interface Asked {
  readonly stack: string;
  readonly action: "list" | "lock";
  readonly json: boolean;
  readonly out?: string;
}

/** `npm run images`. @param project folder of Pulumi.yaml */
export function imagesCommandOf(project: string): Command<Asked> {
  return {
    name: "images",
    help,
    read(args, caller) {
      const { values, words } = parseOptions(args, {
        stack: { type: "string" },
        json: { type: "boolean" },
        out: { type: "string" },
      });
      const [action] = words;
      if (words.length !== 1 || (action !== "list" && action !== "lock"))
        throw new Misuse("Say what to do with the images: list or lock.");
      if (values.json !== undefined && action === "lock") throw new Misuse("--json is for list.");
      if (values.out !== undefined && action === "list") throw new Misuse("--out is for lock.");
      const out = values.out === undefined ? undefined : pathOption(caller, values.out);
      return { stack: stackOption(values.stack), action, json: values.json ?? false, out };
    },
    async run({ stack: name, action, json, out }, caller) {
      const { source, problems } = sourceFromFile(project, name);
      const judge = (of: StackSource) =>
        action === "list" ? checkLockedStack(project, of) : checkStack(project, of, { locked: false });
      const { stack, ...checked } = source ? judge(source) : { problems };
      if (!stack) {
        caller.error(`${formatReport(checked.problems)}\n`);
        return 1;
      }
      if (action === "list") return listImages(stack, json, caller);
      const { lock } = stack.settings.images ?? {};
      const file = out ?? (lock === undefined ? undefined : resolve(project, lock));
      if (file === undefined) throw new Misuse("Name the file: --out FILE, or hearth:images.lock in the stack.");
      return writeLock(stack, file, caller);
    },
  };
}

export const imagesCommand = imagesCommandOf(join(import.meta.dirname, "../.."));

function listImages(stack: Stack, json: boolean, caller: Caller): number {
  const images = stackImages(stackPlans(stack));
  caller.output(json ? `${JSON.stringify(images, null, 2)}\n` : `${table(images)}\n`);
  return 0;
}

async function writeLock(stack: Stack, file: string, caller: Caller): Promise<number> {
  const { digests, problems } = await lockOf(stack, dockerCredentials());
  if (problems.length > 0) {
    caller.error(`No lock was written.\n${problems.map((problem) => `${problem}\n`).join("")}`);
    return 1;
  }
  writeFileSync(file, `${JSON.stringify(digests, null, 2)}\n`);
  const unused = stack.settings.images?.lock === undefined ? " Name it in hearth:images.lock." : "";
  caller.error(`${Object.keys(digests).length} images are locked in ${relative(caller.folder, file)}.${unused}\n`);
  return 0;
}

function table(images: readonly StackImage[]): string {
  const lines = new Table({ head: ["Image", "Tag", "Used by"], style: { head: [], border: [], compact: true } });
  lines.push(...images.map(({ repository, tag = "", usedBy }) => [repository, tag, usedBy.join("\n")]));
  return lines.toString();
}
