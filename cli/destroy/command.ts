import { resolve } from "node:path";
import { outputJson } from "../answer.ts";
import { type Caller, newCommand, type Session, self } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { environmentOf } from "../environment.ts";
import { isProvider, pendingCreates, type StateResource } from "../heal/deployment.ts";
import { release } from "../heal/file-backend.ts";
import type { OpenPlaces } from "../heal/finding.ts";
import {
  exported,
  fileBackend,
  type HealOptions,
  imported,
  pulumiOf,
  realMeans,
  shownLock,
  stackOptions,
  staleLocks,
  succeeded,
} from "../heal/stack-state.ts";
import { configFileOption, jsonOption, sandboxOption, stackOption, yesOption } from "../options.ts";
import { type Selection, select } from "./selection.ts";

/** `hearth destroy`. @param means how the state and the cluster are reached */
export function destroyCommand(session: Session, means = realMeans) {
  return newCommand("destroy")
    .description(
      "Deletes a stack, but for what holds data: databases, volumes, buckets, their namespaces and the keys that can't be had again stay, in the cluster and in the state. The next `pulumi up` brings the platform back on them.",
    )
    .addOption(stackOption())
    .addOption(sandboxOption("it needs no credentials; default: the pulumi on PATH, with your login"))
    .addOption(configFileOption())
    .addOption(yesOption("for pipelines. It deletes no data either"))
    .addOption(jsonOption("{stack, destroyed, kept, gone}"))
    .addHelpText(
      "after",
      `
It first lists what is kept and what goes, and asks. If it is interrupted, run it again. Data goes only if the stack's settings
name it in \`hearth:allowDataLoss\` and an \`up\` has taken that in: docs/explanation/data.md, "Destroy a stack for good".`,
    )
    .action(async ({ stack, sandbox = false, yes = false, json = false, configFile: file }) => {
      const options = { stack, sandbox, yes, json, configFile: file && resolve(session.folder, file) };
      session.end(await destroy(options, session, means));
    });
}

/**
 * Destroys a stack without its data, and gives the exit status: 0 it is done, or was; 1 the person said no.
 * @throws Error where nothing may be deleted: of a stack that is to be healed, or in another cluster; or with what Pulumi says where it fails
 */
export async function destroy(options: HealOptions, caller: Caller, means = realMeans): Promise<number> {
  const { stack, yes } = options;
  const pulumi = pulumiOf(options, caller, means);
  const backend = await fileBackend(options, pulumi);
  const locks = backend ? staleLocks(backend) : [];
  const before = await exported(options, pulumi);
  if (pendingCreates(before).some(({ isRecorded }) => !isRecorded))
    throw new Error(
      `Nothing was deleted. An update of stack ${stack} was killed while it made objects: run ${self} heal --stack ${stack} first.`,
    );
  const selection = select(before);
  const answer = (destroyed: boolean) => {
    if (options.json) outputJson(caller, { stack, destroyed, kept: selection.kept, gone: selection.going });
    return destroyed ? 0 : 1;
  };
  if (selection.going.length === 0) {
    caller.error(
      `Nothing to delete: stack ${stack} has ${selection.kept.length === 0 ? "nothing" : "only what holds data"}.\n`,
    );
    return answer(true);
  }
  await sameCluster(before.deployment?.resources ?? [], await means.places(await environmentOf(options.sandbox)));
  caller.error(`Destroy stack ${stack}:\n${[...locks.map(shownLock), ...lines(selection)].join("")}`);
  if (!yes && !(await isConfirmed(question, caller))) {
    caller.error("Nothing was deleted.\n");
    return answer(false);
  }
  for (const lock of locks) release(lock);
  await imported(options, pulumi, selection.state, []);
  const targets = selection.kept.length === 0 ? [] : selection.going.flatMap((urn) => ["--target", urn]);
  succeeded(await pulumi(["destroy", "--yes", "--skip-preview", ...stackOptions(options), ...targets]));
  caller.error(
    selection.kept.length === 0
      ? `Stack ${stack} is destroyed.\n`
      : `Stack ${stack} is destroyed, but for what holds data. \`pulumi up\` brings it back on that.\n`,
  );
  return answer(true);
}

function lines({ kept, shown }: Selection): string[] {
  return [...kept.map((name) => `  keep   ${name}\n`), ...shown.map((names) => `  delete ${names}\n`)];
}

const question = {
  message: "Do this?",
  initialValue: false,
  unasked: "destroy asks before it deletes, and this is not a terminal: add --yes if you mean it",
};

/** @throws Error where the state's context leads to another cluster than the stack was deployed to, or to none */
async function sameCluster(resources: readonly StateResource[], places: OpenPlaces): Promise<void> {
  try {
    const recorded = resources.map(({ inputs }) => inputs?.clusterIdentity).find((each) => each !== undefined);
    const provider = resources.find((each) => isProvider(each) && each.type.endsWith(":kubernetes"));
    if (!provider || recorded === undefined) return;
    const cluster = await places.cluster(provider.inputs ?? {});
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } };
    const live = await cluster.get(namespace, { plural: "namespaces", namespaced: false });
    const uid = (live?.metadata as { uid?: string } | undefined)?.uid;
    if (uid !== recorded)
      throw new Error(
        `Nothing was deleted. The stack was deployed to another cluster (kube-system was ${recorded}, and is ${uid}). Choose its kubeconfig or context.`,
      );
  } finally {
    await places.close();
  }
}
