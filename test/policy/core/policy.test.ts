import { unknown } from "@hearth-platform/policy/core/field";
import {
  EnforcementLevel,
  evaluate,
  PolicySeverity,
  policySettings,
  type ResourcePolicy,
  resourcePolicy,
  violation,
} from "@hearth-platform/policy/core/policy";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import { strictest } from "@hearth-platform/policy/core/stack-facts";
import { describe, expect, test } from "vitest";

/** What becomes of a policy's judgement, and how it reads a resource. */

function policyOf(check: ResourcePolicy["check"]): ResourcePolicy {
  return resourcePolicy({
    ...{ id: "x", title: "X", rule: "X.", remediation: "X.", unseen: "X.", tags: [], kinds: "any" },
    ...{ severity: PolicySeverity.low, level: EnforcementLevel.mandatory },
    settings: { least: { description: "X.", default: 3 }, names: { description: "X.", default: [] as string[] } },
    check,
  });
}

const urn = (types: string, name: string) => `urn:pulumi:prod::hearth::${types}::${name}`;
const resource = (props: object, type = "kubernetes:apps/v1:Deployment", types = type) =>
  new PolicyResource({ type, urn: urn(types, "forge/web"), props });

describe("a judgement", () => {
  const judged = (check: ResourcePolicy["check"]) =>
    evaluate(policyOf(check), resource({ spec: { replicas: unknown, paused: true } }), {}, strictest);

  test("ends where a value is not known, with that place; what was found before stays", () => {
    const found = judged(function* (each) {
      yield violation(each.get("spec", "paused"), "It is paused.");
      if (each.get("spec", "replicas").number === 0) yield violation(each.get("spec", "replicas"), "There are none.");
    });
    expect(found).toEqual({
      violations: [{ path: "spec.paused", message: "It is paused." }],
      skipped: "spec.replicas",
    });
  });

  test("that fails by a fault of the policy is no skipped one: it would pass for good", () => {
    expect(() =>
      judged(() => {
        throw new TypeError("a fault");
      }),
    ).toThrow("a fault");
  });
});

test("a policy's settings are what is given where its type is right, else the default", () => {
  const policy = policyOf(() => []);
  const given = (values: object) => policySettings(policy, values as Record<string, unknown>);
  expect(given({ least: 5, names: ["a"] })).toEqual({ least: 5, names: ["a"] });
  expect(given({ least: "5", names: ["a", 1], other: true })).toEqual({ least: 3, names: [] });
});

describe("a resource", () => {
  test("is in the components above it, and not in itself", () => {
    const forge = "hearth:index:Forge";
    const inside = resource({}, undefined, `${forge}$hearth:index:Database$kubernetes:apps/v1:Deployment`);
    expect(["hearth/Forge", "hearth/Database", "hearth/Hub"].map((kind) => inside.isIn(kind))).toEqual([
      ...[true, true, false],
    ]);
    expect(resource({}, forge).isIn("hearth/Forge")).toBe(false);
  });

  test("is called as in the program, whatever stands in the name", () => {
    expect(resource({}).programName).toBe("forge/web");
    expect(new PolicyResource({ type: "a", urn: `${urn("a", "b")}::c`, props: {} }).programName).toBe("b::c");
  });

  test.each<[string, object, string, boolean]>([
    ["kubernetes:apps/v1:Deployment", {}, "apps/Deployment", false],
    ["kubernetes:core/v1:ConfigMap", {}, "ConfigMap", false],
    ["kubernetes:core/v1:ConfigMapPatch", {}, "ConfigMap", false],
    ["kubernetes:networking.k8s.io/v1:NetworkPolicy", {}, "networking.k8s.io/NetworkPolicy", false],
    [
      "kubernetes:apiextensions.k8s.io:CustomResource",
      { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" },
      "postgresql.cnpg.io/Cluster",
      true,
    ],
    ["aws:s3/bucket:Bucket", {}, "aws:s3/bucket:Bucket", false],
    ["hearth:index:Forge", {}, "hearth/Forge", false],
  ])("%s is %2$s", (type, props, groupKind, isCustom) => {
    expect([resource(props, type).groupKind, resource(props, type).isCustom]).toEqual([groupKind, isCustom]);
  });
});
