import * as components from "@hearth-platform/hearth";
import { problemsOf } from "@hearth-platform/hearth/core/component";
import { keystoreComponent } from "@hearth-platform/hearth/stores/keystore/component";
import * as pulumi from "@pulumi/pulumi";
import { getPulumiComponents } from "@pulumi/pulumi/provider/experimental/provider.js";
import { beforeAll, describe, expect, test } from "vitest";

const valid = { namespace: "default", version: "8.1.9-alpine", platform: { profile: "development" } } as const;
const said = (args: object) =>
  problemsOf(keystoreComponent, args as never).map(({ code, path, message }) => `${path} ${code}: ${message}`);

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  }),
);

describe("an argument that is not plain", () => {
  test("is told as an Output, at its place and once, with the ways to a plain value", () => {
    const [problem, ...others] = problemsOf(keystoreComponent, {
      ...valid,
      namespace: pulumi.output("default"),
    } as never);
    expect(problem).toMatchObject({ path: "namespace", code: "not-plain" });
    expect(problem?.message).toContain("an Output");
    expect(problem?.remedy).toMatch(/checked.*before anything is made.*config\.require.*getOutputDetails/);
    expect(others).toEqual([]);
  });

  test("is found in blocks and lists, and what is below it is not guessed at", () => {
    const images = { pullSecrets: ["own", pulumi.output("other")] };
    expect(said({ ...valid, platform: { profile: "development", images } })).toEqual([
      expect.stringMatching(/^platform\.images\.pullSecrets\[1\] not-plain: Found an Output/),
    ]);
    expect(said({ ...valid, platform: pulumi.output(valid.platform) })).toEqual([
      expect.stringMatching(/^platform not-plain: Found an Output/),
    ]);
  });

  test("does not keep other faults from being told", () => {
    const wrong = { ...valid, version: pulumi.output("8"), namespace: "Not A Name" };
    expect(said(wrong)).toHaveLength(2);
  });

  test("may be a Promise or a resource", () => {
    const bucket = new pulumi.ComponentResource("test:index:Bucket", "bucket");
    expect(said({ ...valid, version: Promise.resolve("8"), namespace: bucket })).toEqual([
      expect.stringMatching(/^namespace not-plain: Found a resource/),
      expect.stringMatching(/^version not-plain: Found a Promise/),
    ]);
  });
});

describe("a component without arguments", () => {
  const classes = getPulumiComponents(components);

  test.each(classes.map((each) => [each.name, each] as const))("%s tells what is missing", (_, Component) => {
    const make = (args: unknown) => () => new Component("mine", args as never, {} as never);
    for (const none of [undefined, null, {}])
      expect(make(none)).toThrow(/^mine can't be deployed:\n {2}\w+.*: The field is missing/);
    expect(make("text")).toThrow(/\n {2}Found text, not a block of keys/);
  });
});
