import { type GeneratedResource, generatedProvider } from "@hearth-platform/sandbox/plugins/generated";
import { Secret, UNKNOWN } from "@hearth-platform/sandbox/plugins/grpc";
import { describe, expect, test } from "vitest";
import { provider } from "./provider.ts";

const thing: GeneratedResource = {
  inputs: {
    size: { type: "number", required: true },
    loud: { type: "boolean", default: false },
    label: { type: "string", updatable: true },
    key: { type: "string", secret: true },
  },
  outputs: ["value", "open"],
  secretOutputs: ["value"],
  validate: ({ size }) => (Number(size) > 9 ? [{ property: "size", reason: "too large" }] : []),
  generate: async ({ size, loud }) => ({ id: "id", outputs: { value: `${size}${loud}`, open: 1 } }),
  recompute: ({ label }) => ({ open: String(label).length }),
};
const things = provider(generatedProvider({ name: "things", version: "1.0.0" }, { "things:index:Thing": thing }), {
  type: "things:index:Thing",
});

describe("check", () => {
  test("names the property of each problem", async () => {
    expect(await things.check({ loud: "yes", colour: "red" })).toEqual([
      { property: "colour", reason: "the sandbox's stand-in for this type does not do it" },
      { property: "size", reason: "Missing required property 'size'" },
      { property: "loud", reason: "expected boolean, got string" },
    ]);
    expect(await things.check({ size: 10 })).toEqual([{ property: "size", reason: "too large" }]);
  });

  test("lets values through that are not known yet", async () => {
    expect(await things.check({ size: UNKNOWN, label: UNKNOWN })).toEqual([]);
  });
});

describe("create", () => {
  test("a preview knows the inputs and defaults, not the outputs, and keeps secrets secret", async () => {
    const { state } = await things.create({ size: 1, key: "k" }, { preview: true });

    expect(state).toEqual({
      size: 1,
      loud: false,
      key: new Secret("k"),
      value: new Secret(UNKNOWN),
      open: UNKNOWN,
    });
  });

  test("makes the values from the inputs and their defaults", async () => {
    expect(await things.create({ size: 1 })).toEqual({
      id: "id",
      state: { size: 1, loud: false, value: new Secret("1false"), open: 1 },
    });
  });
});

describe("diff", () => {
  const state = { size: 1, loud: false, label: "a", value: "x", open: 1 };

  test("an input that becomes explicit at its default is no change", async () => {
    expect(await things.diff(state, { size: 1, loud: false, label: "a" })).toMatchObject({ changes: false });
  });

  test("an input makes a new resource unless it can be changed in place", async () => {
    expect(await things.diff(state, { size: 2, label: "b" })).toEqual({
      changes: true,
      replaces: ["size"],
      detailed: {
        size: { kind: "update", replace: true, inputDiff: true },
        label: { kind: "update", replace: false, inputDiff: true },
      },
    });
    expect((await things.diff(state, { size: 1 })).detailed?.label?.kind).toBe("delete");
  });

  test("a value that is not known yet may be another one", async () => {
    expect((await things.diff(state, { size: UNKNOWN, label: "a" })).replaces).toEqual(["size"]);
  });
});

test("an update keeps what was made and follows what was set", async () => {
  const state = { size: 1, loud: false, label: "a", value: "x", open: 1 };

  expect(await things.update(state, { size: 1, label: "long" })).toEqual({
    size: 1,
    loud: false,
    label: "long",
    value: new Secret("x"),
    open: 4,
  });
});

test("an unknown type is named, with those there are", async () => {
  const other = provider(generatedProvider({ name: "things", version: "1.0.0" }, { "things:index:Thing": thing }), {
    type: "things:index:Other",
  });

  await expect(other.check({})).rejects.toThrow(
    "The sandbox's stand-in for the things provider has no things:index:Other; it has things:index:Thing.",
  );
});
