import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import {
  type FileBackend,
  lacksInputs,
  lastFailed,
  locksOf,
  release,
  releaseStale,
} from "@hearth-platform/cli/heal/file-backend";
import { afterEach, beforeEach, expect, it } from "vitest";

let backend: FileBackend;
beforeEach(() => {
  backend = { folder: mkdtempSync(join(tmpdir(), "hearth-locks-")), project: "hearth", stack: "dev" };
});
afterEach(() => rmSync(backend.folder, { recursive: true }));

function staysLocked(lock: string): boolean {
  const folder = join(backend.folder, "locks/organization/hearth/dev");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "2c7a4d0e.json");
  writeFileSync(file, lock);
  releaseStale(backend);
  return existsSync(file);
}

const lockOf = (pid: number | undefined, host = hostname()) =>
  JSON.stringify({ pid, username: "someone", hostname: host, timestamp: "2026-01-01T00:00:00Z" });

it("a lock goes when the Pulumi that held it was killed", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(staysLocked(lockOf(child.pid))).toBe(false);
});

it("a lock goes when another program has the pid of the Pulumi that held it", async () => {
  expect(staysLocked(lockOf(process.pid))).toBe(false);
});

it("a lock goes when the Pulumi that held it was killed and nobody has waited for it, as in a container without an init", async () => {
  // The process that takes the shell's place knows of no child, and never asks for it.
  const parent = spawn("/bin/sh", ["-c", "read line <&3 & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    const [, stdout, , held] = parent.stdio;
    if (!stdout || !(held instanceof Writable)) throw new Error("no pipes");
    const [line = ""] = await once(stdout, "data");
    const pid = Number.parseInt(String(line), 10);
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8"), { timeout: 10_000 }).toBe("sleep\n");
    // Ends the child: not earlier, since a shell asks for its own.
    held.destroy();
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8"), { timeout: 10_000 }).toContain(") Z ");
    expect(staysLocked(lockOf(pid))).toBe(false);
  } finally {
    parent.kill("SIGKILL");
  }
});

it("a lock that somebody else removed meanwhile is gone, and no error", () => {
  expect(staysLocked(lockOf(1, "elsewhere.example.org"))).toBe(true);
  const locks = locksOf(backend);
  locks.forEach(release);
  locks.forEach(release);
  expect(locksOf(backend)).toEqual([]);
});

it("a lock stays while its Pulumi runs", async () => {
  const program = join(backend.folder, "pulumi");
  copyFileSync("/bin/sleep", program);
  const child = spawn("/bin/sh", ["-c", `chmod +x ${program} && exec ${program} 60`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child, "spawn");
  await expect.poll(() => readlinkSync(`/proc/${child.pid}/exe`), { timeout: 5_000 }).toBe(program);
  expect(staysLocked(lockOf(child.pid))).toBe(true);
  child.kill();
});

it.each([
  ["of another host", lockOf(1, "elsewhere.example.org")],
  // No process has this id here, so that the host alone says that it may run.
  ["of another host, whose process id is free here", lockOf(2 ** 22 + 1, "elsewhere.example.org")],
  ["that can't be read", "{"],
])("a lock %s stays", (_, lock) => expect(staysLocked(lock)).toBe(true));

it("a backend without locks is left alone", () =>
  expect(() => releaseStale({ ...backend, stack: "none" })).not.toThrow());

it.each([
  ["half written goes with the lock of the Pulumi that was killed", "", false],
  ["that is whole stays", '{"user.content_type":"application/json"}', true],
])("a note about the state's file %s", async (_, note, stays) => {
  const stacks = join(backend.folder, "stacks/hearth");
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(stacks, "dev.json"), "{}");
  writeFileSync(join(stacks, "dev.json.attrs"), note);
  const child = spawn("true");
  await once(child, "exit");
  expect(staysLocked(lockOf(child.pid))).toBe(false);
  expect(existsSync(join(stacks, "dev.json.attrs"))).toBe(stays);
});

it("the last operation on the stack failed where its history says so", () => {
  expect(lastFailed(backend)).toBe(false);
  const history = join(backend.folder, "history/hearth/dev");
  mkdirSync(history, { recursive: true });
  const ended = (time: string, result: string) =>
    writeFileSync(join(history, `dev-${time}.history.json`), JSON.stringify({ kind: "update", result }));
  ended("1795395914546633194", "failed");
  writeFileSync(join(history, "dev-1795395914546633199.checkpoint.json"), '{"result":"succeeded"}');
  expect(lastFailed(backend)).toBe(true);
  ended("1795395999546633194", "succeeded");
  expect(lastFailed(backend)).toBe(false);
});

it("a state of an older sandbox is told by objects without what they were sent", () => {
  expect(lacksInputs(backend)).toBe(false);
  const stacks = join(backend.folder, "stacks/hearth");
  mkdirSync(stacks, { recursive: true });
  const recorded = (outputs: object) =>
    writeFileSync(join(stacks, "dev.json"), JSON.stringify({ resources: [{ outputs }] }));
  recorded({ __fieldManager: "pulumi-kubernetes-1" });
  expect(lacksInputs(backend)).toBe(true);
  recorded({ __fieldManager: "pulumi-kubernetes-1", __inputs: {} });
  expect(lacksInputs(backend)).toBe(false);
});
