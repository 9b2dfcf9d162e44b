import { kitRecipients } from "@hearth-platform/stack/settings/kit-recipients";
import { expect, it } from "vitest";

const key = (letter: string) => `age1${letter.repeat(58)}`;

it.each<[string, string[] | undefined, string[]]>([
  ["that are not set", undefined, []],
  ["that are none", [], []],
  ["that are two", [key("q"), key("p")], []],
  ["of which one resists quantum computers", [key("q"), `age1pq1${"q".repeat(1900)}`], []],
  ["that are one", [key("q")], ["one-recipient path"]],
  ["that are one twice", [key("q"), key("q")], ["one-recipient path"]],
  ["of which one is private", [key("q"), `AGE-SECRET-KEY-1${"Q".repeat(58)}`], ["private-key path[1]"]],
  ["of which one is none", [key("b"), key("q")], ["age-key path[0]"]],
])("keys %s", (_, keys, problems) => {
  expect(kitRecipients("path", keys).map(({ code, path }) => `${code} ${path}`)).toEqual(problems);
});
