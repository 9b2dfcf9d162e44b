import { names } from "@hearth-platform/hearth/catalogue/names";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { alternatives } from "@hearth-platform/hearth/core/problems";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { clusterKind, type SizeLimit, suiteKind, wayOn } from "@hearth-platform/hearth/limits/limit";
import { hasManyWriters, storageClasses, widenedClass } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import { claimsOf } from "../core/claims.ts";
import type { Field } from "../core/field.ts";
import { containers, podTemplateOf } from "../core/pods.ts";
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
import { limitsSetting } from "../core/stack-facts.ts";
import { circumstances, described, fieldAt } from "./suites.ts";

export const volumeClass = resourcePolicy({
  ...described(limits.storageClass),
  unseen: "Volumes made outside the stack, and what the cluster has under the name of a class.",
  settings: {
    classes: { description: "Classes that a volume may have.", default: Object.values(storageClasses) },
  },
  kinds: "any",
  *check(resource, { classes }, { limits: widening }) {
    const added = (widening?.storageClasses ?? []).map(({ name }) => name);
    const allowed = [...classes, ...added];
    const fields =
      resource.groupKind === suiteKind
        ? [resource.get(...(limits.storageClass.fields[suiteKind] ?? []))]
        : claimsOf(resource).map((claim) => claim.storageClass);
    for (const field of fields)
      if (!allowed.includes(field.text ?? ""))
        yield violation(
          field,
          `The class has to be ${alternatives(allowed)}.${wayOn(limits.storageClass, field.text, limitsSetting)}`,
        );
  },
});

const oneWriter = ["ReadWriteOnce", "ReadWriteOncePod"];
const manyWriters = ["ReadWriteMany"];

/** How volumes of a class can be mounted; undefined for a class that nobody allows. */
function modesOf(name: string, widening: LimitsArgs | undefined): readonly string[] | undefined {
  if (name === storageClasses.smb) return manyWriters;
  const shared = hasManyWriters(name, widening);
  // What a stack adds may be the one class of all its volumes.
  return shared === undefined ? undefined : [...oneWriter, ...(shared ? manyWriters : [])];
}

export const storageMode = resourcePolicy({
  id: "lim-storage-mode",
  title: "Writers of a volume",
  rule: Object.values(storageClasses)
    .map((name) => `A volume of ${name} is ${modesOf(name, undefined)?.join(" or ")}.`)
    .join(" "),
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: `Write the mode of the class. For a volume that several pods write, use class ${storageClasses.smb}.`,
  unseen: "Claims made outside the stack, and what a driver of that class can do.",
  tags: ["limits", "storage"],
  settings: {},
  kinds: "any",
  *check(resource, _settings, { limits: widening }) {
    for (const { storageClass, accessModes } of claimsOf(resource))
      for (const mode of accessModes?.items ?? []) {
        const allowed = modesOf(storageClass.text ?? "", widening);
        if (allowed && !allowed.includes(mode.text ?? ""))
          yield violation(mode, `The volume's class allows ${alternatives(allowed)}.`);
      }
  },
});

const claim = "PersistentVolumeClaim";

export const volumeWriters = stackPolicy({
  id: "lim-volume-writers",
  title: "Pods that share a volume",
  rule: `No two pods mount a claim of class ${storageClasses.replicatedBlock}, which allows only one writer: neither replicas, an autoscaler's or a Job's pods, a DaemonSet's, nor two workloads.`,
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: `Write 1 replica, or give the claim class ${storageClasses.smb}.`,
  unseen: "Claims made outside the stack or from a template, and the moment in which a rolling update runs two pods.",
  tags: ["limits", "storage", "replicas"],
  settings: {},
  kinds: "any",
  *checkStack(resources, _settings, { limits: widening }) {
    const single = resources.filter(
      (resource) => resource.groupKind === claim && hasOneWriter(resource.get("spec"), widening),
    );
    if (single.length === 0) return;
    const scalers = resources.filter((resource) => resource.apiVersion !== "" && scales(resource));
    const first = new Map<PolicyResource, PolicyResource>();
    for (const resource of resources)
      for (const { volume, field, isRead } of claimNames(resource)) {
        const shared = single.find((each) => each.name === field.text && each.namespace === resource.namespace);
        if (!shared) continue;
        const pods = podsOf(resource, scalers);
        if (pods.most > 1)
          yield violationOf(resource, pods.field, "The pods share a volume that allows only one writer.");
        // What runs for a while only, or reads, comes beside the one that writes.
        if (isRead || pods.most === 0 || !isServing(resource)) continue;
        const other = first.get(shared);
        if (other && other !== resource)
          yield violationOf(resource, volume, "Another workload mounts this volume, which allows only one writer.");
        first.set(shared, other ?? resource);
      }
  },
});

