import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import {
  controlPlaneIsUp,
  discardControlPlane,
  startControlPlane,
  stopControlPlane,
} from "./control-plane/control-plane.ts";
import { controlPlaneParts } from "./control-plane/parts.ts";
import { isRunning, stopDetached } from "./detached-process.ts";
import { emptyConfigFiles } from "./environment.ts";
import { fullDisk } from "./full-disk.ts";
import { waitUntil } from "./health.ts";
import { withLock } from "./lock.ts";
import { type OwnPartDefinition, ownParts } from "./own-parts.ts";
import { type SandboxPaths, sandboxPaths } from "./paths.ts";
import { installPlugins } from "./plugins/install.ts";
import { choosePorts, type PortName } from "./ports.ts";
import { ensurePrograms, type Programs } from "./programs/programs.ts";
import { createProgress, type Progress } from "./progress.ts";
import { newRecord, readRecord, type SandboxRecord, writeRecord } from "./record.ts";
import type { Sandbox } from "./started-sandbox.ts";

const partTimeoutMs = 30_000;

/**
 * Starts the sandbox, or heals it: what runs and answers is left alone, everything else is started. What was in it is
 * there again. Two starts at once are safe: the second waits and finds everything running.
 * @param name default: `$HEARTH_SANDBOX`, else `dev`
 * @param signal stops the start, which then ends what it began
 * @throws saying what is wrong and what to do; nothing that this start began is left running then
 */
export async function startSandbox(
  name?: string,
  progress: Progress = createProgress(),
  signal?: AbortSignal,
): Promise<Sandbox> {
  const paths = sandboxPaths(name);
  const programs = await ensurePrograms(progress);
  return locked(paths, progress, async (lost) => {
    const stopped = signal ? AbortSignal.any([signal, lost]) : lost;
    const step = progress.step("Starting the sandbox");
    const begun: Array<() => Promise<void>> = [];
    try {
      const { sandbox, result } = await start(paths, programs, begun, stopped);
      step.done(result);
      return sandbox;
    } catch (error) {
      step.failed();
      for (const end of begun.reverse()) await end();
      // Work that was aborted, or found no room, fails with other messages.
      stopped.throwIfAborted();
      throw (await fullDisk(paths.folder)) ?? error;
    }
  });
}

/** Stops everything that runs; what is in the sandbox stays. */
export async function stopSandbox(name?: string, progress: Progress = createProgress()): Promise<void> {
  const paths = sandboxPaths(name);
  await locked(paths, progress, () => stop(paths, progress));
}

/** Stops everything and deletes the sandbox's folder: objects, buckets, images and Pulumi's state are gone. @throws Error where a process may not be ended, or a file not be deleted */
export async function resetSandbox(name?: string, progress: Progress = createProgress()): Promise<void> {
  const paths = sandboxPaths(name);
  const work = async (lost: AbortSignal) => {
    await stop(paths, progress);
    lost.throwIfAborted();
    await rm(paths.folder, { recursive: true, force: true });
  };
  try {
    await locked(paths, progress, work);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    // A full disk may have no room for the lock. The logs go anyway.
    await rm(paths.logs, { recursive: true, force: true });
    await locked(paths, progress, work);
  }
}

/**
 * The running sandbox, for commands that use it.
 * @throws when it is not running
 */
export async function openSandbox(name?: string, progress: Progress = createProgress()): Promise<Sandbox> {
  const paths = sandboxPaths(name);
  const record = await readRecord(paths);
  if (!record || !ownParts.every((part) => isRunning(record.processes[part.name])))
    throw new Error(`The sandbox "${paths.name}" is not running: start it with "./hearth sandbox start --no-up".`);
  return { paths, programs: await ensurePrograms(progress), record };
}

/** Runs `work` while no other process starts, stops or resets this sandbox. */
function locked<T>(paths: SandboxPaths, progress: Progress, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const waiting = () => progress.step("Waiting for another start or stop of this sandbox");
  return withLock(paths.folder, { stale: 15_000, patience: 10 * 60_000, waiting }, work);
}

