import { limits, storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { addedClasses, mostInstances, mostWebPods } from "@hearth-platform/hearth/catalogue/widening";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { Field } from "../core/field.ts";
import { Level, resourcePolicy, Severity, violation } from "../core/policy.ts";
import type { Resource } from "../core/resource.ts";
import { fieldAt } from "./suites.ts";

/** Bounds of an autoscaler: field names of Kubernetes' own and of KEDA's ScaledObject. */
const bounds = { least: ["minReplicas", "minReplicaCount"], most: ["maxReplicas", "maxReplicaCount"] } as const;

/** Default bounds of Kubernetes and KEDA. Kubernetes' own autoscaler always has an upper bound. */
const defaults: Readonly<Record<string, number>> = { minReplicas: 1, minReplicaCount: 0, maxReplicaCount: 100 };

/** A number of pods, and where it is said. */
interface Count {
  readonly field: Field;
  /** NaN: none can be read. */
  readonly number: number;
}

/** Scaled objects: a workload of this name, or any object of this kind. */
interface Target {
  readonly name?: string;
  readonly groupKind?: string;
}

/**
 * The numbers of pods that a resource gives the target: a component's at its path, a workload's own, and of whatever has
 * a scale target both bounds. None of any other resource. Kinds are told by their shape, since operators bring more of them.
 */
function countsOf(
  resource: Resource,
  target: Target,
  components: Readonly<Record<string, readonly string[]>>,
): readonly Count[] {
  const own = fieldAt(resource, components);
  if (own) return counted(own);
  if (resource.apiVersion === "") return [];
  const spec = resource.get("spec");
  const scaled = spec.get("scaleTargetRef");
  if (scaled.exists) return isTarget(scaled, target) ? [...boundOf(spec, "least"), ...boundOf(spec, "most")] : [];
  const replicas = spec.get("replicas");
  if (!replicas.exists || target.name === undefined) return [];
  const names = [resource.name, spec.get("workloadRef", "name").text];
  return names.includes(target.name) ? counted(replicas) : [];
}

function isTarget(scaled: Field, { name, groupKind }: Target): boolean {
  if (name !== undefined) return scaled.get("name").text === name;
  return `${scaled.get("apiVersion").text?.split("/")[0]}/${scaled.get("kind").text}` === groupKind;
}

function boundOf(spec: Field, bound: keyof typeof bounds): readonly Count[] {
  const [kubernetes, keda] = bounds[bound];
  const key = spec.get("triggers").exists ? keda : kubernetes;
  const field = spec.get(key);
  const standard = defaults[key];
  return field.exists || standard === undefined ? counted(field) : [{ field, number: standard }];
}

function counted(field: Field): readonly Count[] {
  return field.exists ? [{ field, number: field.number ?? Number.NaN }] : [];
}

/** A workload that a stack under maintenance scales to nothing; a component's number stays, and so does an autoscaler's. */
function isStopped(resource: Resource, { field, number }: Count): boolean {
  return resource.apiVersion !== "" && field.key === "replicas" && number === 0;
}

const keystores = { "hearth/Keystore": ["replicas"], "hearth/CloudSuite": ["replicas", "keystore"] };

export const keystoreReplicas = resourcePolicy({
  id: "lim-keystore-replicas",
  title: "One keystore pod",
  rule: `A keystore has exactly ${limits.keystoreReplicas} pod: a second one would have separate data.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Write ${limits.keystoreReplicas}.`,
  tags: ["limits", "keystore", "replicas"],
  settings: {},
  admissionCounterpart: "keystore-replicas",
  kinds: "any",
  *check(resource, _settings, { maintenance }) {
    for (const count of countsOf(resource, { name: names.keystore }, keystores)) {
      if (count.number === limits.keystoreReplicas || (maintenance && isStopped(resource, count))) continue;
      yield violation(count.field, `A keystore has exactly ${limits.keystoreReplicas} pod.`);
    }
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
  remediation: `Write 1. For more, choose storage class ${storageClasses.smb} before the first deployment.`,
  tags: ["limits", "cloudsuite", "replicas"],
  settings: {},
  admissionCounterpart: "cloudsuite-replicas",
  kinds: "any",
  *check(resource, _settings, { maintenance, limits: widening }) {
    const counts = countsOf(resource, { name: names.cloudsuite.web }, suites);
    if (counts.length === 0) return;
    // A workload alone does not say the class of its volume; its component does.
    const storageClass = resource.get("storage", "storageClass").text ?? storageClasses.smb;
    const known = [...Object.values<string>(storageClasses), ...addedClasses(widening)].includes(storageClass);
    const most = mostWebPods(known ? storageClass : storageClasses.smb, widening);
    for (const count of counts) {
      if (maintenance && isStopped(resource, count)) continue;
      if (!Number.isInteger(count.number) || count.number < 1 || count.number > most)
        yield violation(
          count.field,
          most === 1 ? "The volume allows only one writer." : `There are 1 to ${most} web pods.`,
        );
    }
  },
});

const cluster = "postgresql.cnpg.io/Cluster";
const databases = {
  [cluster]: ["spec", "instances"],
  "hearth/Database": ["instances"],
  "hearth/CloudSuite": ["replicas", "db"],
};
const { production, development } = limits.databaseReplicas;

export const databaseReplicas = resourcePolicy({
  id: "lim-db-replicas",
  title: "Instances of a database",
  rule: `A database has ${production} instances, a primary and a standby; in development ${development} is enough.`,
  severity: Severity.high,
  level: Level.mandatory,
  remediation: `Write a number that is named. ${development}, without failover, is for profile development.`,
  tags: ["limits", "database", "replicas"],
  settings: {},
  admissionCounterpart: "database-replicas",
  kinds: "any",
  *check(resource, _settings, { profile, limits: widening }) {
    for (const { field, number } of countsOf(resource, { groupKind: cluster }, databases)) {
      if (number === production || (number === development && profile === Profile.development)) continue;
      if (Number.isInteger(number) && number > production && number <= mostInstances(widening)) continue;
      const most = mostInstances(widening);
      const allowed = most > production ? `${production} to ${most}` : String(production);
      yield violation(
        field,
        `Profile ${profile} needs ${profile === Profile.development ? `${allowed} or ${development}` : allowed}.`,
      );
    }
  },
});

const forges = { "hearth/Forge": ["replicas", "webservice"] };

export const forgeWebReplicas = resourcePolicy({
  id: "lim-forge-web-replicas",
  title: "Web pods of the forge",
  rule: `The forge has ${limits.forgeWebReplicas} or more web pods; in development 1 is enough, and under maintenance none.`,
  severity: Severity.medium,
  level: Level.mandatory,
  remediation: `Write ${limits.forgeWebReplicas} or more, or set the forge's maintenance.`,
  tags: ["limits", "forge", "replicas"],
  settings: {},
  admissionCounterpart: "forge-web-replicas",
  kinds: "any",
  *check(resource, _settings, { profile, maintenance }) {
    const least = profile === Profile.development ? 1 : limits.forgeWebReplicas;
    for (const count of countsOf(resource, { name: names.forge.webservice }, forges)) {
      if (maintenance && isStopped(resource, count)) continue;
      if (!Number.isInteger(count.number) || count.number < least)
        yield violation(count.field, `Profile ${profile} needs ${least} or more.`);
    }
  },
});
