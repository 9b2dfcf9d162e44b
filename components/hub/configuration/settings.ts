import { parseQuantity } from "../../core/quantities.ts";
import { secretRevision } from "../../core/secrets.ts";
import { parseVersion } from "../../core/versions.ts";
import type { AuditLogPurge, HubSettings, ProjectSettings } from "../configuration.ts";
import type { ResolvedHub } from "../defaults.ts";
import { firstProject } from "../hub-names.ts";

/** The state that the settings Job establishes. */
export function hubState(args: ResolvedHub): HubSettings {
  const { projects, robots, auditLog, storageQuota } = args;
  const { schedule, deleteUntagged } = args.garbageCollection;
  const library = projects.some(({ name }) => name === firstProject);
  return {
    garbageCollection: { schedule, deleteUntagged },
    ...(auditLog.purge && { auditLogPurge: { schedule: auditLog.schedule, parameters: auditLogPurge(args) } }),
    ...(!library && { libraryQuota: quotaBytes(storageQuota) }),
    projects: projects.map((project) => projectSettings(project, args)),
    robots: robots.map(({ name, projects, access }) => ({ name, projects, access })),
  };
}

/** Everything there is in the log. (goharbor/harbor src/pkg/audit/dao, src/pkg/auditext/model) */
function auditLogPurge({ auditLog, version }: ResolvedHub): AuditLogPurge {
  const operations = "create,delete,pull";
  const [, minor = 0] = parseVersion(version) ?? [];
  return {
    audit_retention_hour: 24 * auditLog.retentionDays,
    dry_run: false,
    // 2.13 has a new table, whose entries have types; the operations stand for the old table, which nothing is written to any more.
    ...(minor < 13
      ? { include_operations: operations }
      : { include_event_types: `create_artifact,delete_artifact,pull_artifact,other,${operations}` }),
  };
}

function projectSettings(project: ResolvedHub["projects"][number], { platform }: ResolvedHub): ProjectSettings {
  const { name, retention, proxyCache } = project;
  return {
    name,
    public: project.public,
    storageQuota: quotaBytes(project.storageQuota),
    ...(retention && { retention: { schedule: retention.schedule, rules: retention.rules } }),
    ...(proxyCache && {
      proxyCache: {
        kind: proxyCache.kind,
        // As the hub keeps it.
        url: proxyCache.url.replace(/\/+$/, ""),
        ...(proxyCache.user !== undefined && {
          user: proxyCache.user,
          passwordRevision: secretRevision(platform.secrets, proxyCache.password?.name ?? ""),
        }),
      },
    }),
  };
}

/** Bytes of a quota; -1 is the hub's word for no limit. */
export function quotaBytes(quota: string | undefined): number {
  return quota === undefined ? -1 : (parseQuantity(quota) ?? -1);
}
