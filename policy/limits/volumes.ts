import { limits, storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { addedClasses, widenedClass } from "@hearth-platform/hearth/catalogue/widening";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { keystoreClaim } from "@hearth-platform/hearth/stores/keystore/plan";
import { claimKinds, claimsOf } from "../core/claims.ts";
import type { Field } from "../core/field.ts";
import { podTemplate } from "../core/pods.ts";
import { Level, resourcePolicy, Severity, stackPolicy, violation, violationOf } from "../core/policy.ts";
import type { Resource } from "../core/resource.ts";
import type { StackFacts } from "../core/stack-facts.ts";
import { fieldAt, recommended, suite } from "./suites.ts";

const bothClasses = Object.values(storageClasses).join(" or ");

export const storageClass = resourcePolicy({
  id: "lim-storage-class",
  title: "Storage classes",
  rule: `A volume names its class, ${bothClasses}, because a cluster's default class may change.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Name the class ${bothClasses}.`,
  tags: ["limits", "storage"],
  settings: {
    classes: { description: "Classes that a volume may have.", default: Object.values(storageClasses) },
  },
  kinds: [...claimKinds, suite],
  *check(resource, { classes }, { limits: widening }) {
    const allowed = [...classes, ...addedClasses(widening)];
    const fields =
      resource.groupKind === suite
        ? [resource.get("storage", "storageClass")]
        : claimsOf(resource).map((claim) => claim.storageClass);
    for (const field of fields)
      if (!allowed.includes(field.text ?? "")) yield violation(field, "The class is not one of the platform's.");
  },
});

/** How volumes of a class can be mounted. A class that is not here is none of ours. */
const modes: Readonly<Record<string, readonly string[]>> = {
  [storageClasses.replicatedBlock]: ["ReadWriteOnce", "ReadWriteOncePod"],
  [storageClasses.smb]: ["ReadWriteMany"],
};

export const storageMode = resourcePolicy({
  id: "lim-storage-mode",
  title: "Writers of a volume",
  rule: Object.entries(modes)
    .map(([name, allowed]) => `A volume of ${name} is ${allowed.join(" or ")}.`)
    .join(" "),
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Write the mode of the class. For a volume that several pods write, use class ${storageClasses.smb}.`,
  tags: ["limits", "storage"],
  settings: {},
  kinds: claimKinds,
  *check(resource, _settings, { limits: widening }) {
    for (const { storageClass, accessModes } of claimsOf(resource))
      for (const mode of accessModes?.items ?? []) {
        const allowed = allowedModes(storageClass, widening);
        if (allowed && !allowed.includes(mode.text ?? ""))
          yield violation(mode, `The volume's class allows ${allowed.join(" or ")}.`);
      }
  },
});

function allowedModes(storageClass: Field, widening: StackFacts["limits"]): readonly string[] | undefined {
  const name = storageClass.text ?? "";
  const added = widenedClass(name, widening);
  if (added) return modes[added.multiWriter ? storageClasses.smb : storageClasses.replicatedBlock];
  return Object.hasOwn(modes, name) ? modes[name] : undefined;
}

const claim = "PersistentVolumeClaim";
const sharing = ["apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet"];

export const volumeWriters = stackPolicy({
  id: "lim-volume-writers",
  title: "Pods that share a volume",
  rule: `A workload with several pods mounts no claim of class ${storageClasses.replicatedBlock}, which allows only one writer.`,
  severity: Severity.critical,
  level: Level.mandatory,
  remediation: `Write 1 replica, or give the claim class ${storageClasses.smb}.`,
  tags: ["limits", "storage", "replicas"],
  settings: {},
  kinds: [claim, ...sharing],
  *checkStack(resources, _settings, { limits: widening }) {
    const single = resources.filter(
      (resource) =>
        resource.groupKind === claim && isSingleWriter(resource.get("spec", "storageClassName").text ?? "", widening),
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

function isSingleWriter(name: string, widening: StackFacts["limits"]): boolean {
  return name === storageClasses.replicatedBlock || widenedClass(name, widening)?.multiWriter === false;
}

function claimNames(resource: Resource): readonly Field[] {
  const volumes = podTemplate(resource)?.get("spec", "volumes").items ?? [];
  return volumes.map((volume) => volume.get("persistentVolumeClaim", "claimName")).filter(({ exists }) => exists);
}

const keystoreSizes = {
  [suite]: ["storage", "keystoreSize"],
  "hearth/Keystore": ["storageSize"],
};

export const keystoreVolume = resourcePolicy({
  id: "lim-keystore-volume",
  title: "Volume of a keystore",
  rule: `A keystore's volume has ${limits.keystoreSize} or more.`,
  severity: Severity.low,
  level: recommended,
  remediation: `Write ${limits.keystoreSize}.`,
  tags: ["limits", "keystore", "storage"],
  settings: {
    size: { description: "Smallest size of a keystore's volume.", default: limits.keystoreSize as string },
  },
  admissionCounterpart: "keystore-volume",
  kinds: [claim, "apps/StatefulSet", ...Object.keys(keystoreSizes)],
  *check(resource, { size }) {
    for (const field of sizesOfKeystore(resource))
      if (field.exists && (field.quantity ?? 0) < (parseQuantity(size) ?? 0))
        yield violation(field, `A keystore's volume needs ${size} or more.`);
  },
});

function sizesOfKeystore(resource: Resource): readonly Field[] {
  const field = fieldAt(resource, keystoreSizes);
  if (field) return [field];
  const keystore = resource.groupKind === claim ? keystoreClaim : names.keystore;
  return resource.name === keystore ? claimsOf(resource).map(({ size }) => size) : [];
}
