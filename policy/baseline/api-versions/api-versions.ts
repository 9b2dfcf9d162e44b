import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import { type Removal, removals, testedMinor } from "./removals.ts";

export const apiVersions = resourcePolicy({
  id: "api-removed",
  title: "API versions that the cluster serves",
  rule: "No object has an API version that the cluster's Kubernetes has removed. Versions that a later Kubernetes removes give advice.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation:
    "Write the object in the newer API version. Kubernetes' Deprecated API Migration Guide lists the other changes.",
  unseen: "Versions of kinds that operators bring, and objects that a program in the cluster makes.",
  tags: ["upgrades", "api"],
  settings: {
    minor: {
      description: "Minor version of the cluster's Kubernetes, e.g. 36 for 1.36.",
      default: testedMinor,
    },
  },
  kinds: [...new Set(removals.flatMap(groupKinds))],
  *check(resource, { minor }) {
    const found = removals.find(
      ({ apiVersion, kinds }) => apiVersion === resource.apiVersion && kinds.includes(resource.kind),
    );
    if (!found || minor < found.deprecated) return;
    const isGone = minor >= found.removed;
    const fate = isGone ? "no longer serves" : "will no longer serve";
    const remedy = found.replacement === undefined ? "nothing took its place" : `take ${found.replacement}`;
    yield {
      ...violation(resource.get("apiVersion"), `Kubernetes 1.${found.removed} ${fate} this version: ${remedy}.`),
      ...(!isGone && { advice: true }),
    };
  },
});

/** The kinds as policies name them: with their group, without its version. */
function groupKinds({ apiVersion, kinds }: Removal): string[] {
  return kinds.map((kind) => `${apiVersion.split("/")[0]}/${kind}`);
}
