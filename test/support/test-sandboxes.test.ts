import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimSandbox, discardSandbox, reapSandboxes } from "./test-sandboxes.ts";

describe("sandboxes of tests", () => {
  const others = process.env.XDG_STATE_HOME;
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hearth-state-"));
    process.env.XDG_STATE_HOME = folder;
  });
  afterEach(() => {
    if (others === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = others;
    rmSync(folder, { recursive: true });
  });

  const note = (name: string) => `${sandboxPaths(name).folder}.of-tests`;
  const make = (name: string) => {
    mkdirSync(sandboxPaths(name).folder, { recursive: true });
    claimSandbox(name, process.pid);
  };

  it("whose run was killed are deleted by the next, those of a run at work and of a person are not", async () => {
    for (const name of ["killed", "torn", "at-work"]) make(name);
    const { pid, started } = JSON.parse(readFileSync(note("killed"), "utf8"));
    writeFileSync(note("killed"), JSON.stringify({ pid, started: `${started}0` }));
    writeFileSync(note("torn"), "{");
    mkdirSync(sandboxPaths("dev").folder);
    expect((await reapSandboxes()).sort()).toEqual(["killed", "torn"]);
    const left = ["killed", "torn", "at-work", "dev"].filter((name) => existsSync(sandboxPaths(name).folder));
    expect(left).toEqual(["at-work", "dev"]);
    expect(await reapSandboxes()).toEqual([]);
  });

  it("are never taken for those of a killed run while they are claimed", async () => {
    mkdirSync(sandboxPaths("claimed").folder, { recursive: true });
    const module = JSON.stringify(join(import.meta.dirname, "test-sandboxes.ts"));
    const claiming = execa(process.execPath, [
      ...["--input-type=module", "--eval"],
      `import { claimSandbox } from ${module}; for (let n = 0; n < 3000; n++) claimSandbox("claimed", ${process.pid});`,
    ]);
    let isOver = false;
    claiming.then(() => {
      isOver = true;
    });
    while (!isOver) {
      expect(await reapSandboxes()).toEqual([]);
      await new Promise(setImmediate);
    }
    await claiming;
  });

  it("that are discarded leave no note", async () => {
    make("done");
    await discardSandbox("done");
    expect([existsSync(note("done")), existsSync(sandboxPaths("done").folder)]).toEqual([false, false]);
  });

  it("are none where none was ever made", async () => {
    expect(await reapSandboxes()).toEqual([]);
  });
});
