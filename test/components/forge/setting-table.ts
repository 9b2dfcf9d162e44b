import type { SettingTable } from "../../support/setting-table.ts";

const larger = { requests: { cpu: "300m", memory: "1Gi" }, limits: { cpu: "2500m", memory: "5Gi" } };
const older = { version: "18.5.2", shellVersion: "14.45.3" };

/** What reads the configuration of the Rails programs. */
export const railsPods = [
  "rerun Job forge-application-hub",
  "rerun Job forge-application-suite-team",
  "rerun Job forge-runner-registration",
  "rerun Job forge-settings",
  "roll Deployment forge-jobs",
  "roll Deployment forge-toolbox",
  "roll Deployment forge-webservice",
  "update CronJob forge-backup",
];
export const railsFiles = [
  "update ConfigMap forge-jobs",
  "update ConfigMap forge-toolbox",
  "update ConfigMap forge-webservice",
];
export const migrations = ["rerun Job forge-migrations", "rerun Job forge-post-migrations"];

/** What the forge's settings do when they change. */
export const forgeTable: SettingTable = {
  title: "The forge",
  root: "forge",
  namespace: "platform",
  rows: [
    {
      set: { domain: "git.example.org" },
      refused: "signOn.issuer: goes from https://forge.example.org to https://git.example.org",
    },
    {
      set: { version: "19.4.4", shellVersion: "14.57.4" },
      shows: [
        ...railsPods,
        ...migrations,
        "roll Deployment forge-pages",
        "roll Deployment forge-shell",
        "roll StatefulSet forge-gitstore",
      ],
    },
    {
      from: older,
      set: { version: "18.6.0" },
      shows: [
        ...railsPods,
        ...migrations,
        "roll Deployment forge-pages",
        "roll Deployment forge-runner",
        "roll StatefulSet forge-gitstore",
      ],
    },
    { from: older, set: { version: "18.8.0" }, refused: "version: goes from 18.5.2 to 18.8.0 at once" },
    {
      from: older,
      set: { version: "18.8.0", downtime: true },
      refused: "downtime: skips minors from 18.5.2 to 18.8.0 while pods of 18.5.2 run",
    },
    {
      from: { ...older, maintenance: true },
      set: { version: "18.8.0", downtime: true },
      shows: [
        ...railsPods,
        "delete Job forge-post-migrations",
        "rerun Job forge-migrations",
        "roll Deployment forge-pages",
        "roll Deployment forge-runner",
        "roll StatefulSet forge-gitstore",
      ],
    },
    { set: { version: "18.10.0" }, refused: "version: goes from 19.4.3 to 18.10.0" },
    {
      set: { version: "19.5.3" },
      refused:
        "hearth:forge.shellVersion: hearth does not know which version of the SSH server belongs to forge 19.5.3",
    },
    {
      from: { version: "18.11.11" },
      set: { version: undefined },
      refused: "version: goes from 18.11.11 to 19.4.3, the default of a new forge, because no version is named",
    },
    { set: { shellVersion: "14.45.4" }, shows: ["roll Deployment forge-shell"] },
    { set: { edition: "ce" }, shows: [...railsPods, ...migrations] },
    { set: { "ssh.entryPoint": "git-ssh" }, shows: ["update IngressRouteTCP forge-shell"] },
    {
      set: { "ssh.domain": "ssh.example.org" },
      shows: [...railsPods, ...railsFiles, ...migrations, "update ConfigMap forge-migrations"],
    },
    { set: { "ssh.port": 2222 }, shows: [...railsPods, ...railsFiles] },
    { set: { "ssh.listenerPort": 2222 }, shows: [] },
    {
      set: { "ssh.sessionsPerConnection": 200 },
      shows: ["roll Deployment forge-shell", "update ConfigMap forge-shell"],
    },
    {
      set: { "ssh.proxyProtocol": false },
      shows: [
        "delete ServersTransportTCP forge-shell",
        "roll Deployment forge-shell",
        "update ConfigMap forge-shell",
        "update IngressRouteTCP forge-shell",
      ],
    },
    {
      set: { ssh: undefined },
      shows: [
        "delete IngressRouteTCP forge-shell",
        "delete ServersTransportTCP forge-shell",
        "rerun Job forge-settings",
        "update ConfigMap forge-settings",
      ],
    },
    {
      set: { "pages.domain": "sites.example.org" },
      shows: [
        ...railsPods,
        ...railsFiles,
        "roll Deployment forge-pages",
        "update Certificate forge-pages-tls",
        "update ConfigMap forge-pages",
        "update IngressRoute forge-pages",
        "update IngressRoute forge-to-https",
      ],
    },
    {
      set: { "pages.replicas": 2 },
      shows: ["create PodDisruptionBudget forge-pages", "update Deployment forge-pages"],
    },
    { set: { "pages.resources": larger }, shows: ["roll Deployment forge-pages"] },
    {
      set: { pages: undefined },
      shows: [
        ...railsPods,
        ...railsFiles,
        "delete Certificate forge-pages-tls",
        "delete ConfigMap forge-pages",
        "delete Deployment forge-pages",
        "delete IngressRoute forge-pages",
        "delete NetworkPolicy allow-forge-pages",
        "delete PodMonitor forge-pages",
        "delete Secret forge-pages-secret",
        "delete Service forge-pages",
        "update IngressRoute forge-to-https",
        "update NetworkPolicy allow-forge-webservice",
        "update PrometheusRule forge-metrics",
      ],
    },
    {
      set: { "runner.jobNamespace": "ci-jobs" },
      shows: [
        "create Namespace ci-jobs",
        "delete Namespace platform-jobs",
        "replace NetworkPolicy ci-jobs/ci-jobs-allow-all",
        "replace NetworkPolicy ci-jobs/ci-jobs-default-deny",
        "replace Role ci-jobs/forge-runner",
        "replace RoleBinding ci-jobs/forge-runner",
        "replace ServiceAccount ci-jobs/forge-runner-job",
        "roll Deployment forge-runner",
        "update ConfigMap forge-runner",
        "update NetworkPolicy allow-forge-webservice",
      ],
    },
    { set: { "runner.concurrent": 4 }, shows: ["roll Deployment forge-runner", "update ConfigMap forge-runner"] },
    {
      set: { "runner.defaultImage": "docker.io/library/debian:13" },
      shows: ["roll Deployment forge-runner", "update ConfigMap forge-runner"],
    },
    { set: { "runner.tags": ["large"] }, shows: ["rerun Job forge-runner-registration"] },
    {
      set: { "runner.allowedNetworks": ["10.1.2.3/32"] },
      shows: ["update NetworkPolicy platform-jobs/ci-jobs-allow-all"],
    },
    { set: { "runner.version": "18.9.0" }, shows: ["roll Deployment forge-runner"] },
    {
      set: { "runner.jobResources": larger },
      shows: ["roll Deployment forge-runner", "update ConfigMap forge-runner"],
    },
    {
      set: { runner: undefined },
      shows: [
        "delete ConfigMap forge-runner",
        "delete Deployment forge-runner",
        "delete Job forge-runner-registration",
        "delete Namespace platform-jobs",
        "delete NetworkPolicy allow-forge-runner",
        "delete NetworkPolicy allow-forge-runner-registration",
        "delete NetworkPolicy platform-jobs/ci-jobs-allow-all",
        "delete NetworkPolicy platform-jobs/ci-jobs-default-deny",
        "delete PodMonitor forge-runner",
        "delete Role forge-runner-registration",
        "delete Role platform-jobs/forge-runner",
        "delete RoleBinding forge-runner-registration",
        "delete RoleBinding platform-jobs/forge-runner",
        "delete Secret forge-runner-token",
        "delete ServiceAccount forge-runner",
        "delete ServiceAccount forge-runner-registration",
        "delete ServiceAccount platform-jobs/forge-runner-job",
        "update NetworkPolicy allow-forge-webservice",
        "update PrometheusRule forge-metrics",
      ],
    },
    {
      set: { "administration.timeZone": "Europe/Berlin" },
      shows: [...railsPods, ...railsFiles, ...migrations, "update ConfigMap forge-migrations"],
    },
    {
      set: { "administration.signUp": true },
      shows: [
        ...railsPods,
        ...railsFiles,
        ...migrations,
        "update ConfigMap forge-migrations",
        "update ConfigMap forge-settings",
      ],
    },
    {
      set: { "administration.defaultProjectVisibility": "internal" },
      shows: [
        ...railsPods,
        ...railsFiles,
        ...migrations,
        "update ConfigMap forge-migrations",
        "update ConfigMap forge-settings",
      ],
    },
    {
      set: { "administration.smtp": { host: "mail.example.org", from: "forge@example.org" } },
      shows: [
        ...railsPods,
        ...railsFiles,
        ...migrations,
        "update ConfigMap forge-migrations",
        "update NetworkPolicy allow-forge-rails",
      ],
    },
    {
      set: {
        "administration.smtp": {
          host: "mail.example.org",
          from: "forge@example.org",
          port: 465,
          security: "tls",
          displayName: "Forge",
          replyTo: "no@example.org",
          user: "forge",
          password: { name: "smtp", key: "value" },
        },
      },
      shows: [
        ...railsPods,
        ...railsFiles,
        ...migrations,
        "update ConfigMap forge-migrations",
        "update NetworkPolicy allow-forge-rails",
      ],
    },
    {
      set: { "administration.smtp": { host: "mail.example.org" } },
      refused: "hearth:forge.administration.smtp.from: The field is missing.",
    },
    {
      set: {
        "administration.signOn.providers": [
          { name: "openid_connect", kind: "openid_connect", label: "x", provider: { name: "oidc", key: "value" } },
        ],
      },
      shows: [...railsPods, ...railsFiles],
    },
    {
      set: {
        "administration.signOn": {
          autoCreate: ["openid_connect"],
          providers: [
            { name: "openid_connect", kind: "openid_connect", label: "x", provider: { name: "oidc", key: "value" } },
          ],
        },
      },
      shows: [...railsPods, ...railsFiles],
    },
    {
      set: {
        "administration.signOn.ldap": [
          {
            name: "main",
            label: "L",
            host: "ldap.example.org",
            port: 636,
            encryption: "simple_tls",
            base: "ou=people,dc=example,dc=org",
            uid: "uid",
            userFilter: "(a=b)",
            activeDirectory: false,
            bindDn: "cn=a",
            password: { name: "ldap", key: "value" },
          },
        ],
      },
      shows: [...railsPods, ...railsFiles],
    },
    { set: { "backup.schedule": "0 2 * * *" }, shows: ["update CronJob forge-backup"] },
    { set: { "backup.keep": 3 }, shows: ["update CronJob forge-backup"] },
    { set: { "backup.repositories": "archive" }, shows: ["update CronJob forge-backup"] },
    { set: { "backup.objects": false }, shows: ["update CronJob forge-backup"] },
    {
      set: { "backup.scratchSize": "30Gi" },
      shows: ["update CronJob forge-backup", "update PersistentVolumeClaim forge-toolbox-scratch"],
    },
    {
      set: { "replicas.webservice": 2 },
      shows: [
        "create PodDisruptionBudget forge-webservice",
        "update Cluster forge-db",
        "update Deployment forge-webservice",
        "update Pooler forge-db-pooler",
      ],
    },
    {
      set: { "replicas.webservice": 3 },
      shows: [
        "create PodDisruptionBudget forge-webservice",
        "update Cluster forge-db",
        "update Deployment forge-webservice",
        "update Pooler forge-db-pooler",
      ],
    },
    {
      set: { "replicas.jobs": 2 },
      shows: [
        "create PodDisruptionBudget forge-jobs",
        "update Cluster forge-db",
        "update Deployment forge-jobs",
        "update Pooler forge-db-pooler",
      ],
    },
    {
      set: { "replicas.shell": 2 },
      shows: ["create PodDisruptionBudget forge-shell", "update Deployment forge-shell"],
    },
    {
      set: { "replicas.autoscaleFactor": 2 },
      shows: [
        "create HorizontalPodAutoscaler forge-jobs",
        "create HorizontalPodAutoscaler forge-shell",
        "create HorizontalPodAutoscaler forge-webservice",
        "update Cluster forge-db",
        "update Pooler forge-db-pooler",
      ],
    },
    {
      set: {
        "resources.webservice": { requests: { cpu: "500m", memory: "4Gi" }, limits: { cpu: "3000m", memory: "9Gi" } },
      },
      shows: ["roll Deployment forge-webservice"],
    },
    { set: { "resources.proxy": larger }, shows: ["roll Deployment forge-webservice"] },
    { set: { "resources.jobs": larger }, shows: ["roll Deployment forge-jobs"] },
    { set: { "resources.gitstore": larger }, shows: ["roll StatefulSet forge-gitstore"] },
    { set: { "resources.shell": larger }, shows: ["roll Deployment forge-shell"] },
    {
      set: { "resources.toolbox": larger },
      shows: [
        ...migrations,
        "rerun Job forge-application-hub",
        "rerun Job forge-application-suite-team",
        "rerun Job forge-runner-registration",
        "rerun Job forge-settings",
        "roll Deployment forge-toolbox",
        "update CronJob forge-backup",
      ],
    },
    { set: { "resources.runner": larger }, shows: ["roll Deployment forge-runner"] },
    { set: { repositorySize: "60Gi" }, shows: ["update PersistentVolumeClaim data-forge-gitstore-0"] },
    { set: { repositorySize: "40Gi" }, refused: "repositorySize: shrinks the volume from 50Gi to 40Gi" },
    { set: { repositoryClass: "longhorn" }, refused: "forge.repositoryClass: The value is not allowed." },
    {
      set: { maintenance: true },
      shows: [
        "update CronJob forge-backup",
        "update Deployment forge-jobs",
        "update Deployment forge-runner",
        "update Deployment forge-webservice",
        "update PrometheusRule forge-metrics",
      ],
    },
    { set: { downtime: true }, shows: ["delete Job forge-post-migrations", "rerun Job forge-migrations"] },
    {
      set: { networkPolicies: false },
      shows: [
        "delete NetworkPolicy allow-all",
        "delete NetworkPolicy allow-certificate-solver",
        "delete NetworkPolicy allow-database-instances",
        "delete NetworkPolicy allow-forge-callers",
        "delete NetworkPolicy allow-forge-db-pooler",
        "delete NetworkPolicy allow-forge-gitstore",
        "delete NetworkPolicy allow-forge-jobs",
        "delete NetworkPolicy allow-forge-pages",
        "delete NetworkPolicy allow-forge-rails",
        "delete NetworkPolicy allow-forge-rails-tools",
        "delete NetworkPolicy allow-forge-runner",
        "delete NetworkPolicy allow-forge-runner-registration",
        "delete NetworkPolicy allow-forge-shell",
        "delete NetworkPolicy allow-forge-webservice",
        "delete NetworkPolicy allow-hub-core",
        "delete NetworkPolicy allow-hub-forge",
        "delete NetworkPolicy allow-hub-jobservice",
        "delete NetworkPolicy allow-hub-key-backup",
        "delete NetworkPolicy allow-hub-keystore",
        "delete NetworkPolicy allow-hub-migrations",
        "delete NetworkPolicy allow-hub-pooler",
        "delete NetworkPolicy allow-hub-portal",
        "delete NetworkPolicy allow-hub-registry",
        "delete NetworkPolicy allow-hub-settings",
        "delete NetworkPolicy allow-hub-sign-in",
        "delete NetworkPolicy allow-keystore",
        "delete NetworkPolicy allow-keystore-exporter",
        "delete NetworkPolicy default-deny",
        "delete NetworkPolicy platform-jobs/ci-jobs-allow-all",
        "delete NetworkPolicy platform-jobs/ci-jobs-default-deny",
      ],
    },
  ],
};
