import { describe, expect, it } from "vitest";
import { unknown } from "../../policy/core/field.ts";
import { strictest } from "../../policy/core/stack-facts.ts";
import { componentResource, resource } from "./support/fixtures.ts";
import { PackProcess } from "./support/pack-process.ts";

const policy = "lim-keystore-replicas";
const keystore = (replicas: unknown, options = {}) =>
  resource(
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "keystore", namespace: "platform" },
      spec: { replicas },
    },
    options,
  );
const stack = { type: "pulumi:pulumi:Stack", urn: "urn:pulumi:test::hearth::pulumi:pulumi:Stack::test", props: {} };
const own = (found: readonly { policy: string; level: string }[]) =>
  found.filter((each) => each.policy === policy).map(({ level }) => level);

describe("the pack of limits over its protocol", () => {
  it("gives the verdict of the check function without, with and against configuration", async () => {
    await using pack = await PackProcess.start("limits", strictest);
    expect(own(await pack.analyze(keystore(1)))).toEqual([]);
    expect(own(await pack.analyze(keystore(2)))).toEqual(["mandatory"]);
    await pack.configure({ [policy]: { level: "advisory", values: {} } });
    expect(own(await pack.analyze(keystore(2)))).toEqual(["advisory"]);
    await pack.configure({ [policy]: { level: "disabled", values: {} } });
    expect(own(await pack.analyze(keystore(2)))).toEqual([]);
  });

  it("tells of an unknown value that it could not judge it", async () => {
    await using pack = await PackProcess.start("limits", strictest);
    const [found] = await pack.analyze(keystore(unknown));
    expect(found?.message).toContain("can't run policy");
    expect(found?.message).toContain("spec.replicas");
  });

  it("does not report again in a component's objects what it reported of the component", async () => {
    await using pack = await PackProcess.start("limits", strictest);
    const component = componentResource("Keystore", { replicas: 2 });
    expect(own(await pack.analyze(component))).toEqual(["mandatory"]);
    expect(own(await pack.analyze(keystore(2, { parent: component })))).toEqual([]);
  });

  it("lets an exempt resource pass, and reports an exemption without reason or past its last day", async () => {
    await using pack = await PackProcess.start("limits", strictest);
    const exempt = async (...entries: object[]) =>
      pack.configure({ [policy]: { level: "mandatory", values: { exempt: entries } } });
    await exempt({ name: "keystore", reason: "A trial", until: "9999-12-31" });
    expect(own(await pack.analyze(stack))).toEqual([]);
    expect(own(await pack.analyze(keystore(2)))).toEqual([]);
    await exempt(
      { name: "keystore", until: "9999-12-31" },
      { name: "keystore", reason: "A trial", until: "2020-01-01" },
    );
    expect(own(await pack.analyze(stack))).toEqual(["mandatory", "mandatory"]);
    expect(own(await pack.analyze(keystore(2)))).toEqual(["mandatory"]);
  });
});
