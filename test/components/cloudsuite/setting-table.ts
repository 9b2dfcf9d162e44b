import type { SettingTable } from "../../support/setting-table.ts";
import { suitePolicies } from "../platform-table.ts";

/** What the fields of a config.yaml and a suite's settings in its stack do when they change. */

const larger = { requests: { cpu: "150m", memory: "300Mi" }, limits: { cpu: "900m", memory: "900Mi" } };

/** All that runs the suite's PHP. */
const everyPhp = ["rerun Job cloudsuite-configure", "roll Deployment cloudsuite", "update CronJob cloudsuite-cron"];

/** A value for each of Nextcloud's system settings that may be chosen. */
export const systemSettings = {
  default_locale: "de_DE",
  default_timezone: "Europe/Berlin",
  force_language: "de",
  force_locale: "de_DE",
  knowledgebaseenabled: false,
  allow_user_to_change_display_name: false,
  skeletondirectory: "",
  templatedirectory: "/var/www/html/custom_apps/templates",
  lost_password_link: "disabled",
  session_lifetime: 3600,
  session_keepalive: false,
  auto_logout: true,
  remember_login_cookie_lifetime: 0,
  token_auth_enforced: true,
  trashbin_retention_obligation: "30, auto",
  versions_retention_obligation: "auto, 90",
  activity_expire_days: 30,
  share_folder: "/Shared",
  loglevel: 1,
} as const;

/** A database that the suite does not make. */
const elsewhere = {
  host: "pg.example.org",
  port: 5432,
  database: "team",
  user: "team",
  password: { name: "pg", key: "password" },
};

