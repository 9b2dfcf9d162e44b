import { plainValuesRefusal } from "@hearth-platform/hearth/core/data-safety/plain-values";
import { expect, test } from "vitest";

const bytes = (name: string, parents = "hearth:index:Forge$") => {
  const type = "random:index/randomBytes:RandomBytes";
  return { urn: `urn:pulumi:dev::hearth::${parents}${type}::${name}`, type };
};

test("a state with values in plain text is refused: all are named at once, and what rewrites them", () => {
  const refusal = plainValuesRefusal([bytes("forge/keys.one"), bytes("forge/keys.two", "my:Part$hearth:index:Forge$")]);
  expect(refusal).toContain("2 secret values in plain text:\n- forge/keys.one\n- forge/keys.two\n");
  expect(refusal).toMatch(/\.\/hearth heal --stack \S+`, which rewrites them with the same values/);
});

test("bytes that are not this package's are left alone", () => {
  expect(plainValuesRefusal([bytes("own", ""), bytes("theirs", "my:Part$")])).toBeUndefined();
});
