import * as components from "@hearth-platform/hearth";
import { type PartKind, parts, stackParts } from "@hearth-platform/stack/parts";
import { getPulumiComponents } from "@pulumi/pulumi/provider/experimental/provider.js";
import { describe, expect, it } from "vitest";
import { committedStack } from "../policy/baseline/planned-stack.ts";
import { runProgram } from "../support/program.ts";

const kinds = Object.keys(parts) as PartKind[];

describe("the list of parts", () => {
  it("has every component of the package, but for the stores that others make", () => {
    const listed = Object.values(parts).map(({ component }) => component.name as string);
    const packaged = getPulumiComponents(components).map(({ name }) => name);
    expect([...listed, "Database", "Keystore", "ObjectStorage"].sort()).toEqual(packaged.sort());
  });

  it("has what a part waits for before it", () => {
    for (const [index, kind] of kinds.entries())
      expect(kinds.slice(0, index), kind).toEqual(expect.arrayContaining([...parts[kind].after]));
  });

  it("is deployed whole by stack prod", () => {
    const deployed = stackParts(committedStack("prod")).map(({ kind }) => kind);
    expect(kinds.filter((kind) => !deployed.includes(kind))).toEqual([]);
  });
});

it("the program of stack prod makes every part of the list, each after those it waits for", async () => {
  const { resources } = await runProgram("prod");
  const made = resources.filter(({ type, parent }) => type.startsWith("hearth:") && parent.startsWith("pulumi:"));
  const listed = stackParts(committedStack("prod")).map(
    ({ kind, name }) => `hearth:index:${parts[kind].component.name}::${name}`,
  );
  expect(made.map(({ type, name }) => `${type}::${name}`).sort()).toEqual(listed.sort());
  // A part waits for what is in another: named after it, and after the stores in it.
  const waits = (waiting: string, name: string) =>
    made.find((each) => each.name === waiting)?.dependsOn.some((id) => id.includes(`::${name}/`));
  expect(waits("platform", "admission")).toBe(true);
  expect(waits("cloud", "admission")).toBe(true);
  expect(waits("forge", "platform-db")).toBe(true);
  expect(waits("hub", "platform-db")).toBe(true);
  expect(waits("hub", "forge")).toBe(true);
  expect(waits("forge", "hub")).toBe(false);
});
