import type { Field } from "./field.ts";
import { podTemplateOf } from "./pods.ts";
import type { PolicyResource } from "./resource.ts";

/** A claim to a volume, wherever it is written. */
export interface VolumeClaim {
  readonly storageClass: Field;
  readonly size: Field;
  /** Absent where an operator decides. */
  readonly accessModes?: Field;
}

const cluster = "postgresql.cnpg.io/Cluster";

/** The claims in a resource: its own, its templates', and those that live and end with a pod. */
export function claimsOf(resource: PolicyResource): readonly VolumeClaim[] {
  const { groupKind } = resource;
  if (groupKind === "PersistentVolumeClaim") return [claimOf(resource.get("spec"))];
  if (groupKind === cluster) {
    const [data, log] = [resource.get("spec", "storage"), resource.get("spec", "walStorage")];
    const spaces = resource.get("spec", "tablespaces").items.map((space) => space.get("storage"));
    return [data, ...(log.exists ? [log] : []), ...spaces].flatMap((field) => {
      const template = field.get("pvcTemplate");
      const own = { storageClass: field.get("storageClass"), size: field.get("size") };
      // What the template says counts where the field beside it is not there.
      if (!template.exists) return [own];
      const other = claimOf(template);
      const isNamed = own.storageClass.exists || !other.storageClass.exists;
      return [
        {
          storageClass: isNamed ? own.storageClass : other.storageClass,
          size: own.size.exists ? own.size : other.size,
        },
      ];
    });
  }
  const templates = groupKind === "apps/StatefulSet" ? resource.get("spec", "volumeClaimTemplates").items : [];
  const ephemeral = (podTemplateOf(resource)?.get("spec", "volumes").items ?? [])
    .map((volume) => volume.get("ephemeral", "volumeClaimTemplate"))
    .filter(({ exists }) => exists);
  // What is absent in an operator's template is the operator's to set.
  const ofOperator = templatesByShape(resource).map((template) => {
    const { accessModes, ...claim } = claimOf(template.get("spec"));
    return { ...claim, ...(accessModes?.exists && { accessModes }) };
  });
  return [...[...templates, ...ephemeral].map((template) => claimOf(template.get("spec"))), ...ofOperator];
}

/** Templates of claims in an operator's kind, wherever they are: `volumeClaimTemplate`, or a list of them. */
function templatesByShape(resource: PolicyResource): readonly Field[] {
  if (!resource.isCustom) return [];
  return [...resource.inputs.walk()].flatMap((place) => {
    if (place.key === "volumeClaimTemplate") return place.glance?.get("spec").exists ? [place] : [];
    return place.key === "volumeClaimTemplates" ? place.items : [];
  });
}

function claimOf(spec: Field): VolumeClaim {
  return {
    storageClass: spec.get("storageClassName"),
    size: spec.get("resources", "requests", "storage"),
    accessModes: spec.get("accessModes"),
  };
}
