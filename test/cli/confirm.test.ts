import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { controlC, enter, talk } from "../support/terminal.ts";

/** The question before a command deletes something, at a real terminal: asked of one that deletes a folder. */

const hearth = join(import.meta.dirname, "../../hearth");

let folder = "";
let deletable = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-confirm-"));
  vi.stubEnv("XDG_STATE_HOME", folder);
  deletable = sandboxPaths("asked").folder;
  mkdirSync(deletable, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const answered = (typed: string) =>
  talk(`'${hearth}' sandbox reset`, folder, [["Delete the sandbox", typed]], { HEARTH_SANDBOX: "asked" });

describe("a command that deletes", () => {
  it("goes on when the answer is yes", async () => {
    const { status, screen } = await answered("y");
    expect(status, screen).toBe(0);
    expect(existsSync(deletable)).toBe(false);
  });

  it.each([
    ["no", "n"],
    ["Enter alone", enter],
    ["Ctrl-C", controlC],
  ])("deletes nothing when the answer is %s", async (_, typed) => {
    const { status, screen } = await answered(typed);
    expect(status, screen).toBe(1);
    expect(screen).toContain("Nothing was deleted.");
    expect(existsSync(deletable)).toBe(true);
  });
});
