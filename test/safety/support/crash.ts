import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { pluginNames } from "@hearth-platform/sandbox/plugins/names";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox, startSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import type { CommandResult, DevStack } from "../../support/stack.ts";
import { type Moment, type Operation, proxyProvider, type Watch } from "./provider-proxy.ts";
import { isServer, kill, type Victim } from "./victims.ts";

const root = join(import.meta.dirname, "../../..");

/** Where an update is interrupted, and by what. */
export interface Point {
  readonly operation: Operation;
  readonly moment: Moment;
  readonly victim: Victim;
}

/** `etcd killed before create Secret team/cloudsuite-admin`. */
export function shown({ operation: { verb, urn }, moment, victim }: Point): string {
  const [type = "", name = ""] = urn.split("::").slice(2);
  return `${victim} killed ${moment} ${verb} ${type.split(/[$:]/).at(-1)} ${name}`;
}

/** An update that runs to its end. @returns its operations in the order in which they began */
export async function cleanUp(stack: DevStack): Promise<Operation[]> {
  const operations: Operation[] = [];
  const { exitCode, all } = await watchedUp(stack, async (operation, moment) => {
    if (moment === "before") operations.push(operation);
    return true;
  });
  if (exitCode !== 0) throw new Error(all);
  return operations;
}

/** An update that is interrupted at a point. The servers run again afterwards. @returns whether the point was reached */
export async function crash(stack: DevStack, { operation, moment, victim }: Point): Promise<boolean> {
  let reached = false;
  let patience: NodeJS.Timeout | undefined;
  const given = new AbortController();
  const watch = async ({ verb, urn }: Operation, now: Moment, engine: number) => {
    if (reached || verb !== operation.verb || urn !== operation.urn || now !== moment) return true;
    reached = true;
    await kill(victim, engine);
    patience = setTimeout(() => given.abort(), patienceMs);
    return victim !== "engine";
  };
  await watchedUp(stack, watch, given.signal).finally(() => clearTimeout(patience));
  if (reached && isServer(victim)) await startSandbox(undefined, createProgress());
  return reached;
}

/** How long an update may go on after a server is gone; a person would end it then. */
const patienceMs = 120_000;

async function watchedUp(
  stack: DevStack,
  watch: (operation: Operation, moment: Moment, engine: number) => ReturnType<Watch>,
  given?: AbortSignal,
): Promise<CommandResult> {
  const sandbox = await openSandbox();
  let engine = 0;
  const proxies = await Promise.all(
    pluginNames.map((name) =>
      proxyProvider(sandbox.record.ports[`plugin-${name}`], (operation, moment) => watch(operation, moment, engine)),
    ),
  );
  const addresses = pluginNames.map((name, index) => `${name}:${proxies[index]?.port}`);
  try {
    const options = ["--stack", "dev", "--config-file", stack.stackFile, "--non-interactive", "--color", "never"];
    const up = execa(sandbox.programs.pulumi, ["up", "--yes", "--skip-preview", ...options], {
      cwd: root,
      env: { ...sandboxEnvironment(sandbox), PULUMI_DEBUG_PROVIDERS: addresses.join() },
      stdin: "ignore",
      all: true,
      reject: false,
      cancelSignal: given,
    });
    engine = up.pid ?? 0;
    const { exitCode, stdout, all } = await up;
    return { exitCode, stdout, all };
  } finally {
    for (const proxy of proxies) proxy.close();
  }
}
