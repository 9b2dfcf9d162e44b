import {
  optionsEnvironment,
  parseRuntimeOptions,
  splitArguments,
} from "@hearth-platform/sandbox/plugins/language-nodejs/runtime-options";
import { describe, expect, test } from "vitest";

describe("parseRuntimeOptions", () => {
  test("defaults are the official host's: ts-node on, package manager found by itself", () => {
    expect(parseRuntimeOptions({})).toEqual({
      typescript: true,
      nodeargs: [],
      packagemanager: "auto",
      production: false,
    });
  });

  test("typescript and tsconfig reach the program as variables", () => {
    expect(optionsEnvironment(parseRuntimeOptions({ tsconfig: "./tsconfig.run.json" }))).toEqual({
      PULUMI_NODEJS_TYPESCRIPT: "true",
      PULUMI_NODEJS_TSCONFIG_PATH: "./tsconfig.run.json",
    });
    expect(optionsEnvironment(parseRuntimeOptions({ typescript: false }))).toEqual({});
  });

  test.each([
    [{ typescript: "false" }, "typescript option must be a boolean"],
    [{ tsconfig: true }, "tsconfigpath option must be a string"],
    [{ nodeargs: ["--inspect"] }, "nodeargs option must be a string"],
    [{ production: "yes" }, "production option must be a boolean"],
    [{ packagemanager: "deno" }, 'packagemanager option must be one of auto, npm, yarn, pnpm or bun, got "deno"'],
  ])("refuses %j in the official host's words", (options, message) => {
    expect(() => parseRuntimeOptions(options)).toThrow(message);
  });
});

describe("splitArguments", () => {
  test.each([
    ["", []],
    ["--trace-warnings  --max-old-space-size=4096", ["--trace-warnings", "--max-old-space-size=4096"]],
    [`--import "./a b.mjs" --title='x "y"'`, ["--import", "./a b.mjs", '--title=x "y"']],
    ["a\\ b c", ["a b", "c"]],
    [`"a \\" b"`, ['a " b']],
    ["''", [""]],
  ])("splits %j as a shell does", (line, words) => {
    expect(splitArguments(line)).toEqual(words);
  });

  test("refuses an unfinished quote", () => {
    expect(() => splitArguments('--title="x')).toThrow("unfinished");
  });
});
