import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** One process among all that ever had its pid: the boot it belongs to and the moment it started tell it apart. */
export interface ProcessIdentity {
  readonly pid: number;
  /** `<boot id>/<start in clock ticks since boot>`; see `man 5 proc_pid_stat`, field 22. */
  readonly started: string;
}

/** A process to run. It inherits only what is named here. */
export interface DetachedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** File that gets standard output and standard error, appended. */
  readonly log: string;
}

/**
 * Starts a program that outlives this one, in a session of its own.
 * @throws when the program cannot be executed
 */
export async function startDetached(command: DetachedCommand): Promise<ProcessIdentity> {
  const log = await open(command.log, "a", 0o600);
  try {
    const child = spawn(command.program, command.args, {
      cwd: command.cwd,
      env: command.env as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    const identity = identify(child.pid ?? 0);
    if (!identity) throw new Error(`${command.program} ended at once: see ${command.log}.`);
    return identity;
  } finally {
    await log.close();
  }
}

/** Whether the very process that was recorded still runs: not another one with its pid, not one of before a reboot. */
export function isRunning(recorded: ProcessIdentity | undefined): recorded is ProcessIdentity {
  return recorded !== undefined && identify(recorded.pid)?.started === recorded.started;
}

/** Ends a recorded process: asks it to, and after `patienceMs` (default 10 s) makes it. Does nothing if it is gone. @throws Error where it may not be ended */
export async function stopDetached(recorded: ProcessIdentity | undefined, patienceMs = 10_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (
    let signal: NodeJS.Signals | 0 = "SIGTERM";
    isRunning(recorded);
    signal = Date.now() > deadline ? "SIGKILL" : 0
  ) {
    try {
      process.kill(recorded.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
    await delay(50);
  }
}

/** The process that has this pid now; undefined when there is none or it has already ended (a zombie). */
export function identify(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold anything; the third is the state.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return undefined;
    return { pid, started: `${bootId()}/${fields[19]}` };
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}
