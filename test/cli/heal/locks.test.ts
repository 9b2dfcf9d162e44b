import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backend, heal, inBackend, killed, password } from "./world.ts";

inBackend();

describe("in a backend that is a folder", () => {
  const lockFile = () => join(backend, ".pulumi/locks/organization/hearth/dev/a.json");
  const lock = (pid: number, host = hostname()) =>
    writeFileSync(
      lockFile(),
      JSON.stringify({ pid, username: "u", hostname: host, timestamp: "2026-01-01T00:00:00Z" }),
    );

  it("the lock of a process that has ended is released", async () => {
    const { pid } = spawnSync("true");
    lock(pid);
    const { status, stderr } = await heal(killed());
    expect([status, existsSync(lockFile())]).toEqual([0, false]);
    expect(stderr).toContain(`the lock of process ${pid} of this machine, which has ended`);
  });

  it("the lock of a process whose id belongs to another program by now is released", async () => {
    lock(process.pid);
    expect(await heal(killed())).toMatchObject({ status: 0 });
    expect(existsSync(lockFile())).toBe(false);
  });

  it("the lock of another machine's process stays, and nothing is done", async () => {
    lock(1, "elsewhere.example.org");
    const { status, stderr, imported } = await heal(killed(password));
    expect([status, imported, existsSync(lockFile())]).toEqual([1, undefined, true]);
    expect(stderr).toContain("process 1 of elsewhere.example.org works on it");
  });

  it("a note beside the state that was half written is removed", async () => {
    const note = join(backend, ".pulumi/stacks/hearth/dev.json.attrs");
    writeFileSync(note, "");
    expect(await heal(killed())).toMatchObject({ status: 0 });
    expect(existsSync(note)).toBe(false);
    writeFileSync(note, '{"user.content_type":"application/json"}');
    await heal(killed());
    expect(existsSync(note)).toBe(true);
  });
});
