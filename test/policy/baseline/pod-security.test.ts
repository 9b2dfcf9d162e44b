import { podSecurityViolations } from "@hearth-platform/policy/baseline/pod-security/pod-security";
import { Field } from "@hearth-platform/policy/core/field";
import { expect, test } from "vitest";
import { podSecurityCases } from "./pod-security-cases.ts";

test.each(["baseline", "restricted"] as const)(
  "each pod breaks the controls of the %s level that it is made for",
  (level) => {
    const controls = (pod: unknown) => [
      ...new Set(podSecurityViolations(level, new Field("", pod)).map(({ control }) => control)),
    ];
    const found = podSecurityCases.map(({ name, pod }) => [name, controls(pod).sort()]);
    const expected = podSecurityCases.map((each) => [each.name, [...each[level]].sort()]);
    expect(found).toEqual(expected);
  },
);

test("the privileged level admits all", () => {
  for (const { pod } of podSecurityCases) expect(podSecurityViolations("privileged", new Field("", pod))).toEqual([]);
});
