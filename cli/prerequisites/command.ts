import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Day, today as todayOf } from "@hearth-platform/hearth/core/days";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { lookQuickly } from "@hearth-platform/stack/live/preflight/facts";
import { needsOf, objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { lookAtWorkloads } from "@hearth-platform/stack/live/preflight/operators";
import { stackPlans } from "@hearth-platform/stack/parts";
import { clusterChoice } from "@hearth-platform/stack/providers";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import { execa } from "execa";
import { type Caller, newCommand, type Session, self, UsageError } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { traefikFiles } from "../doctor/gather.ts";
import {
  configFileOption,
  contextOption,
  kubeconfigOption,
  offlineOption,
  stackOption,
  yesOption,
} from "../options.ts";
import { soundStack } from "../stack.ts";
import { type Format, formats } from "./formats.ts";
import { type Asked, type Seen, stepsFor } from "./steps.ts";

interface Options {
  readonly stack: string;
  readonly configFile?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** The cluster is not looked at. */
  readonly offline: boolean;
  readonly format: Format;
  readonly acmeEmail?: string;
  readonly apply: boolean;
  readonly yes: boolean;
}

/** Looks at a cluster. @throws Error where it does not answer */
export type Look = (choice: ClusterChoice, needs: Asked["needs"]) => Promise<Seen>;

/** `hearth prerequisites`. @param look looks at the stack's cluster */
export function prerequisitesCommand(session: Session, look: Look = lookAtCluster) {
  return newCommand("prerequisites")
    .description(
      "Prints what installs everything that a stack needs below it and its cluster lacks: operators, Traefik or the CRDs of the Gateway API, in the versions that hearth is tested with and with the values that this stack needs.",
    )
    .addOption(stackOption())
    .addOption(configFileOption())
    .addOption(kubeconfigOption())
    .addOption(contextOption())
    .addOption(offlineOption("it prints all that the stack needs"))
    .addOption(
      new Option("--format <FORMAT>", "a script for sh, a helmfile.yaml, or Applications of Argo CD")
        .choices(Object.keys(formats) as Format[])
        .default("shell" as Format),
    )
    .addOption(
      new Option(
        "--acme-email <MAIL>",
        "also make the stack's ClusterIssuer at Let's Encrypt where it is missing; not for wildcards",
      ).argParser(mailAddress),
    )
    .addOption(
      new Option("--apply", "run the script with helm and kubectl; it is shown, and asks before").conflicts("offline"),
    )
    .addOption(yesOption("with --apply, for pipelines"))
    .addHelpText(
      "after",
      "\nWhat the cluster has already is left as it is, in any version. docs/reference/prerequisites.md lists the charts.",
    )
    .action(async ({ offline = false, apply = false, yes = false, ...options }) => {
      if (apply && options.format !== "shell") throw new UsageError("--apply runs the script: leave --format out");
      session.end(await prerequisites({ ...options, offline, apply, yes }, session, look));
    });
}

/** @throws UsageError where there is nobody to ask */
async function prerequisites(options: Options, caller: Caller, look: Look): Promise<number> {
  const path = (file: string | undefined) => file && resolve(caller.folder, file);
  const named = { stack: options.stack, configFile: path(options.configFile) };
  const stack = soundStack(named, caller, "Nothing was printed.");
  const { settings } = stack;
  const cluster = clusterChoice(stack, { ...options, kubeconfig: path(options.kubeconfig) });
  const objects = objectsOf(stackPlans(stack));
  const needs = needsOf(objects, settings);
  const today: Day = caller.today ?? todayOf();
  const asked = { settings, objects, needs, acmeEmail: options.acmeEmail, today };
  const steps = stepsFor(asked, options.offline ? undefined : await look(cluster, needs));
  const text = formats[options.format](steps, { stack: options.stack, cluster });
  if (steps.steps.length === 0) {
    caller.error(`${["Nothing is to be installed.", ...steps.notes].join("\n")}\n`);
    return 0;
  }
  if (!options.apply) {
    caller.output(text);
    return 0;
  }
  caller.error(text);
  return run(text, options, caller);
}

async function run(script: string, { stack, yes }: Options, caller: Caller): Promise<number> {
  const unasked = "--apply asks before it changes the cluster, and this is not a terminal: add --yes if you mean it";
  const question = { message: "Run this script?", initialValue: false, unasked };
  if (!yes && !(await isConfirmed(question, caller))) {
    caller.error("Nothing was installed.\n");
    return 1;
  }
  const child = execa("sh", ["-c", script], { cwd: caller.folder, reject: false, stdin: "ignore", all: true });
  child.all.on("data", (chunk: Buffer) => caller.error(String(chunk)));
  const { exitCode, all } = await child;
  if (exitCode !== 0) {
    const last = all.trim().split("\n").at(-1) ?? "";
    caller.error(
      `The script stopped${last && `: ${last}`}\nCorrect that and call this again: it goes on with what is still missing.\n`,
    );
    return exitCode ?? 1;
  }
  caller.error(`Installed. See whether the rest is ready: ${self} doctor --stack ${stack}\n`);
  return 0;
}

async function lookAtCluster(choice: ClusterChoice, needs: Asked["needs"]): Promise<Seen> {
  const cluster = await LiveCluster.open(choice).catch((error: Error) => {
    throw new Error(`${error.message}\nWithout a cluster, --offline prints all that the stack needs.`);
  });
  try {
    const [quick, workloads] = await Promise.all([lookQuickly(cluster, needs, []), lookAtWorkloads(cluster)]);
    return { quick, workloads, configMaps: await traefikFiles(cluster, workloads) };
  } finally {
    cluster.close();
  }
}

/** @throws InvalidArgumentError, which commander tells, for anything else */
function mailAddress(text: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) throw new InvalidArgumentError("It is not a mail address.");
  return text;
}
