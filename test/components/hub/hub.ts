import type { HubArgs } from "@hearth-platform/hearth/hub/args";

/** A hub with every setting. */
export const completeHub: HubArgs = {
  namespace: "platform",
  domain: "hub.example.org",
  version: "2.14.3",
  database: {
    host: "forge-db-pooler.platform.svc",
    port: 5432,
    database: "hub",
    user: "app",
    password: { name: "forge-db-app", key: "password" },
  },
  databaseCluster: "forge-db",
  keystore: { host: "keystore.platform.svc", port: 6379, password: { name: "keystore-password", key: "password" } },
  objectStore: {
    endpoint: "https://fsn1.your-objectstorage.com",
    region: "fsn1",
    pathStyle: true,
    credentials: "forge-s3-credentials",
  },
  bucket: "registry-a1b2-platform",
  backups: "db-backups-a1b2-platform",
  signOn: {
    issuer: "https://forge.example.org",
    clientId: { name: "forge-application-hub", key: "client-id" },
    clientSecret: { name: "forge-application-hub", key: "client-secret" },
    adminGroup: "platform",
  },
  storageQuota: "100Gi",
  projects: [
    { name: "apps", storageQuota: "50Gi", retention: { rules: [{ latestPushed: 10 }] } },
    {
      name: "docker",
      public: true,
      proxyCache: {
        kind: "docker-hub",
        url: "https://hub.docker.com",
        user: "us",
        password: { name: "dockerhub", key: "token" },
      },
    },
  ],
  robots: [{ name: "ci", projects: ["apps"], access: "push" }],
  networkPolicies: true,
  platform: { profile: "production", ingress: { clusterIssuer: "letsencrypt-prod" } },
};

/** The least a hub can be: accounts of its own, a database elsewhere. */
export const minimalHub: HubArgs = {
  namespace: "platform",
  domain: "hub.example.org",
  database: completeHub.database,
  keystore: { host: "keystore.platform.svc", port: 6379 },
  objectStore: completeHub.objectStore,
  bucket: completeHub.bucket,
  platform: { profile: "development", ingress: { clusterIssuer: "letsencrypt-prod" } },
};
