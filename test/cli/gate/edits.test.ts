import { editsOf, editText } from "@hearth-platform/cli/gate/edits";
import { expect, it } from "vitest";

/** What a gate says of a resource's values, where the engine names no paths: as it does of a component's. */

const edits = (before: unknown, now: unknown) =>
  editsOf({ before, now }, undefined, false).map((edit) => editText(edit));

it("names the innermost values that differ, before and after", () => {
  expect(edits({ replicas: 1, same: { a: 1 } }, { replicas: 2, same: { a: 1 } })).toEqual(["replicas 1 → 2"]);
  expect(edits({ spec: { sizes: ["1Gi", "2Gi"] } }, { spec: { sizes: ["1Gi", "3Gi"] } })).toEqual([
    "spec.sizes[1] 2Gi → 3Gi",
  ]);
});

it("numbers the items of a list that was not there, or is there no more", () => {
  expect(edits({}, { hosts: ["a.example.org"] })).toEqual(["hosts[0] → a.example.org"]);
  expect(edits({ hosts: ["a.example.org"] }, {})).toEqual(["hosts[0] a.example.org → none"]);
});

it("shows no block and no long text", () => {
  expect(edits({ text: "a" }, { text: "a".repeat(61) })).toEqual(["text a → none"]);
  expect(edits({ text: "a\nb" }, { text: "c\nd" })).toEqual(["text"]);
});

it("shows no value of a Secret", () => {
  const inputs = { before: { data: { password: "old" } }, now: { data: { password: "new" } } };
  expect(editsOf(inputs, undefined, true)).toEqual([{ path: "data.password" }]);
});
