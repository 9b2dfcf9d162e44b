import { parseQuantity } from "../core/quantities.ts";
import { defaultOf, defaultsOf } from "../core/schema.ts";
import { secretRevision } from "../core/secrets.ts";
import type { HubArgs, HubProjectArgs, HubReplicasArgs, HubResourcesArgs, HubRetentionRuleArgs } from "./args.ts";
import type {
  CoreConfiguration,
  HubSettings,
  JobserviceConfiguration,
  ProjectSettings,
  RegistryConfiguration,
  RetentionRule,
} from "./configuration.ts";
import { partBytes } from "./registry-memory.ts";
import {
  hubGarbageCollection,
  hubReplicas as hubReplicasSchema,
  hubResources as hubResourcesSchema,
  hubRetention,
  hubRetentionRule,
  hubRobot,
  hubSignOn,
} from "./schema.ts";

/** Arguments of the hub with their defaults filled in. */

/** What a forge is asked for: it gives a refresh token always, and knows no scope for that. */
export const forgeScopes: readonly string[] = ["openid", "profile", "email"];

/** The project that every hub has. */
export const firstProject = "library";

/** Connections to the database that each pod of core or of jobs opens at most. */
export const databaseConnections = 30;

/** Jobs at once in each pod of background jobs. */
const workers = 10;

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

/** What the registry's configuration is rendered from. */
export function registryConfiguration(args: HubArgs): RegistryConfiguration {
  const { objectStore, bucket, keystore } = args;
  const memory = parseQuantity(hubResources(args).registry.limits.memory) ?? 0;
  return {
    objectStore,
    bucket,
    keystore,
    partBytes: partBytes(memory),
    redirect: args.redirect ?? false,
    drainSeconds,
  };
}

/** What core's environment is rendered from. */
export function coreConfiguration(args: HubArgs): CoreConfiguration {
  const { domain, database, keystore, signOn, storageQuota } = args;
  return {
    publicUrl: `https://${domain}`,
    database,
    databaseConnections,
    keystore,
    storageQuota: quotaBytes(storageQuota),
    ...(signOn && {
      signOn: {
        name: signOn.name ?? new URL(signOn.issuer).host,
        issuer: signOn.issuer,
        scopes: signOn.scopes ?? defaultOf(hubSignOn.shape.scopes),
        userClaim: signOn.userClaim ?? defaultOf(hubSignOn.shape.userClaim),
        groupsClaim: signOn.groupsClaim ?? defaultOf(hubSignOn.shape.groupsClaim),
        ...(signOn.adminGroup !== undefined && { adminGroup: signOn.adminGroup }),
        ...(signOn.groupFilter !== undefined && { groupFilter: signOn.groupFilter }),
      },
    }),
  };
}

/** What the configuration of the background jobs is rendered from. */
export function jobserviceConfiguration({ keystore }: HubArgs): JobserviceConfiguration {
  return { keystore, workers };
}

/** What the settings Job makes true. */
export function hubSettings(args: HubArgs): HubSettings {
  const { projects = [], robots = [], garbageCollection, storageQuota } = args;
  const library = projects.some(({ name }) => name === firstProject);
  return {
    garbageCollection: {
      schedule: garbageCollection?.schedule ?? defaultOf(hubGarbageCollection.shape.schedule),
      deleteUntagged: garbageCollection?.deleteUntagged ?? false,
    },
    ...(!library && { libraryQuota: quotaBytes(storageQuota) }),
    projects: projects.map((project) => projectSettings(project, args)),
    robots: robots.map(({ name, projects, access }) => ({
      name,
      projects,
      access: access ?? defaultOf(hubRobot.shape.access),
    })),
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
function quotaBytes(quota: string | undefined): number {
  return quota === undefined ? -1 : (parseQuantity(quota) ?? -1);
}
