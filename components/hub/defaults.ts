import { parseQuantity } from "../core/quantities.ts";
import { defaultOf, defaultsOf } from "../core/schema.ts";
import { secretRevision } from "../core/secrets.ts";
import { parseVersion } from "../core/versions.ts";
import type { HubArgs, HubProjectArgs, HubReplicasArgs, HubResourcesArgs, HubRetentionRuleArgs } from "./args.ts";
import type { AuditLogPurge, HubSettings, ProjectSettings, RetentionRule } from "./configuration.ts";
import {
  hubAuditLog,
  hubGarbageCollection,
  hubReplicas as hubReplicasSchema,
  hubResources as hubResourcesSchema,
  hubRetention,
  hubRetentionRule,
  hubRobot,
} from "./schema.ts";
import { hubVersion } from "./versions.ts";

/** Arguments of the hub with their defaults filled in. */

/** Scopes requested from a forge. It always issues a refresh token and has no scope for one. */
export const forgeScopes: readonly string[] = ["openid", "profile", "email"];

/** The project that every hub has. */
export const firstProject = "library";

/** Connections to the database that each pod of core or of jobs opens at most. */
export const databaseConnections = 30;

/** Seconds that requests under way, layers of gigabytes, have when a pod of core or registry ends. */
export const drainSeconds = 90;

/** Resources of each part. */
export function hubResources(args: Pick<HubArgs, "platform" | "resources">): Required<HubResourcesArgs> {
  return { ...defaultsOf(hubResourcesSchema, args.platform.profile), ...args.resources };
}

/** Pods of each part. */
export function hubReplicas({ platform, replicas }: Pick<HubArgs, "platform" | "replicas">): Required<HubReplicasArgs> {
  return { ...defaultsOf(hubReplicasSchema, platform.profile), ...replicas };
}

/** The state that the settings Job establishes. */
export function hubSettings(args: HubArgs): HubSettings {
  const { projects = [], robots = [], garbageCollection, auditLog, storageQuota } = args;
  const library = projects.some(({ name }) => name === firstProject);
  return {
    garbageCollection: {
      schedule: garbageCollection?.schedule ?? defaultOf(hubGarbageCollection.shape.schedule),
      deleteUntagged: garbageCollection?.deleteUntagged ?? false,
    },
    ...(auditLog?.purge !== false && {
      auditLogPurge: {
        schedule: auditLog?.schedule ?? defaultOf(hubAuditLog.shape.schedule),
        parameters: auditLogPurge(args),
      },
    }),
    ...(!library && { libraryQuota: quotaBytes(storageQuota) }),
    projects: projects.map((project) => projectSettings(project, args)),
    robots: robots.map(({ name, projects, access }) => ({
      name,
      projects,
      access: access ?? defaultOf(hubRobot.shape.access),
    })),
  };
}

/** Everything there is in the log. (goharbor/harbor src/pkg/audit/dao, src/pkg/auditext/model) */
function auditLogPurge(args: HubArgs): AuditLogPurge {
  const { auditLog } = args;
  const operations = "create,delete,pull";
  const [, minor = 0] = parseVersion(hubVersion(args)) ?? [];
  return {
    audit_retention_hour: 24 * (auditLog?.retentionDays ?? defaultOf(hubAuditLog.shape.retentionDays)),
    dry_run: false,
    // 2.13 has a new table, whose entries have types; the operations stand for the old table, which nothing is written to any more.
    ...(minor < 13
      ? { include_operations: operations }
      : { include_event_types: `create_artifact,delete_artifact,pull_artifact,other,${operations}` }),
  };
}

function projectSettings(project: HubProjectArgs, { storageQuota, platform }: HubArgs): ProjectSettings {
  const { name, retention, proxyCache } = project;
  return {
    name,
    public: project.public ?? false,
    storageQuota: quotaBytes(project.storageQuota ?? storageQuota),
    ...(retention && {
      retention: {
        schedule: retention.schedule ?? defaultOf(hubRetention.shape.schedule),
        rules: retention.rules.map(retentionRule),
      },
    }),
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

/** A rule with its defaults. */
export function retentionRule(rule: HubRetentionRuleArgs): RetentionRule {
  return {
    ...rule,
    repositories: rule.repositories ?? defaultOf(hubRetentionRule.shape.repositories),
    tags: rule.tags ?? defaultOf(hubRetentionRule.shape.tags),
  };
}

/** The counts of a retention rule, of which one is set. */
export const retentionCounts = ["latestPushed", "latestPulled", "pushedWithinDays", "pulledWithinDays"] as const;

/** Bytes of a quota; -1 is the hub's word for no limit. */
export function quotaBytes(quota: string | undefined): number {
  return quota === undefined ? -1 : (parseQuantity(quota) ?? -1);
}
