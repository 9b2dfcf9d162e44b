import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type StackImage, stackImages } from "@hearth-platform/stack/delivery/stack-images";
import { stackPlans } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import Table from "cli-table3";
import { outputJson } from "../answer.ts";
import { type Caller, newCommand, type Session, UsageError } from "../command.ts";
import { jsonOption, outOption, stackOption } from "../options.ts";
import { soundStack } from "../stack.ts";
import { dockerCredentials } from "./credentials.ts";
import { lockOf } from "./lock.ts";

/** `hearth images`. */
export function imagesCommand(session: Session) {
  return newCommand("images")
    .description("The images of a stack, as nodes pull them.")
    .addCommand(listCommand(session))
    .addCommand(lockCommand(session));
}

function listCommand(session: Session) {
  return newCommand("list")
    .summary("list them, for mirrors, scanners or firewalls")
    .description("Lists the images of a stack, as nodes pull them; asks no registry.")
    .addOption(stackOption())
    .addOption(jsonOption("[{image, repository, tag, digest, usedBy}]"))
    .action(({ stack: name, json = false }) => {
      session.end(listImages(soundStack({ stack: name }, session, "Nothing was listed."), json, session));
    });
}

function lockCommand(session: Session) {
  return newCommand("lock")
    .summary("write the stack's lock with the digest of each image")
    .description(
      "Asks the registry of each image, and of the base that the stack's own image is built from, for the digest of its tag, and writes the stack's lock.",
    )
    .addOption(stackOption())
    .addOption(outOption("default: the file that hearth:images.lock names"))
    .addOption(jsonOption("{file, digests, problems}"))
    .addHelpText(
      "after",
      `
It signs in to registries with the logins in ~/.docker/config.json.
If it finds no digest for an image, it writes no lock.`,
    )
    .action(async ({ stack: name, out, json = false }) => {
      const stack = soundStack({ stack: name, locked: false }, session, "No lock was written.");
      const { lock } = stack.settings.images ?? {};
      const file = out ? resolve(session.folder, out) : lock && resolve(session.project, lock);
      if (!file) throw new UsageError("Name the file: --out PATH, or hearth:images.lock in the stack");
      session.end(await writeLock(stack, file, json, session));
    });
}

function listImages(stack: Stack, json: boolean, caller: Caller): number {
  const images = stackImages(stackPlans(stack));
  if (json) outputJson(caller, images);
  else caller.output(`${table(images)}\n`);
  return 0;
}

async function writeLock(stack: Stack, file: string, json: boolean, caller: Caller): Promise<number> {
  const { digests, problems } = await lockOf(stack, dockerCredentials());
  if (json) outputJson(caller, problems.length > 0 ? { problems } : { file, digests, problems });
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
