import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identify, isRunning, startDetached, stopDetached } from "@hearth-platform/sandbox/detached-process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-process-"));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (script: string) =>
  startDetached({
    program: process.execPath,
    args: ["-e", script],
    env: { GREETING: "hello" },
    cwd: folder,
    log: join(folder, "log"),
  });

describe("a detached process", () => {
  it("runs with the given environment alone, writes its log and is stopped", async () => {
    const identity = await run("console.log(process.env.GREETING, process.env.PATH); setInterval(() => {}, 1000)");
    await expect.poll(() => readFile(join(folder, "log"), "utf8")).toBe("hello undefined\n");
    expect(isRunning(identity)).toBe(true);
    await stopDetached(identity);
    expect(isRunning(identity)).toBe(false);
  });

  it("that does not listen to a polite request is killed", async () => {
    const identity = await run('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
    await expect.poll(() => readFile(join(folder, "log"), "utf8")).toBe("up\n");
    await stopDetached(identity, 100);
    expect(isRunning(identity)).toBe(false);
  });

  it("that cannot be executed is an error", async () => {
    const command = { program: join(folder, "none"), args: [], env: {}, cwd: folder, log: join(folder, "log") };
    await expect(startDetached(command)).rejects.toThrow(/ENOENT/);
  });
});

describe("a recorded process", () => {
  const self = identify(process.pid);

  it("is running when pid, boot and start time agree", () => {
    expect(isRunning(self)).toBe(true);
  });

  it("is not running when its pid belongs to a process that started at another time", () => {
    expect(isRunning({ pid: process.pid, started: `${self?.started}1` })).toBe(false);
  });

  it("is not running after a reboot, even with the same pid and clock ticks", () => {
    const ticks = self?.started.split("/")[1];
    expect(isRunning({ pid: process.pid, started: `00000000-0000-0000-0000-000000000000/${ticks}` })).toBe(false);
  });

  it("is left alone by stop when it is another one", async () => {
    await stopDetached({ pid: process.pid, started: "of/before" });
    expect(isRunning(self)).toBe(true);
  });
});
