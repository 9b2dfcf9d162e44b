import type { Conflict, RawFile } from "./row.ts";

const secret = { name: "mine", key: "password" };

export const conflicts: readonly Conflict[] = [
  { set: { "ingress.wildcardClusterIssuer": undefined }, at: "ingress.wildcardClusterIssuer", says: "wildcard-issuer" },
  { set: { "ingress.httpEntryPoint": "websecure" }, at: "ingress.httpEntryPoint", says: "entry-point" },
  { set: { "ingress.entryPoint": "web" }, at: "ingress.entryPoint", says: "entry-point" },
  {
    set: { "ingress.kind": "gateway", "forge.ssh.port": 443 },
    at: "forge.ssh.port",
    says: "ssh-entry-point",
  },
  { set: { "forge.ssh.entryPoint": "websecure" }, at: "forge.ssh.entryPoint", says: "ssh-entry-point" },
  { set: { "forge.domain": "pages.example.org" }, at: "forge.pages.domain", says: "pages-domain" },
  { set: { "forge.runner.jobNamespace": "platform" }, at: "forge.runner.jobNamespace", says: "job-namespace" },
  { set: { "hub.domain": "forge.example.org" }, at: "hub.domain", says: "shared" },
  { set: { "hub.domain": "hub.pages.example.org" }, at: "hub.domain", says: "shared" },
  {
    set: { ingress: { clusterIssuer: "letsencrypt-prod", kind: "gateway", gateway: { className: "own" } } },
    at: "ingress.gateway.podLabels",
    says: "unknown-proxy",
  },
  { set: { "hub.networkPolicies": true }, at: "hub.networkPolicies", says: "network-policies" },
  { set: { "hub.signOn.issuer": "https://id.example.org" }, at: "hub.signOn.issuer", says: "sign-on" },
  { set: { "hub.signOn.with": "provider" }, at: "hub.signOn.clientId", says: "required" },
  {
    set: { forge: undefined, "cloudsuites[0].signOn": undefined },
    at: "hub.signOn.with",
    says: "sign-on",
  },
  { set: { "cloudsuites[0].signOn": { with: "provider" } }, at: "cloudsuites[0].signOn.issuer", says: "required" },
  {
    set: { "cloudsuites[0].signOn": { with: "forge", identifier: "club" } },
    at: "cloudsuites[0].signOn.identifier",
    says: "sign-on",
  },
  {
    set: { "cloudsuites[0].signOn": { with: "forge" }, forge: undefined, hub: undefined },
    at: "cloudsuites[0].signOn.with",
    says: "sign-on",
  },
  {
    set: { "cloudsuites[0].signOn": { with: "forge", onlyMembers: true } },
    at: "cloudsuites[0].signOn.onlyMembers",
    says: "sign-on",
  },
  {
    set: { "cloudsuites[0].signOn": { with: "forge" }, "cloudsuites[0].apps": { user_oidc: {} } },
    at: "cloudsuites[0].apps.user_oidc",
    says: "app-managed",
  },
  {
    set: {
      "cloudsuites[0].signOn": { with: "forge" },
      "secrets.existing.forge-application-suite-team": "ours",
    },
    at: "secrets.existing.forge-application-suite-team",
    says: "secret-source",
  },
  { set: { "siteWebhook.domain": "hub.example.org" }, at: "siteWebhook.domain", says: "shared" },
  { set: { "siteWebhook.domain": "sync.pages.example.org" }, at: "siteWebhook.domain", says: "shared" },
  { set: { "siteWebhook.namespace": "platform" }, at: "siteWebhook.namespace", says: "shared" },
  { set: { "siteWebhook.namespace": "platform-jobs" }, at: "siteWebhook.namespace", says: "shared" },
  { set: { "siteWebhook.namespace": "pages" }, at: "siteWebhook.sites[0].namespace", says: "shared" },
  { set: { "siteWebhook.sites[0].namespace": "platform" }, at: "siteWebhook.sites[0].namespace", says: "shared" },
  { set: { "siteWebhook.image": "registry.example.org/x:1.0.0" }, at: "siteWebhook.image", says: "image" },
  { set: { "siteWebhook.namespaces": ["other"] }, at: "siteWebhook.sites[0].namespace", says: "site-out-of-reach" },
  { set: { "siteWebhook.domain": undefined }, at: "siteWebhook.domain", says: "required" },
  { set: { "siteWebhook.repository": undefined }, at: "siteWebhook.image", says: "required" },
  { set: { "admission.namespace": "platform" }, at: "admission.namespace", says: "shared" },
  { set: { "admission.namespace": "platform-jobs" }, at: "admission.namespace", says: "shared" },
  { set: { namespace: "pages" }, at: "siteWebhook.sites[0].namespace", says: "shared" },
  { set: { "objectStorage.region": "nbg1" }, at: "objectStorage.region", says: "region-location" },
  { set: { "objectStorage.provider": "aws" }, at: "objectStorage.endpoint", says: "region-location" },
  { set: { "objectStorage.endpoint": undefined }, at: "objectStorage.endpoint", says: "required" },
  { set: { "objectStorage.region": undefined }, at: "objectStorage.region", says: "required" },
  { set: { "objectStorage.bucketSuffix": undefined }, at: "objectStorage.bucketSuffix", says: "required" },
  { set: { domain: undefined }, at: "domain", says: "required" },
  { set: { secrets: undefined }, at: "secrets", says: "secret-source" },
  { set: { "database.version": "15" }, at: "database.version", says: "forge-database" },
  {
    set: { "database.version": "18", "forge.version": "19.3.0", "hub.version": "2.14.3" },
    at: "database.version",
    says: "hub-database",
  },
  {
    set: { "cloudsuites[0].push": { enabled: true }, "ingress.trustedProxies": ["192.0.2.0/24"] },
    at: "cloudsuites[0].push",
    says: "push-proxies",
  },
  {
    set: { "cloudsuites[0].push": { enabled: true }, "cloudsuites[0].apps": { notify_push: {} } },
    at: "cloudsuites[0].apps.notify_push",
    says: "app-managed",
  },
  { set: { "cloudsuites[1].name": "team" }, at: "cloudsuites[1].name", says: "shared" },
  {
    set: {
      "cloudsuites[0].recover": { suffix: "r1" },
      "cloudsuites[0].database": { host: "db.example.org", port: 5432, database: "x", user: "x", password: secret },
    },
    at: "cloudsuites[0].recover",
    says: "recovery-elsewhere",
  },
  {
    set: {
      "cloudsuites[0].database": {
        host: "pg.example.org",
        port: 5432,
        database: "team",
        user: "team",
        password: secret,
      },
      "cloudsuites[0].dbClass": "replicated-block",
    },
    at: "cloudsuites[0].dbClass",
    says: "unused",
  },
  {
    set: {
      "cloudsuites[0].keystore": { host: "redis.example.org", port: 6379, password: secret },
      "cloudsuites[0].keystoreClass": "replicated-block",
    },
    at: "cloudsuites[0].keystoreClass",
    says: "unused",
  },
  {
    set: {
      "hub.projects": [{ name: "apps", proxyCache: { kind: "docker-hub", url: "https://hub.docker.com" } }],
    },
    at: "hub.robots[0].projects[0]",
    says: "robot-pushes-cache",
  },
];

