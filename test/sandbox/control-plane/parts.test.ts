import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controlPlanePaths } from "@hearth-platform/sandbox/control-plane/configuration";
import { controlPlaneParts, partPid, removeStalePidFiles } from "@hearth-platform/sandbox/control-plane/parts";
import { type SandboxPaths, sandboxPaths } from "@hearth-platform/sandbox/paths";
import { afterEach, beforeEach, expect, it } from "vitest";

const [etcd] = controlPlaneParts;
if (!etcd) throw new Error("The control plane has no parts.");

let folder: string;
let files: ReturnType<typeof controlPlanePaths>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-parts-"));
  const paths: SandboxPaths = { ...sandboxPaths("unit"), folder, controlPlane: join(folder, "control-plane") };
  files = controlPlanePaths(paths);
  await mkdir(join(files.cluster, "pids"), { recursive: true });
  await mkdir(join(files.cluster, "bin"));
});
afterEach(() => rm(folder, { recursive: true }));

const pidFile = () => join(files.cluster, "pids", "etcd.pid");

it("knows its own part by the program it runs", async () => {
  const program = join(files.cluster, "bin", "etcd");
  await symlink(process.execPath, program);
  const child = spawn(program, ["-e", "setInterval(() => {}, 1000)"]);
  try {
    await writeFile(pidFile(), String(child.pid));
    await expect.poll(() => partPid(files, etcd)).toBe(child.pid);
    await removeStalePidFiles(files);
    expect(existsSync(pidFile())).toBe(true);
  } finally {
    child.kill("SIGKILL");
  }
});

it("takes a stranger's process with a recorded pid, as after a reboot, for no part of its own", async () => {
  await writeFile(pidFile(), String(process.pid));
  expect(partPid(files, etcd)).toBeUndefined();
  await removeStalePidFiles(files);
  expect(existsSync(pidFile())).toBe(false);
});

it("takes an unreadable pid file for none", async () => {
  await writeFile(pidFile(), "");
  expect(partPid(files, etcd)).toBeUndefined();
  await removeStalePidFiles(files);
  expect(existsSync(pidFile())).toBe(false);
});
