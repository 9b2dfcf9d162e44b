import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../core/policy.ts";

/** Components that are judged by the limits. */
const judged = ["CloudSuite", "Database", "Stores", "Keystore", "Forge", "Hub", "Admission"].map(
  (name) => `hearth/${name}`,
);

export const noWidening = resourcePolicy({
  id: "lim-widening",
  title: "The limits as they are",
  rule: "A stack allows no values beyond the specification's sets. The policy is off by default; give it a level in the configuration to forbid `hearth:limits`.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.disabled,
  remediation: "Remove `hearth:limits`.",
  unseen: "Settings of the pack itself that allow more, such as the classes of lim-storage-class.",
  tags: ["limits"],
  settings: {},
  kinds: judged,
  *check(resource) {
    const widening = resource.get("platform", "limits");
    if (widening.exists) yield violation(widening, "The stack allows values beyond the specification's sets.");
  },
});