export const configTable: SettingTable = {
  title: "A suite's config.yaml",
  config: "suites/team/config.yaml",
  root: "",
  namespace: "team",
  rows: [
    { set: { namespace: "other" }, refused: "namespace: changes from team to other" },
    {
      set: { domain: "cloud.example.org", "office.domain": "office.cloud.example.org" },
      shows: [
        "rerun Job cloudsuite-configure",
        "rerun Job platform/forge-application-suite-team",
        "roll Deployment cloudsuite",
        "roll Deployment office",
        "roll Deployment whiteboard",
        "update Certificate cloudsuite-tls",
        "update Certificate office-tls",
        "update ConfigMap cloudsuite-apps",
        "update ConfigMap cloudsuite-config",
        "update CronJob cloudsuite-cron",
        "update IngressRoute cloudsuite",
        "update IngressRoute cloudsuite-to-https",
        "update IngressRoute office",
        "update PrometheusRule cloudsuite-alerts",
      ],
    },
    {
      set: { "versions.cloudsuite": "34.0.5-apache" },
      shows: [...everyPhp, "update CronJob cloudsuite-config-backup"].sort(),
    },
    {
      set: { "versions.cloudsuite": "35.0.1-apache" },
      shows: [...everyPhp, "update CronJob cloudsuite-config-backup"].sort(),
    },
    {
      set: { "versions.cloudsuite": "34.0.2-apache" },
      refused: "versions.cloudsuite: goes from 34.0.4-apache to 34.0.2-apache",
    },
    {
      set: { "versions.cloudsuite": "36.0.0-apache" },
      refused: "versions.cloudsuite: goes from 34.0.4-apache to 36.0.0-apache",
    },
    { set: { "versions.db": "15" }, refused: "version: goes from 16 to 15" },
    { from: { "versions.db": "15" }, set: { "versions.db": "16" }, shows: ["update Cluster cloudsuite-db"] },
    { set: { "versions.keystore": "8.1.10-alpine" }, shows: ["roll StatefulSet keystore"] },
    { set: { "versions.keystore": "8.0.0-alpine" }, refused: "version: goes from 8.1.9-alpine to 8.0.0-alpine" },
    { set: { "versions.office": "26.04.5.1.1" }, shows: ["roll Deployment office"] },
    { set: { "versions.office": "26.04.3.1.1" }, shows: ["roll Deployment office"] },
    { set: { "versions.whiteboard": "v1.6.0" }, shows: ["roll Deployment whiteboard"] },
    {
      set: { "s3.endpoint": "https://nbg1.your-objectstorage.com", "s3.region": "nbg1" },
      refused: "s3.endpoint: changes from https://fsn1.your-objectstorage.com to https://nbg1.your-objectstorage.com",
    },
    { set: { "s3.region": "nbg1" }, refused: "s3.region: The region is nbg1" },
    {
      set: { "s3.buckets.data": "data-team-2" },
      refused: "s3.buckets.data: changes from data-team-dev1 to data-team-2",
    },
    {
      set: { "s3.buckets.backups": "backups-team-2" },
      refused: "s3.buckets.backups: changes from backups-team-dev1 to backups-team-2",
    },
    {
      set: { "storage.storageClass": "smb-csi" },
      refused: "storage.storageClass: changes from replicated-block to smb-csi",
    },
    { set: { "storage.dbSize": "20Gi" }, shows: ["update Cluster cloudsuite-db"] },
    { set: { "storage.dbSize": "9Gi" }, refused: "storageSize: shrinks the volume from 10Gi to 9Gi" },
    { set: { "storage.keystoreSize": "6Gi" }, shows: ["update PersistentVolumeClaim data-keystore-0"] },
    { set: { "storage.keystoreSize": "4Gi" }, refused: "storageSize: shrinks the volume from 5Gi to 4Gi" },
    {
      set: {
        "resources.cloudsuite": { requests: { cpu: "300m", memory: "1Gi" }, limits: { cpu: "2000m", memory: "4Gi" } },
      },
      shows: ["roll Deployment cloudsuite", "update Cluster cloudsuite-db", "update Pooler cloudsuite-db-pooler"],
    },
    { set: { "resources.cloudsuite.requests.cpu": "300m" }, shows: ["roll Deployment cloudsuite"] },
    { set: { "resources.db": larger }, shows: ["update Cluster cloudsuite-db"] },
    { set: { "resources.keystore": larger }, shows: ["roll StatefulSet keystore", "update ConfigMap keystore"] },
    {
      set: { "replicas.cloudsuite": 2 },
      refused: "replicas.cloudsuite: 2 web pods can't share a replicated-block volume",
    },
    {
      from: { "storage.storageClass": "smb-csi" },
      set: { "replicas.cloudsuite": 3 },
      shows: [
        "create PodDisruptionBudget cloudsuite",
        "roll Deployment cloudsuite",
        "update Cluster cloudsuite-db",
        "update Pooler cloudsuite-db-pooler",
      ],
    },
    {
      set: { "replicas.db": 2 },
      shows: [
        "update Cluster cloudsuite-db",
        "update PodDisruptionBudget cloudsuite-db-pooler",
        "update Pooler cloudsuite-db-pooler",
        "update PrometheusRule cloudsuite-db",
      ],
    },
    {
      from: { "replicas.db": 2 },
      set: { "replicas.db": 1 },
      shows: [
        "update Cluster cloudsuite-db",
        "update PodDisruptionBudget cloudsuite-db-pooler",
        "update Pooler cloudsuite-db-pooler",
        "update PrometheusRule cloudsuite-db",
      ],
    },
    {
      set: { "replicas.keystore": 2 },
      refused: "replicas.keystore: The value is not an allowed number of keystore pods",
    },
    {
      set: { "office.enabled": false },
      shows: [
        "delete Certificate office-tls",
        "delete Deployment office",
        "delete IngressRoute office",
        "delete PodMonitor office",
        "delete Secret office-credentials",
        "delete Service office",
        "rerun Job cloudsuite-configure",
        "update ConfigMap cloudsuite-apps",
        "update IngressRoute cloudsuite-to-https",
        "update Namespace team",
        "update PrometheusRule cloudsuite-alerts",
      ],
    },
    {
      from: { "office.enabled": false },
      set: { "office.enabled": true },
      shows: [
        "create Certificate office-tls",
        "create Deployment office",
        "create IngressRoute office",
        "create PodMonitor office",
        "create Secret office-credentials",
        "create Service office",
        "rerun Job cloudsuite-configure",
        "update ConfigMap cloudsuite-apps",
        "update IngressRoute cloudsuite-to-https",
        "update Namespace team",
        "update PrometheusRule cloudsuite-alerts",
      ],
    },
    {
      set: { "office.domain": "docs.team.example.org" },
      shows: [
        "rerun Job cloudsuite-configure",
        "roll Deployment office",
        "update Certificate office-tls",
        "update ConfigMap cloudsuite-apps",
        "update IngressRoute cloudsuite-to-https",
        "update IngressRoute office",
      ],
    },
    { set: { "office.resources": larger }, shows: ["roll Deployment office"] },
    {
      set: { "whiteboard.enabled": false },
      shows: [
        "delete Deployment whiteboard",
        "delete Middleware whiteboard-prefix",
        "delete Secret whiteboard-credentials",
        "delete Service whiteboard",
        "rerun Job cloudsuite-configure",
        "update ConfigMap cloudsuite-apps",
        "update IngressRoute cloudsuite",
        "update PrometheusRule cloudsuite-alerts",
      ],
    },
    { set: { "whiteboard.resources": larger }, shows: ["roll Deployment whiteboard"] },
  ],
};

