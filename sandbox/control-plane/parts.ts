import { readFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { identify } from "../detached-process.ts";
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
export async function partPid(paths: ControlPlanePaths, part: ControlPlanePart): Promise<number | undefined> {
  const text = await readFile(pidFile(paths, part.name), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && isOurs(paths, part.name, pid) ? pid : undefined;
}

/**
 * Removes the pid files whose process has ended. kwokctl looks only whether the pid exists: after a reboot it would take
 * a stranger's process for its own and, on stop, kill it.
 */
export async function removeStalePidFiles(paths: ControlPlanePaths): Promise<void> {
  const files = await readdir(join(paths.cluster, "pids")).catch(() => []);
  for (const file of files) {
    const name = file.replace(/\.pid$/, "");
    const pid = Number.parseInt(await readFile(pidFile(paths, name), "utf8"), 10);
    if (!isOurs(paths, name, pid)) await rm(pidFile(paths, name), { force: true });
  }
}

function pidFile(paths: ControlPlanePaths, name: string): string {
  return join(paths.cluster, "pids", `${name}.pid`);
}

/** kwokctl runs each part by its path in the cluster's folder, which no other process has as its first argument. */
function isOurs(paths: ControlPlanePaths, name: string, pid: number): boolean {
  if (!identify(pid)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith(`${join(paths.cluster, "bin", name)}\0`);
  } catch {
    return false;
  }
}
