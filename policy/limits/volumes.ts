import { names } from "@hearth-platform/hearth/catalogue/names";
import { alternatives } from "@hearth-platform/hearth/core/problems";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { type SizeLimit, suiteKind } from "@hearth-platform/hearth/limits/limit";
import { hasManyWriters, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import { claimKinds, claimsOf } from "../core/claims.ts";
import type { Field } from "../core/field.ts";
import { podTemplateOf } from "../core/pods.ts";
import {
  EnforcementLevel,
  type PolicySettings,
  PolicySeverity,
  type ResourcePolicy,
  resourcePolicy,
  stackPolicy,
  violation,
  violationOf,
} from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import { circumstances, described, fieldAt } from "./suites.ts";

export const volumeClass = resourcePolicy({
  ...described(limits.storageClass),
  settings: {
    classes: { description: "Classes that a volume may have.", default: Object.values(storageClasses) },
  },
  kinds: [...claimKinds, suiteKind],
  *check(resource, { classes }, { limits: widening }) {
    const added = (widening?.storageClasses ?? []).map(({ name }) => name);
    const allowed = [...classes, ...added];
    const fields =
      resource.groupKind === suiteKind
        ? [resource.get(...(limits.storageClass.fields[suiteKind] ?? []))]
        : claimsOf(resource).map((claim) => claim.storageClass);
    for (const field of fields)
      if (!allowed.includes(field.text ?? "")) yield violation(field, `The class has to be ${alternatives(allowed)}.`);
  },
});

/** How volumes of a class can be mounted. */
const modes: Readonly<Record<(typeof storageClasses)[keyof typeof storageClasses], readonly string[]>> = {
  [storageClasses.replicatedBlock]: ["ReadWriteOnce", "ReadWriteOncePod"],
  [storageClasses.smb]: ["ReadWriteMany"],
};

export const storageMode = resourcePolicy({
  id: "lim-storage-mode",
  title: "Writers of a volume",
  rule: Object.entries(modes)
    .map(([name, allowed]) => `A volume of ${name} is ${allowed.join(" or ")}.`)
    .join(" "),
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: `Write the mode of the class. For a volume that several pods write, use class ${storageClasses.smb}.`,
  tags: ["limits", "storage"],
  settings: {},
  kinds: claimKinds,
  *check(resource, _settings, { limits: widening }) {
    for (const { storageClass, accessModes } of claimsOf(resource))
      for (const mode of accessModes?.items ?? []) {
        const isShared = hasManyWriters(storageClass.text ?? "", widening);
        const allowed = modes[isShared ? storageClasses.smb : storageClasses.replicatedBlock];
        if (isShared !== undefined && !allowed.includes(mode.text ?? ""))
          yield violation(mode, `The volume's class allows ${allowed.join(" or ")}.`);
      }
  },
});

const claim = "PersistentVolumeClaim";
const sharing = ["apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet"];

export const volumeWriters = stackPolicy({
  id: "lim-volume-writers",
  title: "Pods that share a volume",
  rule: `A workload with several pods mounts no claim of class ${storageClasses.replicatedBlock}, which allows only one writer.`,
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: `Write 1 replica, or give the claim class ${storageClasses.smb}.`,
  tags: ["limits", "storage", "replicas"],
  settings: {},
  kinds: [claim, ...sharing],
  *checkStack(resources, _settings, { limits: widening }) {
    const single = resources.filter(
      (resource) =>
        resource.groupKind === claim &&
        hasManyWriters(resource.get("spec", "storageClassName").text ?? "", widening) === false,
    );
    for (const resource of resources.filter(({ groupKind }) => sharing.includes(groupKind))) {
      const replicas = resource.get("spec", "replicas");
      if ((replicas.number ?? 1) <= 1) continue;
      for (const name of claimNames(resource))
        if (single.some((each) => each.name === name.text && each.namespace === resource.namespace))
          yield violationOf(resource, replicas, "The pods share a volume that allows only one writer.");
    }
  },
});

function claimNames(resource: PolicyResource): readonly Field[] {
  const volumes = podTemplateOf(resource)?.get("spec", "volumes").items ?? [];
  return volumes.map((volume) => volume.get("persistentVolumeClaim", "claimName")).filter(({ exists }) => exists);
}

/** Settings of policies on volumes, by their row. */
const settings: Readonly<Record<string, PolicySettings>> = {
  [limits.databaseSize.id]: {
    files: {
      description:
        "Number of files of a suite if the stack's settings don't set it. With 0 the smallest volume is enough.",
      default: 0,
    },
  },
  [limits.keystoreSize.id]: {
    size: { description: "Smallest size of a keystore's volume.", default: limits.keystoreSize.least() },
  },
};

/** A row of a volume's size as a policy. */
export function sizePolicy(limit: SizeLimit): ResourcePolicy {
  const kinds = limit.object.kind === claim ? [claim, "apps/StatefulSet"] : [];
  return resourcePolicy({
    ...described(limit),
    settings: settings[limit.id] ?? {},
    kinds: [...kinds, ...Object.keys(limit.fields)],
    *check(resource, given, stack) {
      const least = String(given.size ?? limit.least(circumstances(limit, resource, stack, given)));
      for (const field of sizesOf(resource, limit))
        if (field.exists && (field.quantity ?? 0) < (parseQuantity(least) ?? 0))
          yield violation(field, limit.told(least));
    },
  });
}

function sizesOf(resource: PolicyResource, { fields, object }: SizeLimit): readonly Field[] {
  const field = fieldAt(resource, fields);
  if (field) return [field];
  const holder = resource.groupKind === claim ? object.name : names.keystore;
  return resource.name === holder ? claimsOf(resource).map(({ size }) => size) : [];
}
