import type { SettingTable } from "../../support/setting-table.ts";

const larger = { requests: { cpu: "300m", memory: "1Gi" }, limits: { cpu: "2500m", memory: "5Gi" } };
const provider = {
  with: "provider",
  issuer: "https://id.example.org",
  clientId: { name: "oidc", key: "value" },
  clientSecret: { name: "oidc", key: "value" },
};

const cache = { kind: "docker-hub", url: "https://hub.docker.com" };

/** What the hub's settings do when they change. */
export const hubTable: SettingTable = {
  title: "The hub",
  root: "hub",
  namespace: "platform",
  rows: [
    {
      set: { domain: "images.example.org" },
      shows: [
        "rerun Job forge-application-hub",
        "rerun Job hub-migrations",
        "roll Deployment hub-core",
        "roll Deployment hub-sign-in",
        "update Certificate hub-tls",
        "update IngressRoute hub-core",
        "update IngressRoute hub-to-https",
        "update PrometheusRule hub-alerts",
        "update Secret hub-robot-ci",
      ],
    },
    {
      set: { version: "2.15.3" },
      shows: [
        "replace Backup forge-db-hub",
        "rerun Job hub-migrations",
        "roll Deployment hub-core",
        "roll Deployment hub-jobservice",
        "roll Deployment hub-portal",
        "roll Deployment hub-registry",
      ],
    },
    {
      set: { version: "2.16.0" },
      shows: [
        "replace Backup forge-db-hub",
        "rerun Job hub-migrations",
        "roll Deployment hub-core",
        "roll Deployment hub-jobservice",
        "roll Deployment hub-portal",
        "roll Deployment hub-registry",
      ],
    },
    { set: { version: "2.13.0" }, refused: "version: goes from 2.15.2 to 2.13.0" },
    { set: { version: "2.18.0" }, refused: "version: goes from 2.15.2 to 2.18.0 at once" },
    {
      set: { domain: "forge.example.org" },
      refused: "hearth:hub.domain: The host is also the hearth:forge.domain of this stack",
    },
    {
      set: { "signOn.with": "local" },
      refused: "signOn.issuer: goes from https://forge.example.org to its own accounts",
    },
    {
      set: { signOn: provider },
      refused: "signOn.issuer: goes from https://forge.example.org to https://id.example.org",
    },
    { set: { "tokenLimits.callsPerSecond": 30 }, shows: ["update Middleware hub-token-rate"] },
    { set: { "tokenLimits.burst": 60 }, shows: ["update Middleware hub-token-rate"] },
    { set: { "tokenLimits.inFlight": 20 }, shows: ["update Middleware hub-token-in-flight"] },
    {
      set: { forgeTokens: false },
      shows: [
        "delete Deployment hub-sign-in",
        "delete NetworkPolicy allow-hub-forge",
        "delete NetworkPolicy allow-hub-sign-in",
        "delete PodMonitor hub-sign-in",
        "delete Service hub-sign-in",
        "update IngressRoute hub-core",
        "update NetworkPolicy allow-hub-core",
        "update PrometheusRule hub-alerts",
      ],
    },
    {
      set: { "replicas.signIn": 2 },
      shows: ["create PodDisruptionBudget hub-sign-in", "update Deployment hub-sign-in"],
    },
    { set: { "resources.signIn": larger }, shows: ["roll Deployment hub-sign-in"] },
    { set: { "signOn.name": "Sign on" }, shows: ["rerun Job hub-migrations", "roll Deployment hub-core"] },
    { set: { "signOn.scopes": ["openid"] }, shows: ["rerun Job hub-migrations", "roll Deployment hub-core"] },
    { set: { "signOn.userClaim": "sub" }, shows: ["rerun Job hub-migrations", "roll Deployment hub-core"] },
    { set: { "signOn.groupsClaim": "roles" }, shows: ["rerun Job hub-migrations", "roll Deployment hub-core"] },
    { set: { "signOn.adminGroup": "admins" }, shows: ["rerun Job hub-migrations", "roll Deployment hub-core"] },
    { set: { "signOn.groupFilter": "^a" }, shows: ["rerun Job hub-migrations", "roll Deployment hub-core"] },
    {
      from: { signOn: provider },
      set: { "signOn.clientId": { name: "o2", key: "value" } },
      shows: ["rerun Job hub-migrations", "roll Deployment hub-core"],
    },
    {
      from: { signOn: provider },
      set: { "signOn.issuer": "https://other.example.org" },
      refused: "signOn.issuer: goes from https://id.example.org to https://other.example.org",
    },
    {
      set: { storageQuota: "100Gi" },
      shows: [
        "rerun Job hub-migrations",
        "rerun Job hub-settings",
        "roll Deployment hub-core",
        "update ConfigMap hub-settings",
      ],
    },
    { set: { "projects[0].public": true }, shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"] },
    { set: { "projects[0].storageQuota": "1Gi" }, shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"] },
    {
      set: { "projects[0].retention.schedule": "0 0 2 * * *" },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      set: {
        "projects[0].retention.rules": [
          { repositories: "a/**", tags: "v*", latestPulled: 3 },
          { latestPushed: 7 },
          { pushedWithinDays: 7 },
          { pulledWithinDays: 7 },
        ],
      },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      from: { robots: undefined },
      set: { "projects[0].proxyCache": { kind: "docker-hub", url: "https://hub.docker.com" } },
      refused:
        "projects[0].proxyCache: makes apps a cache of the kind docker-hub instead of a project of its own images",
    },
    {
      from: { "projects[0]": { name: "docker", proxyCache: cache }, robots: undefined },
      set: { "projects[0].proxyCache.url": "https://mirror.example.org" },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      from: { "projects[0]": { name: "docker", proxyCache: cache }, robots: undefined },
      set: { "projects[0].proxyCache.kind": "docker-registry" },
      refused:
        "projects[0].proxyCache: makes docker a cache of the kind docker-registry instead of a cache of the kind docker-hub",
    },
    {
      set: { "projects[0].name": "tools", "robots[0].projects": ["tools"] },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      set: {
        "projects[1]": {
          name: "docker",
          proxyCache: {
            kind: "docker-hub",
            url: "https://hub.docker.com",
            user: "me",
            password: { name: "dh", key: "value" },
          },
        },
      },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      set: { projects: undefined, robots: undefined },
      shows: ["delete Secret hub-robot-ci", "rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    { set: { "robots[0].access": "pull" }, shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"] },
    { set: { "robots[0].projects": ["*"] }, shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"] },
    {
      set: { "robots[0].name": "cd" },
      shows: [
        "create Secret hub-robot-cd",
        "delete Secret hub-robot-ci",
        "rerun Job hub-settings",
        "update ConfigMap hub-settings",
      ],
    },
    {
      set: { "robots[1]": { name: "cd", projects: ["apps"] } },
      shows: ["create Secret hub-robot-cd", "rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      set: { "garbageCollection.schedule": "0 0 4 * * 0" },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    {
      set: { "garbageCollection.deleteUntagged": true },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    { set: { "auditLog.purge": false }, shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"] },
    { set: { "auditLog.retentionDays": 365 }, shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"] },
    {
      set: { "auditLog.schedule": "0 30 4 * * *" },
      shows: ["rerun Job hub-settings", "update ConfigMap hub-settings"],
    },
    { set: { redirect: true }, shows: ["roll Deployment hub-registry", "update ConfigMap hub-registry"] },
    {
      set: { registryRoute: "registry" },
      shows: [
        "delete Deployment hub-sign-in",
        "delete NetworkPolicy allow-hub-forge",
        "delete NetworkPolicy allow-hub-sign-in",
        "delete PodMonitor hub-sign-in",
        "delete Service hub-sign-in",
        "update IngressRoute hub-core",
        "update NetworkPolicy allow-hub-core",
        "update NetworkPolicy allow-hub-registry",
        "update PrometheusRule hub-alerts",
      ],
    },
    { set: { jobImage: "docker.io/library/node:24" }, shows: ["rerun Job hub-settings"] },
    {
      set: { "replicas.core": 2 },
      shows: [
        "create PodDisruptionBudget hub-core",
        "update Cluster forge-db",
        "update Deployment hub-core",
        "update Pooler forge-db-pooler",
      ],
    },
    {
      set: { "replicas.registry": 2 },
      shows: ["create PodDisruptionBudget hub-registry", "update Deployment hub-registry"],
    },
    {
      set: { "replicas.jobservice": 2 },
      shows: [
        "create PodDisruptionBudget hub-jobservice",
        "update Cluster forge-db",
        "update Deployment hub-jobservice",
        "update Pooler forge-db-pooler",
      ],
    },
    { set: { "replicas.portal": 2 }, shows: ["create PodDisruptionBudget hub-portal", "update Deployment hub-portal"] },
    { set: { "resources.core": larger }, shows: ["roll Deployment hub-core"] },
    {
      set: { "resources.registry": larger },
      shows: ["roll Deployment hub-registry", "update ConfigMap hub-registry"],
    },
    { set: { "resources.registryController": larger }, shows: ["roll Deployment hub-registry"] },
    { set: { "resources.jobservice": larger }, shows: ["roll Deployment hub-jobservice"] },
    { set: { "resources.portal": larger }, shows: ["roll Deployment hub-portal"] },
    { set: { "resources.jobs": larger }, shows: ["rerun Job hub-migrations", "rerun Job hub-settings"] },
    {
      set: { networkPolicies: true },
      refused: "hearth:hub.networkPolicies: Forge and hub share a namespace, and one option covers all its connections",
    },
  ],
};