/** Whether one node alone can mount a claim's volume: of a class that a stack adds for all of its volumes, its modes say it. */
function hasOneWriter(spec: Field, widening: LimitsArgs | undefined): boolean {
  const name = spec.get("storageClassName").text ?? "";
  const modes = spec.get("accessModes").items.map(({ text }) => text ?? "");
  return (
    hasManyWriters(name, widening) === false ||
    (widenedClass(name, widening) !== undefined &&
      modes.length > 0 &&
      !modes.some((mode) => manyWriters.includes(mode)))
  );
}

/** Kinds whose pods run on until they are stopped. */
function isServing({ groupKind }: PolicyResource): boolean {
  return groupKind.startsWith("apps/") || groupKind === "ReplicationController" || groupKind === "Pod";
}

function scales(resource: PolicyResource): boolean {
  return ["HorizontalPodAutoscaler", "ScaledObject"].includes(resource.kind);
}

/** How many pods a workload has at once at most, and where that is said. */
function podsOf(resource: PolicyResource, scalers: readonly PolicyResource[]): { field: Field; most: number } {
  const spec = resource.get("spec");
  if (resource.groupKind === "apps/DaemonSet") return { field: spec.get("template"), most: Number.POSITIVE_INFINITY };
  const job = resource.groupKind === "batch/CronJob" ? spec.get("jobTemplate", "spec") : spec;
  if (resource.groupKind.startsWith("batch/")) {
    const field = job.get("parallelism");
    return { field, most: field.number ?? 1 };
  }
  const scaler = scalers.find((each) => {
    const target = each.get("spec", "scaleTargetRef");
    const kind = target.get("kind").text ?? "Deployment";
    return each.namespace === resource.namespace && kind === resource.kind && target.get("name").text === resource.name;
  });
  if (scaler) {
    const most = ["maxReplicas", "maxReplicaCount"].map((key) => scaler.get("spec", key).number);
    return { field: spec.get("replicas"), most: most.find((each) => each !== undefined) ?? 100 };
  }
  const field = spec.get("replicas");
  return { field, most: field.number ?? 1 };
}

/** The claims that the pods of a workload mount. */
function claimNames(resource: PolicyResource): { volume: Field; field: Field; isRead: boolean }[] {
  const pod = podTemplateOf(resource)?.get("spec");
  if (!pod) return [];
  return pod.get("volumes").items.flatMap((volume) => {
    const source = volume.get("persistentVolumeClaim");
    if (!source.exists) return [];
    const mounts = containers(resource).flatMap((container) =>
      container.get("volumeMounts").items.filter((mount) => mount.get("name").value === volume.get("name").value),
    );
    const isRead =
      source.get("readOnly").value === true ||
      (mounts.length > 0 && mounts.every((mount) => mount.get("readOnly").value === true));
    return [{ volume, field: source.get("claimName"), isRead }];
  });
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
    unseen: "Volumes made outside the stack, and files that come later.",
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
  if (field) return [resource.groupKind === clusterKind ? (claimsOf(resource)[0]?.size ?? field) : field];
  const holder = resource.groupKind === claim ? object.name : names.keystore;
  return resource.name === holder ? claimsOf(resource).map(({ size }) => size) : [];
}
