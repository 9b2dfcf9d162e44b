import { claimsOf } from "../../core/claims.ts";
import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

const suite = "hearth/CloudSuite";

export const volumeClaims = resourcePolicy({
  id: "st-volume-claims",
  title: "Volumes say what they are",
  rule: "A volume claim has a size above 0 and an access mode. `lim-storage-class` checks its class.",
  severity: PolicySeverity.medium,
  level: EnforcementLevel.mandatory,
  remediation: "Write the size and the access modes.",
  unseen: "Whether a class can make such a volume.",
  tags: ["storage"],
  settings: {},
  kinds: "any",
  *check(resource) {
    for (const size of sizesOf(resource))
      if ((size.quantity ?? 0) <= 0) yield violation(size, "It must be a size above 0.");
    for (const { accessModes } of claimsOf(resource))
      if (accessModes && accessModes.items.length === 0) yield violation(accessModes, "It must name an access mode.");
  },
});

function sizesOf(resource: PolicyResource): readonly Field[] {
  if (resource.groupKind === suite) return ["dbSize", "keystoreSize"].map((name) => resource.get("storage", name));
  return claimsOf(resource).map(({ size }) => size);
}
