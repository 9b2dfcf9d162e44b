import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inWordsOf, programWords } from "@hearth-platform/hearth/core/words";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../components");
/** Files with words for people who run a stack of hearth: runbooks, what doctor asks for, and rows of the policy packs. */
const ofTheProgram = /(^|\/)alerts\/|^catalogue\/prerequisites\.ts$|^limits\/(counts|sets)\.ts$/;

test("no message of a component names a key of the program's configuration", () => {
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/node_modules|^dist|generated/.test(file) && !ofTheProgram.test(file),
  );
  const naming = sources.filter((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .some((line) => !/^\s*(\/?\*|\/\/)/.test(line) && /hearth:(?!index)[a-z]/.test(line)),
  );
  expect(naming).toEqual([]);
  expect(sources.length).toBeGreaterThan(200);
});

test("a program's words hold while it makes components, and no longer, also where that fails", () => {
  const program = (message: string) => message.replace("`platform.", "`acme:");
  expect(inWordsOf(program, () => programWords()("`platform.limits`"))).toBe("`acme:limits`");
  const fails = () =>
    inWordsOf(program, () => {
      throw new Error("no");
    });
  expect(fails).toThrow("no");
  expect(programWords()("`platform.limits`")).toBe("`platform.limits`");
});
