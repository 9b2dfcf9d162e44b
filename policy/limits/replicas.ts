import { limits } from "../../components/limits.ts";
import { names } from "../../components/names.ts";
import { Level, resourcePolicy, Severity, violation } from "../core/policy.ts";
import { PolicyProfile } from "../core/stack-facts.ts";

export const keystoreReplicas = resourcePolicy({
  id: "lim-keystore-replicas",
  title: "One keystore pod",
  rule: `A keystore has exactly ${limits.keystoreReplicas} pod: a second one would have data of its own.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Write ${limits.keystoreReplicas}.`,
  tags: ["limits", "keystore", "replicas"],
  settings: {},
  kinds: ["apps/StatefulSet", "apps/Deployment", "hearth/Keystore", "hearth/CloudSuite"],
  *check(resource, _settings, { profile }) {
    const isComponent = resource.groupKind.startsWith("hearth/");
    if (!isComponent && resource.name !== names.keystore) return;
    const field =
      resource.groupKind === "hearth/CloudSuite"
        ? resource.get("replicas", "keystore")
        : isComponent
          ? resource.get("replicas")
          : resource.get("spec", "replicas");
    if (!field.exists || field.number === limits.keystoreReplicas) return;
    if (!isComponent && field.number === 0 && profile === PolicyProfile.maintenance) return;
    yield violation(field, `A keystore has exactly ${limits.keystoreReplicas} pod.`);
  },
});
