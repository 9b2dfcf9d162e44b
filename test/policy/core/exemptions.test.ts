import { type Exemption, exemptionProblems, isExempt } from "@hearth-platform/policy/core/exemptions";
import { unknown } from "@hearth-platform/policy/core/field";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import { describe, expect, test } from "vitest";

/** Which resources an exemption lets pass, and for how long. */

const urn = (type: string, name: string) => `urn:pulumi:prod::hearth::${type}::${name}`;
const deployment = (metadata: object) =>
  new PolicyResource({
    type: "kubernetes:apps/v1:Deployment",
    urn: urn("kubernetes:apps/v1:Deployment", "team/web"),
    props: { apiVersion: "apps/v1", kind: "Deployment", metadata },
  });
const suite = new PolicyResource({
  type: "hearth:index:CloudSuite",
  urn: urn("hearth:index:CloudSuite", "suite"),
  props: { namespace: "team" },
});
const web = deployment({ name: "web", namespace: "team" });

const exemption: Exemption = { name: "web", reason: "A trial", until: "2026-11-26" };
const lets = (change: Exemption, resource = web, now = "2026-11-26T12:00:00Z") =>
  isExempt(resource, [{ ...exemption, ...change }], new Date(now));

describe("an exemption", () => {
  test("lasts to the end of its last day, in UTC", () => {
    expect(lets({}, web, "2026-11-26T23:59:59.999Z")).toBe(true);
    expect(lets({}, web, "2026-11-27T00:00:00Z")).toBe(false);
    const problems = (now: string) => exemptionProblems([exemption], new Date(now)).map(({ path }) => path);
    expect([problems("2026-11-26T23:59:59Z"), problems("2026-11-27T00:00:00Z")]).toEqual([[], ["exempt[0].until"]]);
  });

  test("is of the object of its name, in its namespace and of its kind, where it says those", () => {
    for (const change of [{}, { namespace: "team" }, { kind: "Deployment" }, { namespace: "team", kind: "Deployment" }])
      expect(lets(change), JSON.stringify(change)).toBe(true);
    for (const change of [{ name: "we" }, { namespace: "other" }, { kind: "StatefulSet" }])
      expect(lets(change), JSON.stringify(change)).toBe(false);
  });

  test("of a component is of its name in the program and the namespace among its arguments", () => {
    expect(lets({ name: "suite", namespace: "team", kind: "CloudSuite" }, suite)).toBe(true);
    expect(lets({ name: "suite", namespace: "other" }, suite)).toBe(false);
  });

  test("is of no object whose name or namespace is not known yet", () => {
    expect(lets({}, deployment({ name: unknown }))).toBe(false);
    const elsewhere = deployment({ name: "web", namespace: unknown });
    expect([lets({ namespace: "team" }, elsewhere), lets({}, elsewhere)]).toEqual([false, true]);
  });

  test.each(["name", "reason", "until"])("without %s lets nothing pass", (key) => {
    expect(lets({ [key]: undefined })).toBe(false);
  });
});