const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

export const rawFiles: readonly RawFile[] = [
  { what: "nothing in it", content: "", says: "yaml-empty" },
  { what: "a list", content: "- hearth:profile\n", says: "type" },
  { what: "an open quote", content: 'config:\n  hearth:profile: "production\n', says: "yaml-syntax" },
  {
    what: "a key twice",
    content: "config:\n  hearth:profile: production\n  hearth:profile: development\n",
    says: "yaml-duplicate",
  },
  {
    what: "the prototype",
    content: "config:\n  hearth:profile: production\n  hearth:__proto__: { a: 1 }\n",
    says: "unknown-key",
  },
  {
    what: "the prototype in a block",
    content: "config:\n  hearth:ingress: { __proto__: { clusterIssuer: x } }\n",
    says: "unknown-key",
  },
  { what: "a merge key", content: "config:\n  hearth:ingress:\n    <<: { clusterIssuer: x }\n", says: "yaml-merge" },
  {
    what: "a bomb of aliases",
    content: `config:\n  a0: &a0 [x]\n${many(8, (i) => `  a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]`)}\n`,
    says: "yaml-alias",
  },
  { what: "an alias to itself", content: "config: &a\n  hearth:ingress: *a\n", says: "yaml-alias" },
  { what: "a depth of hundreds", content: `config: ${"[".repeat(300)}${"]".repeat(300)}\n`, says: "yaml-depth" },
  { what: "a flood of bytes", content: `config:\n  hearth:domain: ${"a".repeat(300_000)}\n`, says: "file" },
  { what: "a NUL", content: "config:\n  hearth:profile: pro\0duction\n", says: "yaml-character" },
  { what: "settings that are a list", content: "config:\n  - hearth:profile\n", says: "missing" },
  {
    what: "an encrypted value",
    content: "config:\n  hearth:profile: production\n  hearth:domain:\n    secure: v1:hunter2\n",
    says: "encrypted",
  },
];
