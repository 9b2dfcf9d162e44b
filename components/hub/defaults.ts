import { Profile } from "../core/platform-args.ts";
import { parseQuantity } from "../core/quantities.ts";
import { resourceSpec } from "../kubernetes/resources.ts";
import type { HubArgs, HubProjectArgs, HubReplicasArgs, HubResourcesArgs, HubRetentionRuleArgs } from "./args.ts";
import { HubAccess } from "./args.ts";
import type {
  CoreConfiguration,
  HubSettings,
  JobserviceConfiguration,
  ProjectSettings,
  RegistryConfiguration,
  RetentionRule,
} from "./configuration.ts";

/** Arguments of the hub with their defaults filled in. */

const defaultResources: Required<HubResourcesArgs> = {
  core: resourceSpec("100m", "256Mi", "1000m", "1Gi"),
  registry: resourceSpec("100m", "256Mi", "1000m", "1Gi"),
  registryController: resourceSpec("50m", "64Mi", "500m", "256Mi"),
  jobservice: resourceSpec("100m", "128Mi", "1000m", "512Mi"),
  portal: resourceSpec("50m", "64Mi", "500m", "128Mi"),
  jobs: resourceSpec("50m", "128Mi", "500m", "512Mi"),
};

/** Connections to the database that each pod of core or of jobs opens at most. */
export const databaseConnections = 30;

/** Jobs at once in each pod of background jobs. */
const workers = 10;

/** Seconds that requests under way, layers of gigabytes, have when a pod of core or registry ends. */
export const drainSeconds = 90;

/** Resources of each part. */
export function hubResources(args: Pick<HubArgs, "resources">): Required<HubResourcesArgs> {
  return { ...defaultResources, ...args.resources };
}

/** Pods of each part. */
export function hubReplicas({ platform, replicas }: Pick<HubArgs, "platform" | "replicas">): Required<HubReplicasArgs> {
  const usual = platform.profile === Profile.production ? 2 : 1;
  return { core: usual, registry: usual, jobservice: 1, portal: usual, ...replicas };
}

/** What the registry's configuration is rendered from. */
export function registryConfiguration(args: HubArgs): RegistryConfiguration {
  const { objectStore, bucket, keystore } = args;
  return { objectStore, bucket, keystore, redirect: args.redirect ?? false, drainSeconds };
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
        scopes: signOn.scopes ?? ["openid", "profile", "email"],
        userClaim: signOn.userClaim ?? "preferred_username",
        groupsClaim: signOn.groupsClaim ?? "groups",
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
  return {
    garbageCollection: {
      schedule: garbageCollection?.schedule ?? "0 0 3 * * 0",
      deleteUntagged: garbageCollection?.deleteUntagged ?? false,
    },
    projects: projects.map((project) => projectSettings(project, storageQuota)),
    robots: robots.map(({ name, projects, access }) => ({ name, projects, access: access ?? HubAccess.pull })),
  };
}

function projectSettings(project: HubProjectArgs, hubQuota: string | undefined): ProjectSettings {
  const { name, retention, proxyCache } = project;
  return {
    name,
    public: project.public ?? false,
    storageQuota: quotaBytes(project.storageQuota ?? hubQuota),
    ...(retention && {
      retention: { schedule: retention.schedule ?? "0 0 1 * * *", rules: retention.rules.map(retentionRule) },
    }),
    ...(proxyCache && {
      proxyCache: {
        kind: proxyCache.kind,
        url: proxyCache.url,
        ...(proxyCache.user !== undefined && { user: proxyCache.user }),
      },
    }),
  };
}

function retentionRule(rule: HubRetentionRuleArgs): RetentionRule {
  return { ...rule, repositories: rule.repositories ?? "**", tags: rule.tags ?? "**" };
}

/** The counts of a retention rule, of which one is set. */
export const retentionCounts = ["latestPushed", "latestPulled", "pushedWithinDays", "pulledWithinDays"] as const;

/** Bytes of a quota; -1 is the hub's word for no limit. */
function quotaBytes(quota: string | undefined): number {
  return quota === undefined ? -1 : (parseQuantity(quota) ?? -1);
}
