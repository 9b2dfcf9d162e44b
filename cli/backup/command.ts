import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { ScheduledBackup } from "@hearth-platform/hearth/kubernetes/custom-resources/scheduled-backup";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { objectsOf, scheduledBackupsOf } from "@hearth-platform/stack/live/preflight/needs";
import { stackPlans } from "@hearth-platform/stack/parts";
import { clusterChoice } from "@hearth-platform/stack/providers";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { outputJson } from "../answer.ts";
import { type OpenCluster, openCluster } from "../cluster.ts";
import { type Caller, newCommand, type Session, self } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { jsonOption, sandboxOption, stackOption, yesOption } from "../options.ts";
import { soundStack } from "../stack.ts";

/** `hearth backup`. @param open opens the stack's cluster */
export function backupCommand(session: Session, open: OpenCluster<BackupCluster> = openCluster) {
  return newCommand("backup")
    .description(
      "Makes a backup of every database of a stack: a Backup object, as the database operator's schedule makes them.",
    )
    .addOption(stackOption())
    .addOption(sandboxOption("default: the kubeconfig and context of the stack's settings, or kubectl's"))
    .addOption(yesOption("for pipelines"))
    .addOption(jsonOption("{stack, backups: [{namespace, name, cluster}]}"))
    .addHelpText(
      "after",
      `
It covers the database of forge and hub and each suite's, but not repositories, objects and volumes. It ends as soon as
the Backups are requested; their phase shows when they are complete.`,
    )
    .action(async ({ stack, sandbox = false, yes = false, json = false }) => {
      session.end(await backUp({ stack, sandbox, yes, json }, session, open));
    });
}

interface BackupOptions {
  readonly stack: string;
  readonly sandbox: boolean;
  /** Nothing is asked. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** The cluster's API that the command uses. */
export type BackupCluster = Pick<LiveCluster, "server" | "kind" | "create" | "close">;

async function backUp(
  { stack: name, sandbox, yes, json }: BackupOptions,
  caller: Caller,
  open: OpenCluster<BackupCluster>,
) {
  const stack = soundStack({ stack: name }, caller, "Nothing was backed up.");
  const asked = backupsOf(stack);
  if (asked.length === 0)
    throw new Error(
      `Stack ${name} has no database with backups: a database has backups if its settings name a bucket.`,
    );
  const cluster = await open(clusterChoice(stack), sandbox);
  try {
    const databases = asked.map(({ metadata, spec }) => `  ${metadata.namespace}/${spec.cluster.name}\n`);
    caller.error(`Databases of stack ${name} on ${cluster.server}:\n${databases.join("")}`);
    if (!yes && !(await isConfirmed(question, caller))) {
      caller.error("Nothing was backed up.\n");
      return 1;
    }
    const made = await Promise.all(asked.map((backup) => create(cluster, backup)));
    if (json) outputJson(caller, { stack: name, backups: made });
    else caller.output(made.map((each) => `${each.namespace}/${each.name}\n`).join(""));
    const namespaces = [...new Set(asked.map(({ metadata }) => metadata.namespace))];
    const kubectl = sandbox ? `${self} sandbox kubectl` : "kubectl";
    const looks = namespaces.map((each) => `  ${kubectl} -n ${each} get backups.postgresql.cnpg.io\n`);
    caller.error(`Requested. To see how far it is:\n${looks.join("")}`);
    return 0;
  } finally {
    cluster.close();
  }
}

const question = {
  message: "Back up these databases now?",
  initialValue: true,
  unasked: "backup asks before it makes backups, and this is not a terminal: add --yes if you mean it",
};

/** A Backup before the API server gives it a name. */
type NewBackup = ReturnType<typeof backupOf>;

/** A Backup for each database that has a schedule of backups, as the schedule makes it. */
function backupsOf(stack: Stack): NewBackup[] {
  return scheduledBackupsOf(objectsOf(stackPlans(stack))).map(backupOf);
}

function backupOf({ apiVersion, metadata, spec }: ScheduledBackup & KubernetesObject) {
  const { cluster, method, pluginConfiguration } = spec;
  return {
    apiVersion,
    kind: "Backup",
    metadata: { generateName: `${cluster.name}-now-`, namespace: metadata.namespace, labels: metadata.labels },
    spec: { cluster, method, pluginConfiguration },
  };
}

async function create(cluster: BackupCluster, backup: NewBackup) {
  const kind = await cluster.kind(backup);
  if (!kind)
    throw new Error("The cluster does not serve Backup of postgresql.cnpg.io/v1: install the database operator.");
  const { metadata } = await cluster.create(backup, kind);
  return { namespace: metadata.namespace, name: metadata.name, cluster: backup.spec.cluster.name };
}
