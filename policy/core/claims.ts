import type { Field } from "./field.ts";
import { podTemplateOf, workloadKinds } from "./pods.ts";
import type { PolicyResource } from "./resource.ts";

/** A claim to a volume, wherever it is written. */
export interface VolumeClaim {
  readonly storageClass: Field;
  readonly size: Field;
  /** Absent where an operator decides. */
  readonly accessModes?: Field;
}

const cluster = "postgresql.cnpg.io/Cluster";

/** Kinds that claim volumes. */
export const claimKinds: readonly string[] = ["PersistentVolumeClaim", cluster, ...workloadKinds];

/** The claims in a resource: its own, its templates', and those that live and end with a pod. */
export function claimsOf(resource: PolicyResource): readonly VolumeClaim[] {
  const { groupKind } = resource;
  if (groupKind === "PersistentVolumeClaim") return [claimOf(resource.get("spec"))];
  if (groupKind === cluster) {
    const [data, log] = [resource.get("spec", "storage"), resource.get("spec", "walStorage")];
    return (log.exists ? [data, log] : [data]).map((field) => ({
      storageClass: field.get("storageClass"),
      size: field.get("size"),
    }));
  }
  const templates = groupKind === "apps/StatefulSet" ? resource.get("spec", "volumeClaimTemplates").items : [];
  const ephemeral = (podTemplateOf(resource)?.get("spec", "volumes").items ?? [])
    .map((volume) => volume.get("ephemeral", "volumeClaimTemplate"))
    .filter(({ exists }) => exists);
  return [...templates, ...ephemeral].map((template) => claimOf(template.get("spec")));
}

function claimOf(spec: Field): VolumeClaim {
  return {
    storageClass: spec.get("storageClassName"),
    size: spec.get("resources", "requests", "storage"),
    accessModes: spec.get("accessModes"),
  };
}