const provider = {
  with: "provider",
  issuer: "https://id.example.org",
  clientId: { name: "client", key: "id" },
  clientSecret: { name: "client", key: "secret" },
};

/** What the configuration Job alone is told. */
const reconfigured = ["rerun Job cloudsuite-configure"];

export const suiteTable: SettingTable = {
  title: "A suite's settings in the stack",
  root: "cloudsuites[0]",
  namespace: "team",
  rows: [
    { set: { name: "crew" }, refused: "- team/cloudsuite, of team" },
    {
      set: { config: "suites/club/config.yaml" },
      refused: "cloudsuites[1].config: The file is also that of cloudsuites[0].config.",
    },
    {
      set: { officeEngine: "onlyoffice" },
      shows: [
        "delete PodMonitor office",
        "rerun Job cloudsuite-configure",
        "roll Deployment office",
        "update ConfigMap cloudsuite-apps",
        "update IngressRoute office",
        "update Secret office-credentials",
        "update Service office",
      ],
    },
    {
      set: { apps: { calendar: {}, files: { default_quota: "10 GB" } } },
      shows: ["rerun Job cloudsuite-configure", "update ConfigMap cloudsuite-apps"],
    },
    {
      set: { apps: { richdocuments: {} } },
      refused: "apps.richdocuments: hearth turns this app on and off with office.",
    },
    {
      from: { signOn: undefined },
      set: { signOn: { with: "forge" } },
      shows: [
        "create Job platform/forge-application-suite-team",
        "create Secret cloudsuite-sign-on",
        "create Secret platform/forge-application-suite-team",
        "rerun Job cloudsuite-configure",
        "roll Deployment cloudsuite",
        "update ConfigMap cloudsuite-apps",
        "update ConfigMap cloudsuite-config",
        "update ConfigMap cloudsuite-scripts",
        "update CronJob cloudsuite-cron",
      ],
    },
    {
      set: { signOn: provider },
      refused: "signOn.identifier: goes from forge to",
    },
    {
      from: { signOn: provider },
      set: { "signOn.issuer": "https://other.example.org" },
      refused: "signOn.issuer: goes from https://id.example.org to https://other.example.org",
    },
    {
      from: { signOn: provider },
      set: { "signOn.identifier": "club" },
      refused: "signOn.identifier: goes from provider to club",
    },
    {
      from: { signOn: provider },
      set: { "signOn.userClaim": "email" },
      refused: "signOn.userClaim: goes from sub to email",
    },
    { from: { signOn: provider }, set: { "signOn.clientId.key": "other" }, shows: reconfigured },
    { from: { signOn: provider }, set: { "signOn.clientSecret.key": "other" }, shows: reconfigured },
    {
      from: { signOn: provider },
      set: { "signOn.name": "The club" },
      shows: [...everyPhp, "update ConfigMap cloudsuite-config"].sort(),
    },
    { from: { signOn: provider }, set: { "signOn.scopes": ["openid"] }, shows: reconfigured },
    { from: { signOn: provider }, set: { "signOn.groupsClaim": "roles" }, shows: reconfigured },
    { from: { signOn: provider }, set: { "signOn.groups": ["team"] }, shows: reconfigured },
    {
      from: { signOn: { ...provider, groups: ["team"] } },
      set: { "signOn.onlyMembers": true },
      shows: reconfigured,
    },
    {
      from: { signOn: provider },
      set: { "signOn.onlyMembers": true },
      refused: "signOn.onlyMembers: Nobody could sign on: there are no groups.",
    },
    {
      from: { signOn: provider },
      set: { "signOn.automatic": true },
      shows: [...reconfigured, "update ConfigMap cloudsuite-apps"],
    },
    { from: { signOn: provider }, set: { "signOn.privateAddress": true }, shows: everyPhp },
    {
      from: { signOn: provider },
      set: { "signOn.gitlabToken": { name: "gitlab", key: "token" } },
      shows: ["create CronJob cloudsuite-blocked-users", "update PrometheusRule cloudsuite-alerts"],
    },
    { set: { internet: false }, shows: [...everyPhp, "update ConfigMap cloudsuite-config"].sort() },
    { set: { appStore: { url: "https://apps.example.org/api/v1" } }, shows: everyPhp },
    {
      from: { appStore: { url: "https://apps.example.org/api/v1" } },
      set: { "appStore.url": "https://mirror.example.org" },
      shows: everyPhp,
    },
    {
      from: { appStore: { url: "https://apps.example.org/api/v1" } },
      set: { "appStore.privateAddress": true },
      shows: everyPhp,
    },
    {
      set: { appStore: { url: "http://apps.example.org" } },
      refused: "appStore.url: The value is not an https:// URL.",
    },
    {
      set: { appsImage: "registry.example.org/team/apps:34.0.4-1" },
      shows: [...everyPhp, "update ConfigMap cloudsuite-config", "update ConfigMap cloudsuite-scripts"].sort(),
    },
    {
      set: { appsImage: "registry.example.org/team/apps" },
      refused: "appsImage: The tag can move to another image.",
    },
    ...Object.entries(systemSettings).map(([key, value]) => ({
      set: { system: { [key]: value } },
      shows: [...everyPhp, "update ConfigMap cloudsuite-config"].sort(),
    })),
    { set: { system: { session_lifetime: "long" } }, refused: "system.session_lifetime: Found text, not a number." },
    {
      set: { system: { trusted_domains: "a.example.org" } },
      refused: 'system.trusted_domains: The key "trusted_domains" follows from another setting.',
    },
    {
      set: { system: { trashbin_retention_obligation: "forever" } },
      refused: "system.trashbin_retention_obligation: The value is not a time that Nextcloud knows.",
    },
    {
      set: { push: { enabled: true } },
      shows: [
        ...["create Deployment push", "create PodMonitor push", "create Service push"],
        ...["rerun Job cloudsuite-configure", "roll Deployment cloudsuite"],
        ...["update Cluster cloudsuite-db", "update ConfigMap cloudsuite-apps", "update ConfigMap cloudsuite-scripts"],
        ...["update CronJob cloudsuite-cron", "update IngressRoute cloudsuite", "update Pooler cloudsuite-db-pooler"],
        "update PrometheusRule cloudsuite-alerts",
      ],
    },
    {
      from: { push: { enabled: true } },
      set: { "push.enabled": false },
      shows: [
        ...[
          "delete Deployment push",
          "delete PodMonitor push",
          "delete Service push",
          "rerun Job cloudsuite-configure",
        ],
        ...["update Cluster cloudsuite-db", "update ConfigMap cloudsuite-apps", "update IngressRoute cloudsuite"],
        ...["update Pooler cloudsuite-db-pooler", "update PrometheusRule cloudsuite-alerts"],
      ],
    },
    { from: { push: { enabled: true } }, set: { push: undefined }, refused: "push: goes away while it is on" },
    {
      from: { push: { enabled: true } },
      set: { apps: { notify_push: {} } },
      refused: "apps.notify_push: hearth sets this app with push.",
    },
    { from: { push: { enabled: true } }, set: { "push.version": "v1.4.2" }, shows: ["roll Deployment push"] },
    { from: { push: { enabled: true } }, set: { "push.resources": larger }, shows: ["roll Deployment push"] },
    {
      set: { previews: { enabled: true } },
      shows: [
        ...["create Deployment previews", "create Secret previews-credentials", "create Service previews"],
        ...["rerun Job cloudsuite-configure", "roll Deployment cloudsuite"],
        ...["update ConfigMap cloudsuite-config", "update ConfigMap cloudsuite-scripts"],
        ...["update CronJob cloudsuite-cron", "update PrometheusRule cloudsuite-alerts"],
      ],
    },
    {
      from: { previews: { enabled: true } },
      set: { "previews.enabled": false },
      shows: [
        ...["delete Deployment previews", "delete Secret previews-credentials", "delete Service previews"],
        ...["rerun Job cloudsuite-configure", "roll Deployment cloudsuite"],
        "update ConfigMap cloudsuite-config",
        ...["update CronJob cloudsuite-cron", "update PrometheusRule cloudsuite-alerts"],
      ],
    },
    {
      from: { previews: { enabled: true } },
      set: { previews: undefined },
      refused: "previews: goes away while it is on",
    },
    {
      from: { previews: { enabled: true } },
      set: { "previews.version": "20260929_105435" },
      shows: ["roll Deployment previews"],
    },
    {
      from: { previews: { enabled: true } },
      set: { "previews.resources": larger },
      shows: ["roll Deployment previews"],
    },
    { set: { phoneRegion: "DE" }, shows: everyPhp },
    { set: { phoneRegion: "de" }, refused: "phoneRegion: The value is not a country." },
    { set: { language: "de" }, shows: everyPhp },
    { set: { language: "German" }, refused: "language: The value is not a language." },
    { set: { "php.memory": "1Gi" }, shows: everyPhp },
    { set: { "php.upload": "4Gi" }, shows: everyPhp },
    {
      set: { "php.memory": "64Gi" },
      refused: "resources.cloudsuite.limits.memory: The limit of a web pod is 2Gi, but one request may take 64Gi",
    },
    {
      set: { mail: { host: "smtp.example.org", from: "team@example.org" } },
      shows: everyPhp,
    },
    {
      set: {
        mail: {
          host: "smtp.example.org",
          port: 465,
          security: "tls",
          from: "team@example.org",
          displayName: "Team",
          replyTo: "help@example.org",
          user: "team",
          password: { name: "mail", key: "password" },
        },
      },
      shows: [...everyPhp, "update CronJob cloudsuite-config-backup"].sort(),
    },
    {
      set: { mail: { host: "smtp.example.org", from: "team@example.org", user: "team" } },
      refused: "mail.password: Mail has a user but no password.",
    },
    {
      set: { maintenance: true },
      shows: [
        "delete ConfigMap cloudsuite-apps",
        "delete Job cloudsuite-configure",
        "roll Deployment cloudsuite",
        "update CronJob cloudsuite-cron",
        "update PrometheusRule cloudsuite-alerts",
      ],
    },
    {
      set: { recover: { targetTime: "2026-11-20 08:30:00", suffix: "r1" } },
      shows: [
        "create Cluster cloudsuite-db-r1",
        "create PodMonitor cloudsuite-db-r1",
        "create ScheduledBackup cloudsuite-db-r1",
        "delete PodMonitor cloudsuite-db",
        "delete ScheduledBackup cloudsuite-db",
        "replace Pooler cloudsuite-db-pooler",
        "update PodDisruptionBudget cloudsuite-db-pooler",
        "update PrometheusRule cloudsuite-db",
      ],
    },
    {
      set: { recover: { suffix: "r1", source: "elsewhere" } },
      refused: "recover: changes from cloudsuite-db to cloudsuite-db-r1",
    },
    {
      set: { recover: { suffix: "r1", keepSource: false } },
      refused: "- team/cloudsuite-db, of team-db",
    },
    { set: { users: 30 }, shows: [] },
    { set: { files: 20000 }, shows: [] },
    { set: { dbClass: "longhorn" }, refused: "dbClass: The value is not allowed." },
    { set: { keystoreClass: "smb-csi" }, refused: "keystoreClass: The value is not allowed." },
    { set: { webSize: "20Gi" }, shows: ["update PersistentVolumeClaim cloudsuite"] },
    { set: { webSize: "5Gi" }, refused: "storage.webSize: shrinks the volume from 10Gi to 5Gi" },
    { set: { database: elsewhere }, refused: "database: changes from none to pg.example.org:5432/team" },
    {
      from: { database: elsewhere },
      set: { "database.password.name": "pg2" },
      shows: ["rerun Job cloudsuite-configure", "roll Deployment cloudsuite", "update CronJob cloudsuite-cron"],
    },
    {
      set: { keystore: { host: "redis.example.org", port: 6379, password: { name: "redis", key: "password" } } },
      refused: "- team/data-keystore-0, of team-keystore",
    },
    { set: { existingBuckets: true }, refused: "- data-team-dev1, of team-storage" },
    { set: { networkPolicies: true }, shows: suitePolicies("create") },
  ],
};
