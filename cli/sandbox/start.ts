import { constants } from "node:os";
import { ensureContainerBuilder } from "@hearth-platform/sandbox/container-builder";
import { sandboxEnvironment, sandboxStack } from "@hearth-platform/sandbox/environment";
import { startPage } from "@hearth-platform/sandbox/page";
import { checkout } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { pulumi } from "@hearth-platform/sandbox/pulumi-project";
import { startSandbox } from "@hearth-platform/sandbox/sandbox";
import { ensureSiteWebhook } from "@hearth-platform/sandbox/site-webhook";
import type { Sandbox } from "@hearth-platform/sandbox/started-sandbox";
import { hearingSignals } from "@hearth-platform/sandbox/stop-signals";
import { execa } from "execa";
import type { Caller } from "../command.ts";
import { heal } from "../heal/command.ts";
import { lacksInputs, lastFailed, releaseStale, wasKilled } from "../heal/file-backend.ts";
import { ending } from "./ending.ts";
import { sandboxBackend } from "./pulumi.ts";
import { inTurn } from "./turn.ts";

/** Starts the sandbox, brings up stack dev in it unless `up` is false, and gives the exit status. */
export async function startAndUp(up: boolean, caller: Caller): Promise<number> {
  const progress = createProgress();
  await ensureContainerBuilder(progress);
  const sandbox = await untilInterrupted((signal) => startSandbox(undefined, progress, signal));
  const page = await startPage(sandbox, progress);
  if (!up) {
    await ensureSiteWebhook(sandbox, progress);
    caller.output(`The platform as a picture: ${page}\n`);
    return 0;
  }
  caller.error(`Bringing up stack ${sandboxStack}: about a minute the first time. Watch it come up: ${page}\n`);

  const backend = sandboxBackend(sandbox);
  const status = await inTurn(sandbox.paths.folder, backend, progress, async () => {
    // An update that a kill ended, or that lost a provider, leaves the state behind what it made.
    if (wasKilled(backend) || lastFailed(backend) || lacksInputs(backend))
      await heal({ stack: sandboxStack, sandbox: true, yes: true, json: false }, caller);
    releaseStale(backend);
    // The update refuses what a preview would refuse, so no preview runs first.
    return pulumi(sandbox, ["up", "--yes", "--skip-preview", "--suppress-outputs"]);
  });
  if (status !== 0) {
    caller.error(`The sandbox runs, but stack ${sandboxStack} did not come up: see above, then run npm start again.\n`);
    return 1;
  }
  const [unchanged, found, webhook] = await Promise.all([
    nothingChanged(sandbox),
    outputs(sandbox),
    ensureSiteWebhook(sandbox, progress),
  ]);
  caller.output(`\n${ending({ outputs: found, unchanged, webhook, page })}\n`);
  return 0;
}

/** Lets Ctrl-C and a polite kill end the work in order; a second one ends it at once. */
function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[signal]);
    controller.abort(new Error("Interrupted: the parts that this start began are stopping again."));
  };
  return hearingSignals(interrupt, () => work(controller.signal));
}

/** Whether the last update found everything as it should be. */
async function nothingChanged(sandbox: Sandbox): Promise<boolean> {
  const [last] = await query<Array<{ resourceChanges?: Record<string, number> }>>(sandbox, [
    ...["stack", "history", "--json", "--page-size", "1"],
  ]);
  const { same: _, ...changes } = last?.resourceChanges ?? {};
  return Object.values(changes).every((count) => count === 0);
}

function outputs(sandbox: Sandbox): Promise<Record<string, unknown>> {
  return query(sandbox, ["stack", "output", "--json"]);
}

async function query<T>(sandbox: Sandbox, args: readonly string[]): Promise<T> {
  const { stdout } = await execa(sandbox.programs.pulumi, args, {
    cwd: checkout,
    env: { ...process.env, ...sandboxEnvironment(sandbox) },
    extendEnv: false,
  });
  return JSON.parse(stdout) as T;
}
