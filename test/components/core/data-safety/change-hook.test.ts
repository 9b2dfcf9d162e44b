import { refusingChanges } from "@hearth-platform/hearth/core/data-safety/hooks";
import { refuseChange, refuseShrink } from "@hearth-platform/hearth/core/data-safety/refusals";
import { warning } from "@hearth-platform/hearth/core/problems";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";

const object = "data-keystore-0";

describe("the hook of a component that refuses changes", () => {
  interface Args {
    size?: string;
  }
  let hook: pulumi.ResourceHook;
  const run = async (oldInputs: object | undefined, newInputs: object | undefined) =>
    hook.callback({ urn: "" as never, id: "" as never, name: "", type: "", oldInputs, newInputs });

  beforeAll(async () => {
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    (pulumi.runtime.getMonitor() as unknown as { registerResourceHook: unknown }).registerResourceHook = (
      _: unknown,
      callback: (error: null, response: object) => void,
    ) => callback(null, {});
    const changes = (before: Args, now: Args) => [
      ...refuseShrink({ path: "size", object, before: before.size, now: now.size }, undefined),
      ...refuseChange({ path: "size", object: "other", before: before.size, now: now.size }, undefined),
      warning("note", "size", "A warning.", "Nothing."),
    ];
    const { hooks } = refusingChanges<Args>("hearth:index:Test", "test", { changes }, {});
    hook = hooks?.beforeUpdate?.[0] as pulumi.ResourceHook;
  });

  test("runs at preview too, under a name of its own", () => {
    expect(hook.opts?.onDryRun).toBe(true);
    expect(hook.name).toBe("hearth:index:Test/test");
  });

  test("refuses with all errors and their remedies in one message", async () => {
    await expect(run({ size: "10Gi" }, { size: "5Gi" })).rejects.toThrow(
      /test can't be changed like this:\n- size: shrinks.*\n- size: changes.*allowDataLoss/,
    );
  });

  test("lets pass what loses nothing, warnings included", async () => {
    await expect(run({ size: "5Gi" }, { size: "5Gi" })).resolves.toBeUndefined();
  });

  test.each([undefined, {}])("refuses where the state has no arguments: %j", async (recorded) => {
    await expect(run(recorded, { size: "5Gi" })).rejects.toThrow("PULUMI_NODEJS_SKIP_COMPONENT_INPUTS");
  });
});
