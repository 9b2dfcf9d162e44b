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
  rule: "A database sends its write-ahead log to an object store, has base backups once a month or more often, and keeps both for some days. Nothing turns archiving or durability off, and no two databases write to one archive.",
  severity: PolicySeverity.critical,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Add the backup plugin with an ObjectStore that has a retentionPolicy, and a ScheduledBackup.",
  unseen: "Whether a backup can be restored, and clusters outside the stack that write to the same archive.",
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
    yield* sharedArchives(clusters, resources);
    for (const cluster of clusters) {
      yield* switchedOff(cluster);
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
  const isArchived = plugins.items.some(isArchiver);
  if (!isArchived && !own.exists)
    yield violationOf(cluster, plugins, "One of them must be the archiver of the write-ahead log.");
  if (own.exists) yield* kept(cluster, cluster.get("spec", "backup", "retentionPolicy"), days);
  const isScheduled = resources.some(
    (each) =>
      each.groupKind === scheduleKind &&
      each.get("spec", "suspend").value !== true &&
      comesMonthly(each.get("spec", "schedule").text ?? "0 0 0 * * *") &&
      keyOf(each, each.get("spec", "cluster", "name")) === keyOf(cluster, cluster.get("metadata", "name")),
  );
  if (!isScheduled)
    yield violationOf(
      cluster,
      cluster.get("metadata", "name"),
      "The stack has no ScheduledBackup for this cluster that comes once a month or more often.",
    );
}

function isArchiver(plugin: Field): boolean {
  return plugin.get("isWALArchiver").value === true && plugin.get("enabled").value !== false;
}

/** Annotations and parameters by which the operator or PostgreSQL stops to keep what is written. */
const switches: readonly (readonly [path: readonly string[], off: RegExp, message: string])[] = [
  [
    ["metadata", "annotations", "cnpg.io/skipWalArchiving"],
    /^(?:enabled|true)$/,
    "It must be absent: it ends archiving.",
  ],
  [
    ["metadata", "annotations", "cnpg.io/skipEmptyWalArchiveCheck"],
    /^(?:enabled|true)$/,
    "It must be absent: it lets a database write over another's archive.",
  ],
  ...["fsync", "full_page_writes", "synchronous_commit", "archive_mode"].map(
    (name) =>
      [["spec", "postgresql", "parameters", name], /^(?:off|false|no|0|disabled)$/i, "It must not be off."] as const,
  ),
  [["spec", "postgresql", "parameters", "wal_level"], /^minimal$/i, "It must be replica or logical."],
];

function* switchedOff(cluster: PolicyResource): Generator<StackViolation> {
  for (const [path, off, message] of switches) {
    const field = cluster.get(...path);
    if (off.test(field.text ?? "")) yield violationOf(cluster, field, message);
  }
}

/** Clusters that write to the archive of another: the same place and server name. */
function* sharedArchives(
  clusters: readonly PolicyResource[],
  resources: readonly PolicyResource[],
): Generator<StackViolation> {
  const taken = new Map<string, string>();
  for (const cluster of clusters)
    for (const { field, place, server } of archivesOf(cluster, resources)) {
      const key = `${place.replace(/\/+$/, "")}/${server}`;
      if ((taken.get(key) ?? cluster.urn) !== cluster.urn)
        yield violationOf(cluster, field, "Another database writes to this archive.");
      taken.set(key, cluster.urn);
    }
}

function archivesOf(cluster: PolicyResource, resources: readonly PolicyResource[]) {
  const name = cluster.name ?? "";
  const own = cluster.get("spec", "backup", "barmanObjectStore");
  const ofPlugins = cluster
    .get("spec", "plugins")
    .items.filter(isArchiver)
    .map((plugin) => {
      const field = plugin.get("parameters", "barmanObjectName");
      const store = resources.find(
        (each) => each.groupKind === storeKind && keyOf(each, each.get("metadata", "name")) === keyOf(cluster, field),
      );
      const path = store?.get("spec", "configuration", "destinationPath").text;
      const server = plugin.get("parameters", "serverName").text ?? name;
      return { field, place: path ?? `${namespaceOf(cluster)} ${field.text}`, server, isKnown: field.exists };
    });
  const path = own.get("destinationPath");
  const ofOwn = {
    field: path,
    place: path.text ?? "",
    server: own.get("serverName").text ?? name,
    isKnown: path.exists,
  };
  return [...ofPlugins, ofOwn].filter(({ isKnown }) => isKnown);
}

/** Whether a schedule of six fields, the first of seconds, comes in every month; `@daily` and the like do. */
function comesMonthly(schedule: string): boolean {
  if (/^@(?:hourly|daily|midnight|weekly|monthly)$|^@every \d/.test(schedule)) return true;
  const [, , , day = "", month = ""] = schedule.trim().split(/\s+/);
  const isEveryMonth = /^(?:[*?]|\*\/1|1-12|jan-dec)$/i.test(month);
  const days = [...day.matchAll(/\d+/g)].map(Number);
  const comes = /^[*?]/.test(day) || (days.length > 0 && Math.min(...days) <= 28);
  return schedule.trim().split(/\s+/).length === 6 && isEveryMonth && comes;
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
