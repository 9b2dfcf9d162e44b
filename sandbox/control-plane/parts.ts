import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { identify, type ProcessIdentity } from "../detached-process.ts";
import type { PortName } from "../ports.ts";
import type { ControlPlanePaths } from "./configuration.ts";

/** A process of the control plane. */
export interface ControlPlanePart {
  /** kwokctl's name for it, which its pid file, log file and program in the cluster's folder share. */
  readonly name: PortName;
  /** Health endpoint that needs no credentials. */
  readonly scheme: "http" | "https";
  readonly health: string;
}

/** In the order they depend on each other. */
export const controlPlaneParts: readonly ControlPlanePart[] = [
  { name: "etcd", scheme: "http", health: "/health" },
  { name: "kube-apiserver", scheme: "https", health: "/readyz" },
  { name: "kube-controller-manager", scheme: "https", health: "/healthz" },
  { name: "kube-scheduler", scheme: "https", health: "/healthz" },
  { name: "kwok-controller", scheme: "https", health: "/healthz" },
];

/** The log that kwokctl lets a part write. */
export function partLog(paths: ControlPlanePaths, part: ControlPlanePart): string {
  return join(paths.cluster, "logs", `${part.name}.log`);
}

/** The running process of a part; undefined when it is not running. */
export function partPid(paths: ControlPlanePaths, part: ControlPlanePart): number | undefined {
  return runningParts(paths).get(part.name)?.at(-1)?.pid;
}

/**
 * The running processes of the control plane, by their part. They are told by the program that they run: kwokctl's pid files go
 * with its folder when a creation fails or is interrupted, and the processes do not.
 */
export function runningParts(paths: ControlPlanePaths): ReadonlyMap<string, readonly ProcessIdentity[]> {
  const bin = join(paths.cluster, "bin", "/");
  const found = new Map<string, ProcessIdentity[]>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const program = programOf(pid);
    const identity = program.startsWith(bin) ? identify(Number(pid)) : undefined;
    if (!identity) continue;
    const name = program.slice(bin.length);
    found.set(name, [...(found.get(name) ?? []), identity]);
  }
  return found;
}

/**
 * Removes the pid files whose process has ended. kwokctl looks only whether the pid exists: after a reboot it would take
 * a stranger's process for its own.
 */
export async function removeStalePidFiles(paths: ControlPlanePaths): Promise<void> {
  const folder = join(paths.cluster, "pids");
  const files = await readdir(folder).catch(() => []);
  const running = runningParts(paths);
  for (const file of files) {
    const pid = Number.parseInt(await readFile(join(folder, file), "utf8"), 10);
    const own = running.get(file.replace(/\.pid$/, "")) ?? [];
    if (!own.some((process) => process.pid === pid)) await rm(join(folder, file), { force: true });
  }
}

/** kwokctl runs each part by its path in the cluster's folder, which no other process has as its first argument. */
function programOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "";
  } catch {
    return "";
  }
}
