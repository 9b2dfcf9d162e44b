import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

/** A server being measured, in a process of its own. */
export interface MeasuredServer {
  readonly name: string;
  readonly port: number;
  /** Seconds of CPU that its threads have used, and the programs it ran once these have ended. */
  cpu(): Promise<number>;
  /** Most resident memory so far, MB. */
  peakMemory(): Promise<number>;
  stop(): Promise<void>;
}

/** A spawned server, from its process and where it listens. */
export function measured(name: string, child: ChildProcess, port: number): MeasuredServer {
  const { pid } = child;
  return {
    name,
    port,
    async cpu() {
      await childrenEnded(pid);
      const threads = (await readdir(`/proc/${pid}/task`)).map(async (thread) => {
        // In nanoseconds; `stat` next to it counts ticks of 10 ms.
        const [running = ""] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8")).split(" ");
        return Number(running) / 1e9;
      });
      const own = (await Promise.all(threads)).reduce((sum, seconds) => sum + seconds, 0);
      const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
      // cutime and cstime, in ticks of 10 ms.
      return own + (Number(fields[13]) + Number(fields[14])) / 100;
    },
    async peakMemory() {
      const text = await readFile(`/proc/${pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function childrenEnded(pid: number | undefined): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const threads = await readdir(`/proc/${pid}/task`);
    // A thread may end in between, with no children then.
    const children = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""));
    if ((await Promise.all(children)).every((list) => list === "")) return;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The yardstick: `node:http` that answers 202 with the same headers at once and does nothing. */
export function startBare(): Promise<MeasuredServer> {
  return startScript("bare node:http", "bare.ts", []);
}

/** The yardstick of writing: `node:http` that does one `https.request` a call and nothing else. */
export function startPatching(apiPort: number, folder: string): Promise<MeasuredServer> {
  return startScript("bare node:http, one https.request a call", "bare.ts", [], String(apiPort), folder);
}

/** Hono and its adapter, which hold each call until the next whole second and do nothing else: what of a burst's cost is theirs. */
export function startHono(flags: readonly string[]): Promise<MeasuredServer> {
  return startScript("Hono alone, next-second", "hono-alone.ts", flags);
}

async function startScript(name: string, script: string, flags: readonly string[], ...args: string[]) {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return measured(name, child, Number(String(line)));
}

/** Debian's `webhook` with a hook that runs `/bin/true`; undefined where it is not installed. */
export async function startDebianWebhook(folder: string, port: number): Promise<MeasuredServer | undefined> {
  const hooks = join(folder, "hooks.json");
  await writeFile(hooks, JSON.stringify([{ id: "sync", "execute-command": "/bin/true" }]));
  const child = spawn("webhook", ["-hooks", hooks, "-ip", "127.0.0.1", "-port", String(port)], { stdio: "ignore" });
  const missing = await Promise.race([once(child, "error").then(() => true), listening(port).then(() => false)]);
  return missing ? undefined : measured("Debian's webhook, exec hook", child, port);
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (open) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`Nothing listens on port ${port}.`);
}
