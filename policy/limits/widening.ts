import { Level, resourcePolicy, Severity, violation } from "../core/policy.ts";

/** Components that are judged by the limits. */
const judged = ["CloudSuite", "Database", "Stores", "Keystore", "Forge", "Hub", "Admission"].map(
  (name) => `hearth/${name}`,
);

export const noWidening = resourcePolicy({
  id: "lim-widening",
  title: "The limits as they are",
  rule: "A stack allows nothing beside the specification's sets. Off by default: a configuration that gives it a level forbids to widen.",
  severity: Severity.high,
  level: Level.disabled,
  remediation: "Take `hearth:limits` out.",
  tags: ["limits"],
  settings: {},
  kinds: judged,
  *check(resource) {
    const widening = resource.get("platform", "limits");
    if (widening.exists) yield violation(widening, "The limits are widened.");
  },
});
