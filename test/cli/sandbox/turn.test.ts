import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { FileBackend } from "@hearth-platform/cli/heal/file-backend";
import { inTurn } from "@hearth-platform/cli/sandbox/turn";
import type { Progress } from "@hearth-platform/sandbox/progress";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;
let backend: FileBackend;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-turn-"));
  backend = { folder: join(folder, "state"), project: "hearth", stack: "dev" };
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const progress: Progress = {
  step(what) {
    told.push(what);
    return { done: () => told.push("done"), failed: () => told.push("failed") };
  },
};
const sandbox = () => join(folder, "sandbox");

function lockedBy(pid: number | undefined, host = hostname()) {
  const locks = join(backend.folder, "locks/organization/hearth/dev");
  mkdirSync(locks, { recursive: true });
  writeFileSync(join(locks, "2c7a4d0e.json"), JSON.stringify({ pid, hostname: host }));
}

it("a start alone begins at once", async () => {
  expect(await inTurn(sandbox(), backend, progress, async () => 7)).toBe(7);
  expect(told).toEqual([]);
});

it("a second start waits for the first, and says so", async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const first = inTurn(sandbox(), backend, progress, async () => {
    begun.resolve();
    await gate.promise;
    order.push("first");
  });
  await begun.promise;
  const second = inTurn(sandbox(), backend, progress, async () => order.push("second"));
  await expect.poll(() => told).toEqual(["Waiting for another start, which is bringing up stack dev"]);
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(["first", "second"]);
  expect(told.at(-1)).toBe("done");
});

it("a start waits for a Pulumi that works on the stack, and names its process", async () => {
  const program = join(folder, "pulumi");
  copyFileSync("/bin/sleep", program);
  const child = spawn("/bin/sh", ["-c", `chmod +x ${program} && exec ${program} 60`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child, "spawn");
  await expect.poll(() => readlinkSync(`/proc/${child.pid}/exe`), { timeout: 5_000 }).toBe(program);
  lockedBy(child.pid);
  const start = inTurn(sandbox(), backend, progress, async () => told.push("up"));
  await expect.poll(() => told).toEqual([`Waiting for Pulumi, process ${child.pid}, which is working on stack dev`]);
  child.kill();
  await start;
  expect(told.slice(1)).toEqual(["done", "up"]);
});

it("a lock of another machine is left to Pulumi, which names it", async () => {
  lockedBy(1, "elsewhere.example.org");
  expect(await inTurn(sandbox(), backend, progress, async () => "up")).toBe("up");
});
