import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { clusterChoice } from "@hearth-platform/stack/providers";
import { stacksIn } from "@hearth-platform/stack/settings/stack-source";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { outputJson } from "../answer.ts";
import { type Caller, newCommand, type Session, UsageError } from "../command.ts";
import { environmentOf } from "../environment.ts";
import {
  configFileOption,
  contextOption,
  jsonOption,
  kubeconfigOption,
  sandboxOption,
  stackOption,
  wholeNumber,
} from "../options.ts";
import { soundStack } from "../stack.ts";
import type { StatusReport } from "./checks.ts";

/** Seconds between two looks of `--watch`. */
const pauseSeconds = 5;

interface Options {
  readonly stack: string;
  readonly sandbox: boolean;
  readonly json: boolean;
  readonly watch: boolean;
  readonly configFile?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly prometheus?: string;
  readonly page: boolean;
  readonly port: number;
}

/**
 * `hearth status`.
 * @param pause waits for the next look of `--watch`, and says whether there is to be one
 * @param clock the time by which ages are told
 */
export function statusCommand(session: Session, pause = untilInterrupted, clock = () => new Date()) {
  return newCommand("status")
    .description(
      "Shows how a live stack stands, on one screen: components with their versions and ends, pods and restarts, certificates, Secrets, volumes, backups, Jobs by the clock, the recovery kit, firing alerts. It changes nothing.",
    )
    .addOption(stackOption())
    .addOption(configFileOption())
    .addOption(sandboxOption("it needs no credentials").conflicts(["kubeconfig", "context"]))
    .addOption(kubeconfigOption())
    .addOption(contextOption())
    .addOption(new Option("--prometheus <URL>", "show the alerts that fire in this Prometheus").argParser(httpUrl))
    .addOption(new Option("--watch", `look again every ${pauseSeconds} seconds, until Ctrl-C`).conflicts("json"))
    .addOption(
      new Option("--page", "serve a page of every stack of the backend on 127.0.0.1, until Ctrl-C").conflicts([
        "json",
        "watch",
      ]),
    )
    .addOption(new Option("--port <PORT>", "port of the page; default: any that is free").argParser(portNumber))
    .addOption(jsonOption("its form is schemas/status.schema.json"))
    .addHelpText(
      "after",
      "\nThe exit status is 0 where nothing is broken, also with warnings, and 1 where something is. docs/how-to/status.md says more.",
    )
    .action(async ({ sandbox = false, json = false, watch = false, page = false, port, ...options }) => {
      if (port !== undefined && !page) throw new UsageError("Option '--port' is that of the page: name --page");
      const path = (file: string | undefined) => file && resolve(session.folder, file);
      const files = { configFile: path(options.configFile), kubeconfig: path(options.kubeconfig) };
      const whole = { ...options, ...files, sandbox, json, watch, page, port: port ?? 0 };
      session.end(page ? await showPage(whole, session) : await status(whole, session, { pause, clock }));
    });
}

/** @throws UsageError where no file has the stack's settings */
async function showPage(options: Options, caller: Caller): Promise<number> {
  const { stack, configFile } = options;
  const stacks = stacksIn(caller.project);
  if (configFile === undefined && !stacks.includes(stack))
    throw new UsageError(`There is no Pulumi.${stack}.yaml. The stacks here: ${stacks.join(", ")}`);
  const { servePage } = await import("./page/serve.ts");
  return servePage(options, caller);
}

interface Time {
  readonly pause: () => Promise<boolean>;
  readonly clock: () => Date;
}

async function status(options: Options, caller: Caller, { pause, clock }: Time): Promise<number> {
  const { stack: name, json, watch } = options;
  const stack = soundStack(options, caller, "The stack was not looked at.");
  for (;;) {
    const report = await look(name, stack, options, clock());
    if (json) outputJson(caller, report);
    else {
      const { statusScreen } = await import("./report.ts");
      caller.output(`${watch && caller.terminal ? clearScreen : ""}${statusScreen(report)}`);
    }
    if (!watch || !(await pause())) return report.sound ? 0 : 1;
  }
}

/** Clears the terminal, and begins at its top. (ECMA-48, CUP and ED) */
const clearScreen = "\u001b[H\u001b[2J";

/** @throws Error where the cluster can't be reached */
async function look(name: string, stack: Stack, options: Options, now: Date): Promise<StatusReport> {
  // The client of clusters and the plans of all objects take their time to load.
  const [{ gatherStatus }, { statusReport }, { LiveCluster }] = await Promise.all([
    import("./gather.ts"),
    import("./checks.ts"),
    import("@hearth-platform/stack/live/cluster/cluster"),
  ]);
  const { sandbox, prometheus } = options;
  const environment = await environmentOf(sandbox);
  const cluster = await LiveCluster.open(clusterChoice(stack, options), environment);
  try {
    return statusReport(await gatherStatus(name, stack, { cluster, environment, prometheus, now }));
  } finally {
    cluster.close();
  }
}

/** Waits for the next look; false as soon as somebody presses Ctrl-C. */
async function untilInterrupted(): Promise<boolean> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    await sleep(pauseSeconds * 1000, undefined, { signal: stop.signal });
    return true;
  } catch {
    return false;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** @throws InvalidArgumentError, which commander tells, for anything but the URL of an HTTP server */
function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError("It takes a URL, such as http://127.0.0.1:9090.");
  return text;
}

/** @throws InvalidArgumentError, which commander tells, for what is no port */
function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port < 1 || port > 65_535) throw new InvalidArgumentError("It takes a port, 1 to 65535.");
  return port;
}
