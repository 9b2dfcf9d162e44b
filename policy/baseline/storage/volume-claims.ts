import type { Field } from "../../core/field.ts";
import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";
import type { Resource } from "../../core/resource.ts";

export const volumeClaims = resourcePolicy({
  id: "st-volume-claims",
  title: "Volumes say what they are",
  rule: "A volume claim names its storage class and a size above 0, and how it is mounted.",
  severity: Severity.medium,
  level: Level.mandatory,
  remediation: "Write the storage class, the size and the access modes.",
  tags: ["storage"],
  settings: {},
  kinds: ["PersistentVolumeClaim", "apps/StatefulSet", "postgresql.cnpg.io/Cluster", "hearth/CloudSuite"],
  *check(resource) {
    for (const { storageClass, size, accessModes } of claimsOf(resource)) {
      if ((storageClass.text ?? "") === "") yield violation(storageClass, "It must name a storage class.");
      if ((size.quantity ?? 0) <= 0) yield violation(size, "It must be a size above 0.");
      if (accessModes && accessModes.items.length === 0) yield violation(accessModes, "It must name an access mode.");
    }
  },
});

interface Claim {
  readonly storageClass: Field;
  readonly size: Field;
  /** Absent where the operator decides. */
  readonly accessModes?: Field;
}

function claimsOf(resource: Resource): readonly Claim[] {
  switch (resource.groupKind) {
    case "hearth/CloudSuite":
      return ["dbSize", "keystoreSize"].map((name) => ({
        storageClass: resource.get("storage", "storageClass"),
        size: resource.get("storage", name),
      }));
    case "postgresql.cnpg.io/Cluster": {
      const storage = [resource.get("spec", "storage"), resource.get("spec", "walStorage")];
      return storage
        .filter((field, index) => index === 0 || field.exists)
        .map((field) => ({ storageClass: field.get("storageClass"), size: field.get("size") }));
    }
    case "apps/StatefulSet":
      return resource.get("spec", "volumeClaimTemplates").items.map((claim) => claimOf(claim.get("spec")));
    default:
      return [claimOf(resource.get("spec"))];
  }
}

function claimOf(spec: Field): Claim {
  return {
    storageClass: spec.get("storageClassName"),
    size: spec.get("resources", "requests", "storage"),
    accessModes: spec.get("accessModes"),
  };
}
