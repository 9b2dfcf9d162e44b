import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { readBounded } from "@hearth-platform/stack/read-file";
import type { Caller, Command } from "../command.ts";
import { type Asked, Format, help, readArguments } from "./arguments.ts";
import type { Cluster, ClusterChoice } from "./cluster.ts";
import type { DryRun } from "./dry-run.ts";
import { asJson, asSarif, asText } from "./output.ts";
import { isValid, type Validation, validate } from "./validation.ts";

const printers = { [Format.text]: asText, [Format.json]: asJson, [Format.sarif]: asSarif };

/** `npm run validate`. */
export const validateCommand: Command<Asked> = { name: "validate", help, read: readArguments, run: validateFiles };

async function validateFiles(asked: Asked, caller: Caller): Promise<number> {
  const { files, context, strict, format } = asked;
  const tried = asked.cluster && clusterDryRun(asked.cluster);
  const validations: Validation[] = [];
  try {
    for (const file of files) {
      const content = readBounded(caller.folder, file, "", "Name a file that is there.");
      validations.push(await validate(file, content, { context, strict, dryRun: tried?.dryRun }));
    }
  } finally {
    await tried?.close();
  }
  caller.output(printers[format](validations));
  return validations.every(isValid) ? 0 : 1;
}

/** Dry runs on one cluster, which is opened at the first, so that a file with problems is told at once; its code is loaded then, too. */
function clusterDryRun(choice: ClusterChoice) {
  let opened: Promise<Cluster> | undefined;
  return {
    async dryRun(objects: readonly KubernetesObject[]): Promise<DryRun> {
      const [{ openCluster }, { dryRun }] = await Promise.all([import("./cluster.ts"), import("./dry-run.ts")]);
      opened ??= openCluster(choice);
      return dryRun(await opened, objects);
    },
    async close(): Promise<void> {
      // Where it could not be opened, each file says so.
      const cluster = await opened?.catch(() => undefined);
      await cluster?.api.close();
    },
  };
}
