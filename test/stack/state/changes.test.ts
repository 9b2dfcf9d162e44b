import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import { changesRefusal, recordedComponents } from "@hearth-platform/stack/state/changes";
import { expect, test } from "vitest";
import { checkFiles, wholePlatform, withSettings } from "../../support/stack-files.ts";

function partsWith(settings: Readonly<Record<string, unknown>>): StackPart[] {
  const { stack, problems } = checkFiles(withSettings(wholePlatform(), settings));
  if (!stack) throw new Error(JSON.stringify(problems));
  return stackParts(stack);
}

// As JSON, which the state is.
const asRecorded = (parts: readonly StackPart[]) =>
  new Map<string, object>(JSON.parse(JSON.stringify([...recordedComponents(parts)])));
const before = asRecorded(partsWith({}));
const elsewhere = partsWith({
  objectStorage: {
    provider: "hetzner",
    endpoint: "https://nbg1.your-objectstorage.com",
    region: "nbg1",
    bucketSuffix: "d3v1",
  },
});

test("changes that several components refuse are refused in one message", () => {
  const [first, ...lines] = changesRefusal(before, elsewhere)?.split("\n") ?? [];
  expect(first).toBe("Nothing was changed. These changes are refused:");
  for (const place of ["platform-storage.endpoint", "forge.objectStore.endpoint", "hub.objectStore.endpoint"])
    expect(lines).toContainEqual(
      expect.stringMatching(`^- ${place}: changes from https://fsn1.* to https://nbg1.*\`hearth:allowDataLoss: \\[`),
    );
});

test("a version that nobody names is to be named as the setting that it is", () => {
  const keeps = (settings: Readonly<Record<string, unknown>>) =>
    changesRefusal(asRecorded(partsWith(settings)), partsWith({}));
  expect(keeps({ "forge.version": "18.11.11" })).toContain("Write `hearth:forge.version: 18.11.11`, which keeps it.");
});

test("what was never made can be changed", () => {
  expect(changesRefusal(before, elsewhere, new Set())).toBeUndefined();
});

test("a component without recorded arguments is left to its hook", () => {
  const unrecorded = new Map([...before.keys()].map((name) => [name, {}]));
  expect(changesRefusal(unrecorded, elsewhere)).toBeUndefined();
});

test("what stays as it is passes, and so does a component that is new", () => {
  expect(changesRefusal(before, partsWith({}))).toBeUndefined();
  expect(changesRefusal(new Map(), partsWith({}))).toBeUndefined();
});
