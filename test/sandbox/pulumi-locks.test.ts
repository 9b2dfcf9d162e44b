import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { removeStaleLocks } from "@hearth-platform/sandbox/pulumi-locks";
import { afterEach, beforeEach, expect, it } from "vitest";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hearth-locks-"));
});
afterEach(() => rmSync(state, { recursive: true }));

async function staysLocked(lock: string): Promise<boolean> {
  const folder = join(state, ".pulumi", "locks", "organization", "hearth", "dev");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "2c7a4d0e.json");
  writeFileSync(file, lock);
  await removeStaleLocks(state);
  return existsSync(file);
}

const lockOf = (pid: number | undefined, host = hostname()) =>
  JSON.stringify({ pid, username: "someone", hostname: host, timestamp: "2026-01-01T00:00:00Z" });

it("a lock goes when the Pulumi that held it was killed", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(await staysLocked(lockOf(child.pid))).toBe(false);
});

it("a lock goes when another program has the pid of the Pulumi that held it", async () => {
  expect(await staysLocked(lockOf(process.pid))).toBe(false);
});

it("a lock stays while its Pulumi runs", async () => {
  const program = join(state, "pulumi");
  copyFileSync("/bin/sleep", program);
  const child = spawn("/bin/sh", ["-c", `chmod +x ${program} && exec ${program} 60`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child, "spawn");
  await expect.poll(() => readlinkSync(`/proc/${child.pid}/exe`), { timeout: 5_000 }).toBe(program);
  expect(await staysLocked(lockOf(child.pid))).toBe(true);
  child.kill();
});

it.each([
  ["of another host", lockOf(1, "elsewhere.example.org")],
  ["that can't be read", "{"],
])("a lock %s stays", async (_, lock) => expect(await staysLocked(lock)).toBe(true));

it("a backend without locks is left alone", () =>
  expect(removeStaleLocks(join(state, "none"))).resolves.toBeUndefined());