async function start(paths: SandboxPaths, programs: Programs, begun: Array<() => Promise<void>>, signal: AbortSignal) {
  for (const folder of [paths.folder, paths.logs, paths.pulumiHome, paths.pulumiState])
    await mkdir(folder, { recursive: true, mode: 0o700 });

  const old = await readRecord(paths);
  const controlPlaneDown = !old || !(await controlPlaneIsUp(paths, old.ports, programs));
  const partsDown = await partsToStart(old, controlPlaneDown);
  if (controlPlaneDown) await stopControlPlane(paths);
  // A first start that was ended while it installed definitions leaves some that the API server never serves. Parts start after them.
  if (controlPlaneDown && old && Object.keys(old.processes).length === 0) await discardControlPlane(paths);
  for (const part of partsDown) await stopDetached(old?.processes[part.name]);

  const names: PortName[] = partsDown.flatMap((part) => part.ports);
  if (controlPlaneDown) names.push(...controlPlaneParts.map((part) => part.name), "etcd-peer");
  const { ports, moved } = await choosePorts(old?.ports ?? {}, names);
  let record: SandboxRecord = old ? { ...old, ports } : newRecord(ports);
  await writeRecord(paths, record);
  for (const [file, content] of Object.entries(emptyConfigFiles({ paths, programs, record }))) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600 });
  }
  await installPlugins({ pulumiHome: paths.pulumiHome });

  if (controlPlaneDown) {
    begun.push(() => stopControlPlane(paths));
    await startControlPlane(paths, ports, programs, signal);
  }
  // Only a start talks to the cluster.
  const [{ setUpCluster, showStagesAgain }, { KubeClient }] = await Promise.all([
    import("./cluster-setup.ts"),
    import("./kubernetes/client.ts"),
  ]);
  const setUp = await setUpCluster({ paths, programs }, signal);
  for (const part of partsDown) {
    const identity = await part.start({ paths, programs, record });
    begun.push(() => stopDetached(identity));
    const code = await part.code?.();
    record = {
      ...record,
      processes: { ...record.processes, [part.name]: identity },
      code: { ...record.code, [part.name]: code },
    };
    await writeRecord(paths, record);
    const answers = async () => !isRunning(identity) || (await part.isHealthy(record));
    if (!(await waitUntil(answers, partTimeoutMs, signal)) || !isRunning(identity))
      throw new Error(`The sandbox's ${part.label} did not start: see ${part.log(paths)}, then start again.`);
  }
  // By now kwok has had time to take in what it was sent.
  if (setUp || controlPlaneDown) await showStagesAgain(KubeClient.fromKubeconfig(paths.kubeconfig));
  return { sandbox: { paths, programs, record }, result: summary(controlPlaneDown, partsDown, moved, ports) };
}

/** The parts that do not run, do not answer or run other code; and those that use the servers, when one of these is started anew. */
async function partsToStart(
  record: SandboxRecord | undefined,
  controlPlaneDown: boolean,
): Promise<OwnPartDefinition[]> {
  const healthy = await Promise.all(
    ownParts.map(
      async (part) =>
        record &&
        isRunning(record.processes[part.name]) &&
        record.code?.[part.name] === (await part.code?.()) &&
        (await part.isHealthy(record)),
    ),
  );
  const down = ownParts.filter((_, index) => !healthy[index]);
  const serverDown = controlPlaneDown || down.some((part) => !part.usesServers);
  return ownParts.filter((part) => down.includes(part) || (part.usesServers && serverDown));
}

/** Stops every part that runs, also those of a start that was interrupted before it could note them. */
async function stop(paths: SandboxPaths, progress: Progress): Promise<void> {
  const { processes = {} } = (await readRecord(paths).catch(() => undefined)) ?? {};
  const step = progress.step("Stopping the sandbox");
  try {
    await stopDetached(processes.page);
    await stopDetached(processes["site-webhook"]);
    for (const part of [...ownParts].reverse()) await stopDetached(processes[part.name]);
    await stopControlPlane(paths);
    step.done();
  } catch (error) {
    step.failed();
    throw error;
  }
}

function summary(
  controlPlaneStarted: boolean,
  partsStarted: readonly OwnPartDefinition[],
  moved: readonly PortName[],
  ports: Readonly<Record<PortName, number>>,
): string {
  if (!controlPlaneStarted && partsStarted.length === 0) return "already running";
  const started = [...(controlPlaneStarted ? ["control plane"] : []), ...partsStarted.map((part) => part.label)];
  const changes = moved.map((name) => `; the port of ${name} was taken by another program, so it uses ${ports[name]}`);
  return `started ${started.join(", ")}${changes.join("")}`;
}
