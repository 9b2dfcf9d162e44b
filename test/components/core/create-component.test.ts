import { requireValid } from "@hearth-platform/hearth/core/create-component";
import { error, warning } from "@hearth-platform/hearth/core/problems";
import type * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";

test("requireValid reports all errors with their paths, and warnings not at all", () => {
  const problems = [
    error("a", "x.y", "Wrong.", "Do this."),
    warning("w", "z", "Odd.", "Or not."),
    error("b", "q", "Bad.", "That."),
  ];
  try {
    requireValid("forge", problems);
    expect.unreachable();
  } catch (thrown) {
    expect((thrown as Error).message).toBe("forge can't be deployed:\n  x.y: Wrong. Do this.\n  q: Bad. That.");
    expect((thrown as pulumi.InputPropertiesError).errors).toEqual([
      { propertyPath: "x.y", reason: "Wrong. Do this." },
      { propertyPath: "q", reason: "Bad. That." },
    ]);
  }
  expect(() => requireValid("forge", [warning("w", "z", "Odd.", "Or not.")])).not.toThrow();
});
