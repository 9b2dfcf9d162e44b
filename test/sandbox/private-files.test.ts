import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPrivateFiles } from "@hearth-platform/sandbox/private-files";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-private-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write =
  "const fs = require('fs'); fs.mkdirSync('made'); fs.writeFileSync('made/state.json', process.argv.slice(1).join('|'))";

it("what the program makes is its owner's alone, and its arguments and status are its own", async () => {
  const words = ["two words", "$HOME", "'quoted'", ""];
  const { exitCode } = await execa(...withPrivateFiles(process.execPath, ["-e", write, ...words]), { cwd: folder });
  const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
  expect([exitCode, mode("made"), mode("made/state.json")]).toEqual([0, "700", "600"]);
  expect(readFileSync(join(folder, "made/state.json"), "utf8")).toBe(words.join("|"));
  const failed = await execa(...withPrivateFiles(process.execPath, ["-e", "process.exit(7)"]), { reject: false });
  expect(failed.exitCode).toBe(7);
});
