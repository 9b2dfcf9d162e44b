import { adoptedKinds, decide, report } from "@hearth-platform/cli/heal/decision";
import { describe, expect, it } from "vitest";

const resource = (kind: string, name: string) => ({
  urn: `urn:pulumi:dev::hearth::kubernetes:v1:${kind}::${name}`,
  type: `kubernetes:v1:${kind}`,
});
const own = (kind: string, name: string) =>
  decide(resource(kind, name), { found: "own", adopted: { id: name, outputs: {} } });

describe("what was decided of objects", () => {
  it("is told in the order of what needs attention", () => {
    const decisions = [
      decide(resource("Secret", "c"), { found: "nothing" }),
      own("Secret", "b"),
      decide(resource("Secret", "a"), { found: "foreign", why: "It is another's." }),
    ];
    expect(report(decisions).match(/^ {2}\w+ +Secret \w/gm)).toEqual([
      "  leave   Secret a",
      "  adopt   Secret b",
      "  forget  Secret c",
    ]);
  });

  it("is counted by kind in the alphabet's order, and nothing is said of none", () => {
    const decisions = [own("Service", "a"), own("ConfigMap", "b"), own("Service", "c")];
    expect(adoptedKinds(decisions)).toBe("  adopt   3 resources: 1 ConfigMap, 2 Service\n");
    expect(adoptedKinds([decide(resource("Secret", "c"), { found: "nothing" })])).toBe("");
  });
});
