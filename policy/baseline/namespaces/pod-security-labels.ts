import type { PodSecurityLevel } from "@hearth-platform/hearth/kubernetes/namespace";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

/** Levels by strictness. */
const levels: readonly unknown[] = ["privileged", "baseline", "restricted"] satisfies PodSecurityLevel[];

/** Minor version of Kubernetes whose levels have all controls. */
const leastMinor = 30;

/** Components whose namespaces may enforce the baseline level: a suite's for its office engine, the forge's for jobs that build as root. */
const baselineComponents = ["hearth/CloudSuite", "hearth/Forge"];

export const podSecurityLabels = resourcePolicy({
  id: "ns-pod-security",
  title: "Namespaces that refuse unsafe pods",
  rule: "A namespace enforces the restricted level of the Pod Security Standards, and warns and audits at that level or a stricter one; namespaces of office engines and build jobs enforce baseline. The level is that of the cluster's own Kubernetes or of a late one.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Add the labels pod-security.kubernetes.io/enforce, warn and audit: restricted.",
  unseen: "Labels that somebody changes in the cluster, and exemptions of the API server.",
  tags: ["namespaces", "security", "pod-security"],
  settings: {
    baseline: {
      description: "Names of namespaces that may enforce the baseline level instead.",
      default: [] as readonly string[],
    },
  },
  kinds: ["Namespace"],
  *check(resource, { baseline }) {
    const label = (mode: string) => resource.get("metadata", "labels", `pod-security.kubernetes.io/${mode}`);
    const enforce = label("enforce");
    const enforced = levels.indexOf(enforce.value);
    const least = mayBeBaseline(resource, baseline) ? "baseline" : "restricted";
    if (enforced < levels.indexOf(least))
      yield violation(enforce, `It must be ${levels.slice(levels.indexOf(least)).join(" or ")}.`);
    for (const version of ["enforce", "warn", "audit"].map((mode) => label(`${mode}-version`))) {
      const [, minor] = /^v1\.(\d+)$/.exec(version.text ?? "") ?? [];
      if (version.exists && version.value !== "latest" && Number(minor ?? 0) < leastMinor)
        yield violation(version, `It must be latest, or v1.${leastMinor} or later.`);
    }
    for (const mode of ["warn", "audit"])
      if (levels.indexOf(label(mode).value) < Math.max(enforced, 0))
        yield violation(label(mode), "It must be the enforced level or a stricter one.");
  },
});

function mayBeBaseline(resource: PolicyResource, baseline: readonly string[]): boolean {
  if (baselineComponents.some((component) => resource.isIn(component))) return true;
  return baseline.length > 0 && baseline.includes(resource.name ?? "");
}
