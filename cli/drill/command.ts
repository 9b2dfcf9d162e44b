import { setTimeout as sleep } from "node:timers/promises";
import type { DrillArgs } from "@hearth-platform/hearth/drill/args";
import { drillNames } from "@hearth-platform/hearth/drill/drill-names";
import { recoveryInstant } from "@hearth-platform/hearth/stores/database/recovery";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { stackParts } from "@hearth-platform/stack/parts";
import { clusterChoice } from "@hearth-platform/stack/providers";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { outputJson } from "../answer.ts";
import { type OpenCluster, openCluster } from "../cluster.ts";
import { type Caller, newCommand, type Session, UsageError } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { jsonOption, sandboxOption, stackOption, yesOption } from "../options.ts";
import { soundStack } from "../stack.ts";
import { type AskedDrill, type DrillJob, jobEnd, jobOf, type LiveCronJob, resultOf } from "./job.ts";

/**
 * `hearth drill`.
 * @param open opens the stack's cluster
 * @param pause between two looks at the Jobs
 */
export function drillCommand(
  session: Session,
  open: OpenCluster<DrillCluster> = openCluster,
  pause = () => sleep(5_000),
) {
  return newCommand("drill")
    .description(
      "Recovers databases of a stack from their backups, beside the running ones; checks them, and removes them again.",
    )
    .addOption(stackOption())
    .option("--suite <NAME>", "the database of this suite")
    .option("--forge", "the forge's database")
    .option("--hub", "the hub's database")
    .option("--at <TIME>", "the time to recover to, in UTC unless it has an offset; default: the end of the log")
    .addOption(sandboxOption("default: the kubeconfig and context of the stack's settings, or kubectl's"))
    .addOption(yesOption("for pipelines"))
    .addOption(jsonOption("{stack, drills: [{namespace, job, good, result, reason}]}"))
    .addHelpText(
      "after",
      `
Without --suite, --forge and --hub it covers every database of the stack. It needs \`hearth:drill\` in the settings, and
starts the same Job as its schedule does. The Job goes on in the cluster if the command is interrupted.

Exit status: 0 every drill is good, 1 one is not.`,
    )
    .action(async ({ stack, sandbox = false, yes = false, json = false, ...asked }) => {
      session.end(await drill({ stack, sandbox, yes, json, ...asked }, session, open, pause));
    });
}

