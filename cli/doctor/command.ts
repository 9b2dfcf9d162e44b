import { resolve } from "node:path";
import { isWrong } from "@hearth-platform/stack/live/preflight/finding";
import { clusterChoice } from "@hearth-platform/stack/providers";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, newCommand, type Session } from "../command.ts";
import { environmentOf } from "../environment.ts";
import {
  configFileOption,
  contextOption,
  jsonOption,
  kubeconfigOption,
  sandboxOption,
  stackOption,
} from "../options.ts";
import { checkedStack } from "../stack.ts";
import type { Resolver } from "./dns.ts";
import { doctorReport } from "./report.ts";

interface Options {
  readonly stack: string;
  readonly sandbox: boolean;
  readonly json: boolean;
  readonly configFile?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** `hearth doctor`. @param resolver how names are asked for */
export function doctorCommand(session: Session, resolver: Resolver = resolveHost) {
  return newCommand("doctor")
    .description(
      "Checks whether a cluster and the services around it are ready for a stack: kinds, operators, storage classes, issuers, secrets, Traefik, DNS, object stores, quotas, your rights. It changes nothing.",
    )
    .addOption(stackOption())
    .addOption(configFileOption())
    .addOption(sandboxOption("it needs no credentials").conflicts(["kubeconfig", "context"]))
    .addOption(kubeconfigOption())
    .addOption(contextOption())
    .addOption(jsonOption("{stack, ready, findings: [{status, code, subject, message, remedy}]}"))
    .addHelpText(
      "after",
      "\nPreviews and updates are refused too if a finding is 'missing'. docs/reference/doctor.md lists every check.",
    )
    .action(async ({ sandbox = false, json = false, ...options }) => {
      const path = (file: string | undefined) => file && resolve(session.folder, file);
      const files = { configFile: path(options.configFile), kubeconfig: path(options.kubeconfig) };
      session.end(await doctor({ ...options, ...files, sandbox, json }, session, resolver));
    });
}

async function doctor(
  { stack: name, sandbox, json, configFile, ...choice }: Options,
  caller: Caller,
  resolver: Resolver,
) {
  const checked = checkedStack({ stack: name, configFile }, caller);
  if (!checked.stack) {
    if (json) outputJson(caller, { stack: name, ready: false, problems: checked.problems.map(problemRow) });
    caller.error(`The cluster was not checked. ${formatReport(checked.problems)}\n`);
    return 1;
  }
  // The client of clusters and the plans of all objects take their time to load.
  const [{ gather }, { judgeFacts }] = await Promise.all([import("./gather.ts"), import("./judgement.ts")]);
  const facts = await gather(checked.stack, {
    cluster: clusterChoice(checked.stack, choice),
    environment: await environmentOf(sandbox),
    resolve: sandbox ? undefined : resolver,
    now: () => new Date(),
  });
  const found = judgeFacts(facts);
  const ready = !found.some(isWrong);
  if (json) outputJson(caller, { stack: name, ready, findings: found });
  else caller.output(doctorReport(name, found));
  return ready ? 0 : 1;
}

/** As programs of this machine resolve it. */
async function resolveHost(host: string): Promise<string[]> {
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
