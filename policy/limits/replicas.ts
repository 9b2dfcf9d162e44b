import { limits, storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { addedClasses, mostInstances, mostWebPods } from "@hearth-platform/hearth/catalogue/widening";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { Field } from "../core/field.ts";
import { Level, resourcePolicy, Severity, violation } from "../core/policy.ts";
import type { Resource } from "../core/resource.ts";
import { fieldAt } from "./suites.ts";

const autoscaler = "autoscaling/HorizontalPodAutoscaler";
const scaled = ["apps/StatefulSet", "apps/Deployment", autoscaler];

/**
 * The replicas of the workload `name`, those that its autoscaler may set, or those of a component at its path; undefined for any
 * other resource.
 */
function replicasOf(
  resource: Resource,
  name: string,
  components: Readonly<Record<string, readonly string[]>>,
  ofAutoscaler: "minReplicas" | "maxReplicas" = "maxReplicas",
): Field | undefined {
  if (resource.groupKind === autoscaler)
    return resource.get("spec", "scaleTargetRef", "name").text === name
      ? resource.get("spec", ofAutoscaler)
      : undefined;
  return fieldAt(resource, components) ?? (resource.name === name ? resource.get("spec", "replicas") : undefined);
}

const isWorkload = ({ groupKind }: Resource) => scaled.includes(groupKind);

const keystores = { "hearth/Keystore": ["replicas"], "hearth/CloudSuite": ["replicas", "keystore"] };

export const keystoreReplicas = resourcePolicy({
  id: "lim-keystore-replicas",
  title: "One keystore pod",
  rule: `A keystore has exactly ${limits.keystoreReplicas} pod: a second one would have data of its own.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Write ${limits.keystoreReplicas}.`,
  tags: ["limits", "keystore", "replicas"],
  settings: {},
  admissionCounterpart: "keystore-replicas",
  kinds: [...scaled, ...Object.keys(keystores)],
  *check(resource, _settings, { maintenance }) {
    const field = replicasOf(resource, names.keystore, keystores);
    if (!field?.exists || field.number === limits.keystoreReplicas) return;
    if (isWorkload(resource) && field.number === 0 && maintenance) return;
    yield violation(field, `A keystore has exactly ${limits.keystoreReplicas} pod.`);
  },
});

const suites = { "hearth/CloudSuite": ["replicas", "cloudsuite"] };

export const cloudsuiteReplicas = resourcePolicy({
  id: "lim-cloudsuite-replicas",
  title: "Web pods of a suite",
  rule: Object.entries(limits.cloudsuiteReplicas)
    .map(
      ([storageClass, most]) => `On ${storageClass} a suite has ${most === 1 ? "1 web pod" : `1 to ${most} web pods`}.`,
    )
    .join(" "),
  severity: Severity.critical,
  level: Level.mandatory,
  remediation: `Write 1; for more, take storage class ${storageClasses.smb} before the first deployment.`,
  tags: ["limits", "cloudsuite", "replicas"],
  settings: {},
  admissionCounterpart: "cloudsuite-replicas",
  kinds: [...scaled, ...Object.keys(suites)],
  *check(resource, _settings, { maintenance, limits: widening }) {
    const field = replicasOf(resource, names.cloudsuite.web, suites);
    if (!field?.exists) return;
    const count = field.number ?? 0;
    if (isWorkload(resource) && count === 0 && maintenance) return;
    // A workload alone does not say the class of its volume; its component does.
    const storageClass = resource.get("storage", "storageClass").text ?? storageClasses.smb;
    const known = [...Object.values<string>(storageClasses), ...addedClasses(widening)].includes(storageClass);
    const most = mostWebPods(known ? storageClass : storageClasses.smb, widening);
    if (!Number.isInteger(count) || count < 1 || count > most)
      yield violation(field, most === 1 ? "The volume has a single writer." : `There are 1 to ${most} web pods.`);
  },
});

const databases = {
  "postgresql.cnpg.io/Cluster": ["spec", "instances"],
  "hearth/Database": ["instances"],
  "hearth/CloudSuite": ["replicas", "db"],
  "hearth/Stores": ["database", "instances"],
};
const { production, development } = limits.databaseReplicas;

export const databaseReplicas = resourcePolicy({
  id: "lim-db-replicas",
  title: "Instances of a database",
  rule: `A database has ${production} instances, a primary and a standby; in development ${development} will do.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Write ${production}, or ${development} where no failover is needed.`,
  tags: ["limits", "database", "replicas"],
  settings: {},
  admissionCounterpart: "database-replicas",
  kinds: Object.keys(databases),
  *check(resource, _settings, { profile, limits: widening }) {
    const field = replicasOf(resource, "", databases);
    if (!field?.exists || field.number === production) return;
    const count = field.number ?? 0;
    if (Number.isInteger(count) && count > production && count <= mostInstances(widening)) return;
    if (field.number === development && profile === Profile.development) return;
    const allowed = profile === Profile.development ? `${production} or ${development}` : String(production);
    yield violation(field, `Profile ${profile} wants ${allowed}.`);
  },
});

const forges = { "hearth/Forge": ["replicas", "webservice"] };

export const forgeWebReplicas = resourcePolicy({
  id: "lim-forge-web-replicas",
  title: "Web pods of the forge",
  rule: `The forge has ${limits.forgeWebReplicas} or more web pods; in development 1 will do, under maintenance none.`,
  severity: Severity.medium,
  level: Level.mandatory,
  remediation: `Write ${limits.forgeWebReplicas} or more, or put the forge under maintenance.`,
  tags: ["limits", "forge", "replicas"],
  settings: {},
  admissionCounterpart: "forge-web-replicas",
  kinds: [...scaled, ...Object.keys(forges)],
  *check(resource, _settings, { profile, maintenance }) {
    const field = replicasOf(resource, names.forge.webservice, forges, "minReplicas");
    if (!field?.exists) return;
    const count = field.number ?? 0;
    if (isWorkload(resource) && count === 0 && maintenance) return;
    const least = profile === Profile.development ? 1 : limits.forgeWebReplicas;
    if (!Number.isInteger(count) || count < least) yield violation(field, `Profile ${profile} wants ${least} or more.`);
  },
});
