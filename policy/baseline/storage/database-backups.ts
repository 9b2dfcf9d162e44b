import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf } from "../selection.ts";

const clusterKind = "postgresql.cnpg.io/Cluster";
const scheduleKind = "postgresql.cnpg.io/ScheduledBackup";
const storeKind = "barmancloud.cnpg.io/ObjectStore";
const databaseKind = "hearth/Database";

const daysOf: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30 };

export const databaseBackups = stackPolicy({
  id: "st-database-backup",
  title: "Databases that can be recovered",
  rule: "A database sends its write-ahead log to an object store, has scheduled base backups, and keeps both for some days.",
  severity: PolicySeverity.critical,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Add the backup plugin with an ObjectStore that has a retentionPolicy, and a ScheduledBackup.",
  tags: ["storage", "data", "database", "backup"],
  settings: { days: { description: "Shortest time that a recovery can go back, in days.", default: 7 } },
  kinds: [clusterKind, scheduleKind, storeKind, databaseKind],
  *checkStack(resources, { days }) {
    const clusters = resources.filter(({ groupKind }) => groupKind === clusterKind);
    const sources = new Set(clusters.flatMap(sourcesOf));
    const without = resources.filter(
      ({ groupKind, inputs }) => groupKind === databaseKind && !inputs.get("backup").exists,
    );
    for (const resource of without)
      yield violationOf(resource, resource.get("backup"), "It must name the target of backups.");
    for (const resource of resources) {
      if (resource.groupKind === databaseKind) yield* kept(resource, resource.get("backup", "retention"), days, true);
      if (resource.groupKind === storeKind) yield* kept(resource, resource.get("spec", "retentionPolicy"), days);
    }
    for (const cluster of clusters) {
      // A cluster that another was recovered from stays as it was; nobody writes to it.
      const isSource = sources.has(keyOf(cluster, cluster.get("metadata", "name")));
      const isReported = without.some(({ urn }) => urn === cluster.parent);
      if (!isSource && !isReported) yield* recoverable(cluster, resources, days);
    }
  },
});

function* recoverable(
  cluster: PolicyResource,
  resources: readonly PolicyResource[],
  days: number,
): Generator<StackViolation> {
  const own = cluster.get("spec", "backup", "barmanObjectStore");
  const plugins = cluster.get("spec", "plugins");
  const isArchived = plugins.items.some((plugin) => plugin.get("isWALArchiver").value === true);
  if (!isArchived && !own.exists)
    yield violationOf(cluster, plugins, "One of them must be the archiver of the write-ahead log.");
  if (own.exists) yield* kept(cluster, cluster.get("spec", "backup", "retentionPolicy"), days);
  const isScheduled = resources.some(
    (each) =>
      each.groupKind === scheduleKind &&
      each.get("spec", "suspend").value !== true &&
      keyOf(each, each.get("spec", "cluster", "name")) === keyOf(cluster, cluster.get("metadata", "name")),
  );
  if (!isScheduled)
    yield violationOf(cluster, cluster.get("metadata", "name"), "The stack has no ScheduledBackup for this cluster.");
}

/** Other clusters that a cluster reads, which it was recovered from. Its own name there is that of a cluster elsewhere. */
function sourcesOf(cluster: PolicyResource): string[] {
  const own = keyOf(cluster, cluster.get("metadata", "name"));
  const sources = cluster.get("spec", "externalClusters").items.map((source) => keyOf(cluster, source.get("name")));
  return sources.filter((source) => source !== own);
}

function keyOf(resource: PolicyResource, name: Field): string {
  return `${namespaceOf(resource)}/${name.text}`;
}

/** @param hasDefault whether a field that is not there has a value that is long enough */
function* kept(resource: PolicyResource, field: Field, days: number, hasDefault = false): Generator<StackViolation> {
  if (hasDefault && !field.exists) return;
  const [, count, unit = ""] = /^([1-9]\d*)([dwm])$/.exec(field.text ?? "") ?? [];
  if (Number(count ?? 0) * (daysOf[unit] ?? 0) < days)
    yield violationOf(resource, field, `It must be ${days}d or more.`);
}
