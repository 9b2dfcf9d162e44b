import { readdirSync, readFileSync } from "node:fs";
import { identify } from "@hearth-platform/sandbox/detached-process";
import { sandboxStatus } from "@hearth-platform/sandbox/status";
import { expect } from "vitest";

/** What is killed: the engine, the program it runs, its provider plugins, and the servers they talk to. */
export const victims = ["engine", "program", "plugins", "kube-apiserver", "etcd", "object-storage"] as const;

export type Victim = (typeof victims)[number];

/** Whether it runs with the sandbox, which has to be started again then. */
export const isServer = (victim: Victim) => victim !== "engine" && victim !== "program";

/** Kills it at once, as a lack of memory would, and waits until it is gone. @param engine process id of Pulumi */
export async function kill(victim: Victim, engine: number): Promise<void> {
  const pid = await pidOf(victim, engine);
  if (pid === undefined) throw new Error(`There is no process of ${victim}.`);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => identify(pid), { interval: 5, timeout: 10_000 }).toBeUndefined();
}

async function pidOf(victim: Victim, engine: number): Promise<number | undefined> {
  if (victim === "engine") return engine;
  if (victim === "program") return descendants(engine).find((pid) => commandOf(pid).includes("@pulumi/pulumi/cmd/run"));
  return (await sandboxStatus(undefined)).find(({ name }) => name === victim)?.pid;
}

function descendants(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** See `man 5 proc_pid_stat`: the second field is the name in parentheses, the fourth the parent. */
function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

const commandOf = (pid: number) => read(`/proc/${pid}/cmdline`);

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
