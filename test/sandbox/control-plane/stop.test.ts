import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controlPlanePaths } from "@hearth-platform/sandbox/control-plane/configuration";
import { runningParts } from "@hearth-platform/sandbox/control-plane/parts";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { resetSandbox, stopSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** A sandbox of which two parts run, as an interrupted start leaves it: no record, and no pid files. */

let state: string;
let children: ChildProcess[];
const files = () => controlPlanePaths(sandboxPaths("unit"));

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "hearth-stop-"));
  vi.stubEnv("XDG_STATE_HOME", state);
  await mkdir(join(files().cluster, "bin"), { recursive: true });
  children = [];
  for (const name of ["etcd", "kube-apiserver"]) {
    const program = join(files().cluster, "bin", name);
    await symlink(process.execPath, program);
    const child = spawn(program, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    children.push(child);
  }
  await expect.poll(() => [...runningParts(files()).keys()].sort()).toEqual(["etcd", "kube-apiserver"]);
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  vi.unstubAllEnvs();
  await rm(state, { recursive: true });
});

it("a stop ends every part that runs, and keeps the content", async () => {
  await mkdir(files().data);
  await writeFile(join(files().data, "snap"), "");
  await stopSandbox("unit");
  expect(runningParts(files()).size).toBe(0);
  expect(existsSync(join(files().data, "snap"))).toBe(true);
});

it("a reset ends them too, and leaves nothing", async () => {
  await resetSandbox("unit");
  expect(runningParts(files()).size).toBe(0);
  expect(existsSync(sandboxPaths("unit").folder)).toBe(false);
});

it("a record that can't be read is in the way of neither", async () => {
  await writeFile(sandboxPaths("unit").record, "");
  await stopSandbox("unit");
  expect(runningParts(files()).size).toBe(0);
});