interface DrillOptions {
  readonly stack: string;
  readonly suite?: string | undefined;
  readonly forge?: true | undefined;
  readonly hub?: true | undefined;
  readonly at?: string | undefined;
  readonly sandbox: boolean;
  /** Nothing is asked. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** The cluster's API that the command uses. */
export type DrillCluster = Pick<LiveCluster, "read" | "create" | "close">;

async function drill(
  options: DrillOptions,
  caller: Caller,
  open: OpenCluster<DrillCluster>,
  pause: () => Promise<unknown>,
) {
  const { stack: name, sandbox, yes, json } = options;
  const stack = soundStack({ stack: name }, caller, "Nothing was recovered.");
  const target = options.at === undefined ? undefined : pastInstant(options.at);
  const asked = askedDrills(stack, options);
  caller.error(
    asked.map(({ namespace, running, checks }) => `  ${namespace}/${running}: ${checks.join(", ")}\n`).join(""),
  );
  if (!yes && !(await isConfirmed(question, caller))) {
    caller.error("Nothing was recovered.\n");
    return 1;
  }
  const cluster = await open(clusterChoice(stack), sandbox);
  try {
    const started = await Promise.all(asked.map((each) => start(cluster, each, target)));
    caller.error(started.map(({ namespace, job }) => `Started Job ${namespace}/${job}.\n`).join(""));
    const drills = await Promise.all(started.map((each) => follow(cluster, each, pause)));
    if (json) outputJson(caller, { stack: name, drills });
    else
      caller.output(
        drills.map(({ result, job, reason }) => `${result?.line ?? `${job}: FAILED: ${reason}`}\n`).join(""),
      );
    return drills.every(({ good }) => good) ? 0 : 1;
  } finally {
    cluster.close();
  }
}

const question = {
  message: "Recover these databases beside the running ones now? Each takes as much storage as the running one.",
  initialValue: true,
  unasked: "drill asks before it makes databases, and this is not a terminal: add --yes if you mean it",
};

/** @throws UsageError for what is no time, or is still to come */
function pastInstant(text: string): string {
  const instant = recoveryInstant(text);
  if (instant === undefined) throw new UsageError(`--at ${text} is not a time. Write it like 2026-11-20T08:30:00Z.`);
  if (Date.parse(instant) > Date.now()) throw new UsageError(`--at ${text} is still to come.`);
  return instant;
}

/** The drills that were asked for. @throws Error where the stack does not have one */
function askedDrills(stack: Stack, { stack: name, suite, forge, hub }: DrillOptions): AskedDrill[] {
  const all = stackParts(stack).flatMap((part) =>
    part.kind === "drill" ? [{ name: part.name, args: part.args as DrillArgs }] : [],
  );
  if (all.length === 0)
    throw new Error(`Stack ${name} has no drills. Add \`hearth:drill: {}\` to its settings, and run pulumi up.`);
  const wanted = [forge && "forge", hub && "hub", suite !== undefined && "cloudsuite"].filter(Boolean);
  const drills = all.flatMap(({ name: part, args }) => {
    const checks = args.checks
      .map(({ application }) => application)
      .filter(
        (each) =>
          wanted.length === 0 || (wanted.includes(each) && (each !== "cloudsuite" || part === `${suite}-drill`)),
      );
    return checks.length > 0 ? [askedDrill(args, checks)] : [];
  });
  const known = new Set(drills.flatMap(({ checks }) => checks));
  const missing = wanted.find((each) => !known.has(each as never));
  if (missing !== undefined)
    throw new Error(
      missing === "cloudsuite"
        ? `Stack ${name} has no suite ${suite} with a database of its own.`
        : `Stack ${name} has no ${missing}.`,
    );
  return drills;
}

function askedDrill({ namespace, database }: DrillArgs, checks: AskedDrill["checks"]): AskedDrill {
  const { drill, result } = drillNames(database.name);
  return { namespace, running: database.name, cronJob: drill, resultMap: result, checks };
}

interface StartedDrill {
  readonly namespace: string;
  readonly job: string;
  readonly resultMap: string;
}

async function start(cluster: DrillCluster, asked: AskedDrill, target: string | undefined): Promise<StartedDrill> {
  const { namespace, cronJob, resultMap } = asked;
  const live = await cluster.read<LiveCronJob>(`/apis/batch/v1/namespaces/${namespace}/cronjobs/${cronJob}`);
  if (!live) throw new Error(`The cluster has no CronJob ${namespace}/${cronJob}: run pulumi up first.`);
  const { metadata } = await cluster.create(jobOf(live, asked, target), { plural: "jobs", namespaced: true });
  return { namespace, job: metadata.name, resultMap };
}

/** Waits until a drill has ended, which its deadline makes sure of. */
async function follow(
  cluster: DrillCluster,
  { namespace, job, resultMap }: StartedDrill,
  pause: () => Promise<unknown>,
) {
  for (;;) {
    const live = await cluster.read<DrillJob>(`/apis/batch/v1/namespaces/${namespace}/jobs/${job}`);
    const end = jobEnd(live);
    if (end) {
      const map = await cluster.read<{ data?: Record<string, string> }>(
        `/api/v1/namespaces/${namespace}/configmaps/${resultMap}`,
      );
      const result = resultOf(map?.data, job);
      const { reason = result ? undefined : "It wrote no result." } = end;
      return { namespace, job, good: end.complete && result?.good === true, result, reason };
    }
    await pause();
  }
}
