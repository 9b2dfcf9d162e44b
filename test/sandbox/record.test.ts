import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SandboxPaths, sandboxPaths } from "@hearth-platform/sandbox/paths";
import type { Ports } from "@hearth-platform/sandbox/ports";
import { newRecord, readRecord, writeRecord } from "@hearth-platform/sandbox/record";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let paths: SandboxPaths;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-record-"));
  paths = { ...sandboxPaths("unit"), folder, record: join(folder, "sandbox.json") };
});
afterEach(() => rm(paths.folder, { recursive: true }));

describe("the record", () => {
  it("comes back as it was written, readable by its owner only", async () => {
    const record = { ...newRecord({ etcd: 20_001 } as Ports), processes: { registry: { pid: 1, started: "boot/1" } } };
    await writeRecord(paths, record);
    expect(await readRecord(paths)).toEqual(record);
    expect((await stat(paths.record)).mode & 0o777).toBe(0o600);
  });

  it("has credentials of its own in each sandbox", () => {
    const [one, other] = [newRecord({} as Ports), newRecord({} as Ports)];
    expect(one.s3).not.toEqual(other.s3);
    expect(one.passphrase).not.toBe(other.passphrase);
  });

  it("is undefined for a sandbox that never ran", async () => {
    expect(await readRecord(paths)).toBeUndefined();
  });

  it.each(["", "{", '{"version": 2}', "null"])("that reads %j is an error which says what to do", async (text) => {
    await writeFile(paths.record, text);
    await expect(readRecord(paths)).rejects.toThrow("./hearth sandbox reset");
  });
});
