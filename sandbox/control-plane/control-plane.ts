import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { stopDetached } from "../detached-process.ts";
import { isHealthy, waitUntil } from "../health.ts";
import type { SandboxPaths } from "../paths.ts";
import type { Ports } from "../ports.ts";
import type { Programs } from "../programs/programs.ts";
import { type ControlPlanePaths, clusterName, controlPlaneConfiguration, controlPlanePaths } from "./configuration.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { controlPlaneParts, partLog, partPid, removeStalePidFiles, runningParts } from "./parts.ts";

const startTimeoutMs = 60_000;

/** In the format of container runtimes, the only one that KWOK takes. */
const simulatedLog =
  "2026-01-01T00:00:00.000000000Z stdout F This container is simulated by KWOK: no program runs in it, so it writes no log.\n";

/** Whether every part runs and answers, and runs with this very configuration. */
export async function controlPlaneIsUp(paths: SandboxPaths, ports: Ports, programs: Programs): Promise<boolean> {
  const files = controlPlanePaths(paths);
  if (!(await isConfigured(files, ports, programs))) return false;
  return (await failingParts(files, ports)).length === 0;
}

/**
 * Starts the control plane, or heals it: what is left of it is stopped first, for kwokctl waits in vain for a part that
 * was killed. Objects of earlier runs are all there again.
 * @throws when it does not become healthy, naming the part and its log
 */
export async function startControlPlane(
  paths: SandboxPaths,
  ports: Ports,
  programs: Programs,
  signal?: AbortSignal,
): Promise<void> {
  const problem =
    (await problemOfStart(paths, ports, programs, signal)) && (await problemOfStart(paths, ports, programs, signal));
  if (problem) throw new Error(`${problem}, then start again.`);
}

/** Whether every part answers. One that has ended is started again: on a busy machine it gives up before the API server answers. */
async function isUpOrRestarted(
  paths: SandboxPaths,
  files: ControlPlanePaths,
  ports: Ports,
  programs: Programs,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const failing = await failingParts(files, ports);
  if (failing.length === 0) return true;
  if (!allRun(files) && !failing.some(({ name }) => name === "kube-apiserver")) {
    // kwokctl leaves those alone that run.
    await removeStalePidFiles(files);
    await kwokctl(paths, programs, ["start", "cluster"], signal);
  }
  return false;
}

/** Starts it once. @returns what went wrong */
async function problemOfStart(
  paths: SandboxPaths,
  ports: Ports,
  programs: Programs,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const files = controlPlanePaths(paths);
  await stopControlPlane(paths);
  const configured = await isConfigured(files, ports, programs);
  if (!configured) await configure(files, ports, programs);
  const succeeded = configured
    ? await kwokctl(paths, programs, ["start", "cluster"], signal)
    : // Without this empty --kubeconfig it would write to the user's.
      await kwokctl(paths, programs, ["create", "cluster", "--config", files.configuration, "--kubeconfig="], signal);
  // It also fails, with everything running, where the data of earlier runs already has the definition of Stage.
  if (!succeeded && !allRun(files)) {
    // The next start rebuilds what is half made.
    if (!configured) await rm(files.state, { force: true });
    return `kwokctl could not start the control plane: see ${kwokctlLog(paths)}`;
  }

  await writeKubeconfig(paths.kubeconfig, files, ports["kube-apiserver"]);
  if (await waitUntil(() => isUpOrRestarted(paths, files, ports, programs, signal), startTimeoutMs, signal))
    return undefined;
  const [part] = await failingParts(files, ports);
  return part && `The sandbox's ${part.name} does not answer: see ${partLog(files, part)}`;
}

/** Stops every part that runs, etcd last; the data stays. It needs no room on the disk. @throws Error where one may not be ended */
export async function stopControlPlane(paths: SandboxPaths): Promise<void> {
  const files = controlPlanePaths(paths);
  const { etcd = [], ...others } = Object.fromEntries(runningParts(files));
  await Promise.all(
    Object.values(others)
      .flat()
      .map((process) => stopDetached(process)),
  );
  await Promise.all(etcd.map((process) => stopDetached(process)));
  await removeStalePidFiles(files);
}

/** Deletes what a stopped control plane holds: the next start makes a new one. */
export async function discardControlPlane(paths: SandboxPaths): Promise<void> {
  for (const path of [controlPlanePaths(paths).data, paths.controlPlane, paths.kubeconfig])
    await rm(path, { recursive: true, force: true });
}

function allRun(files: ControlPlanePaths): boolean {
  const running = runningParts(files);
  return controlPlaneParts.every(({ name }) => running.has(name));
}

async function failingParts(files: ControlPlanePaths, ports: Ports) {
  const healthy = await Promise.all(
    controlPlaneParts.map(
      async (part) =>
        partPid(files, part) !== undefined &&
        (await isHealthy(`${part.scheme}://127.0.0.1:${ports[part.name]}${part.health}`)),
    ),
  );
  return controlPlaneParts.filter((_, index) => !healthy[index]);
}

async function isConfigured(files: ControlPlanePaths, ports: Ports, programs: Programs): Promise<boolean> {
  const [configuration, state] = await Promise.all(
    [files.configuration, files.state].map((file) => readFile(file, "utf8").catch(() => undefined)),
  );
  return state !== undefined && configuration === controlPlaneConfiguration(files, ports, programs);
}

/** Lets kwokctl make the cluster anew, with other ports or programs, around the same data and certificates. */
async function configure(files: ControlPlanePaths, ports: Ports, programs: Programs): Promise<void> {
  for (const made of [files.state, join(files.cluster, "bin"), join(files.cluster, "pids")])
    await rm(made, { recursive: true, force: true });
  await mkdir(files.data, { recursive: true, mode: 0o700 });
  await mkdir(files.workdir, { recursive: true, mode: 0o700 });
  await writeFile(files.containerLog, simulatedLog);
  await writeFile(files.configuration, controlPlaneConfiguration(files, ports, programs));
}

/** @returns whether it says that it succeeded */
async function kwokctl(
  paths: SandboxPaths,
  programs: Programs,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const log = { file: kwokctlLog(paths), append: true };
  const environment = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("KWOK_") && name !== "KUBECONFIG",
  );
  const result = await execa(programs.kwokctl, [...args, "--name", clusterName], {
    env: { ...Object.fromEntries(environment), KWOK_WORKDIR: controlPlanePaths(paths).workdir },
    extendEnv: false,
    stdin: "ignore",
    stdout: log,
    stderr: log,
    timeout: startTimeoutMs,
    cancelSignal: signal,
    reject: false,
  });
  signal?.throwIfAborted();
  return !result.failed;
}

function kwokctlLog(paths: SandboxPaths): string {
  return join(paths.logs, "kwokctl.log");
}
