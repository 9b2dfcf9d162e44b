import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { mailAddress } from "@hearth-platform/hearth/core/mail-rules";
import { clusterChoice } from "@hearth-platform/stack/providers";
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
} from "../options.ts";
import { soundStack } from "../stack.ts";
import type { MailMeans } from "./mail.ts";
import type { Target } from "./targets.ts";

interface Options {
  readonly stack: string;
  readonly sandbox: boolean;
  readonly json: boolean;
  readonly configFile?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly address?: string;
  readonly ports?: Ports;
  readonly caFile?: string;
  readonly site?: string;
  readonly mail?: string;
}

interface Ports {
  readonly https: number;
  readonly http: number;
  readonly ssh: number;
}

/** Longest time of a command in a pod, in milliseconds: Rails takes a minute or two to start. */
const commandPatience = 300_000;

/** `hearth smoke`. */
export function smokeCommand(session: Session) {
  return newCommand("smoke")
    .description(
      "Asks every public host of a stack what the specification's tables say of it: DNS, certificate, web pages, APIs, health, paths that must not be public, redirects, SSH, with and without the administrators' passwords. It changes nothing and follows no redirect. With --mail it sends mail.",
    )
    .addOption(stackOption())
    .addOption(configFileOption())
    .addOption(sandboxOption("its Secrets; nothing serves its hosts").conflicts(["kubeconfig", "context"]))
    .addOption(kubeconfigOption())
    .addOption(contextOption())
    .addOption(new Option("--address <HOST>", "connect to this address for every host, whatever DNS says"))
    .addOption(
      new Option("--ports <PORTS>", "the ports of HTTPS, HTTP and SSH, e.g. 8443,8080,2222").argParser(threePorts),
    )
    .addOption(new Option("--ca-file <FILE>", "trust the certificates of this authority, too"))
    .addOption(new Option("--site <URL>", "a static site that must be there, e.g. https://team.pages.example.org/"))
    .addOption(
      new Option(
        "--mail <ADDRESS>",
        "have the forge and each suite with a mail server send a mail to this address",
      ).argParser(oneAddress),
    )
    .addOption(jsonOption("its form is schemas/smoke.schema.json"))
    .addHelpText(
      "after",
      "\nThe exit status is 0 where everything answers as it should, 1 where something does not. docs/how-to/status.md says more.",
    )
    .action(async ({ sandbox = false, json = false, ...options }) => {
      const path = (file: string | undefined) => file && resolve(session.folder, file);
      const { configFile, kubeconfig, caFile } = options;
      const files = { configFile: path(configFile), kubeconfig: path(kubeconfig), caFile: path(caFile) };
      session.end(await askAll({ ...options, ...files, sandbox, json }, session));
    });
}

async function askAll({ stack: name, json, ...options }: Options, caller: Caller): Promise<number> {
  const stack = soundStack({ stack: name, ...options }, caller, "Nothing was asked.");
  const [{ sitesDomain, smokeTargets, sshTarget }, { smoke }, { mailSenders }] = await Promise.all([
    import("./targets.ts"),
    import("./run.ts"),
    import("./mail.ts"),
  ]);
  const targets = smokeTargets(stack);
  if (targets.length === 0) throw new Error(`Stack ${name} has no public hosts.`);
  const ssh = sshTarget(stack);
  const site = options.site === undefined ? [] : [siteTarget(options.site, sitesDomain(stack))];
  const ways = {
    address: options.address,
    authority: options.caFile === undefined ? undefined : readFileSync(options.caFile, "utf8"),
    ...{ https: 443, http: 80, ssh: ssh?.port ?? 22 },
    ...options.ports,
  };
  const senders = options.mail === undefined ? [] : mailSenders(stack);
  if (options.mail !== undefined && senders.length === 0)
    throw new UsageError(`No program of stack ${name} sends mail: set hearth:mail, or leave --mail out.`);
  const { cluster, run } = await openCluster(stack, options, caller);
  const mail =
    options.mail === undefined ? {} : { mail: { senders, to: options.mail, by: cluster && { cluster, run } } };
  try {
    const report = await smoke(name, [...targets, ...site], ssh, { ways, cluster, now: new Date(), ...mail });
    if (json) outputJson(caller, report);
    else caller.output((await import("./report.ts")).smokeTable(report));
    return report.sound ? 0 : 1;
  } finally {
    cluster?.close();
  }
}

/** The cluster with the Secrets; where it does not answer, what needs no password is asked all the same. */
async function openCluster(stack: Stack, { sandbox, ...named }: Omit<Options, "stack" | "json">, caller: Caller) {
  const { LiveCluster } = await import("@hearth-platform/stack/live/cluster/cluster");
  const choice = clusterChoice(stack, named);
  const environment = await environmentOf(sandbox);
  const run: MailMeans["run"] = async (place, command) => {
    const { runInPod } = await import("@hearth-platform/stack/live/cluster/run-in-pod");
    return runInPod(choice, place, command, commandPatience, environment);
  };
  try {
    return { cluster: await LiveCluster.open(choice, environment), run };
  } catch (error) {
    caller.error(`Nothing is asked signed in: ${(error as Error).message}\n`);
    return { cluster: undefined, run };
  }
}

/** @throws UsageError for a site that is not below the stack's own domain of sites */
function siteTarget(url: string, domain: string | undefined): Target {
  const { protocol, hostname, pathname, search } = URL.canParse(url) ? new URL(url) : new URL("none:");
  if (protocol !== "https:" || domain === undefined || !hostname.endsWith(`.${domain}`))
    throw new UsageError(
      `--site takes the URL of a site of this stack${domain ? `, such as https://team.${domain}/` : ", which has none"}`,
    );
  return { host: hostname, requests: [{ path: `${pathname}${search}`, to: "pages" }], redirects: true };
}

/** @throws InvalidArgumentError, which commander tells, for anything but an address of mail */
function oneAddress(text: string): string {
  const [problem] = mailAddress("", text);
  if (problem) throw new InvalidArgumentError(`${problem.message} ${problem.remedy}`);
  return text;
}

/** @throws InvalidArgumentError, which commander tells, for anything but three ports */
function threePorts(text: string): Ports {
  const [https = 0, http = 0, ssh = 0, ...more] = text.split(",").map(Number);
  const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536;
  if (more.length > 0 || ![https, http, ssh].every(isPort))
    throw new InvalidArgumentError("It takes three ports, such as 443,80,22.");
  return { https, http, ssh };
}
