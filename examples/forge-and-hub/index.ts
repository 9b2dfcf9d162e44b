import { Forge, Hub, type PlatformArgs } from "@hearth-platform/hearth";
import { Provider } from "@pulumi/kubernetes/provider.js";

const namespace = "platform";
const platform: PlatformArgs = {
  profile: "production",
  ingress: { clusterIssuer: "letsencrypt-prod" },
};

/** What you run yourself. The Secrets are in the namespace. */
const postgres = {
  host: "postgres.example.internal",
  port: 5432,
  password: (name: string) => ({ name, key: "password" }),
};
const keystore = { host: "redis.example.internal", port: 6379, password: { name: "redis", key: "password" } };
const objectStore = {
  endpoint: "https://s3.example.internal",
  region: "fsn1",
  pathStyle: true,
  credentials: "forge-s3-credentials",
};

const provider = new Provider("cluster", { context: "hearth-sandbox" });

const forge = new Forge(
  "forge",
  {
    namespace,
    domain: "forge.example.org",
    databaseVersion: "17",
    database: { ...postgres, database: "forge", user: "forge", password: postgres.password("forge-database") },
    keystore,
    objectStore,
    bucketSuffix: "ex1",
    applications: [{ name: "hub", redirectUri: "https://hub.example.org/c/oidc/callback" }],
    platform,
  },
  { provider },
);

const { issuer, clientId, clientSecret } = forge.applications.hub ?? {};

const hub = new Hub(
  "hub",
  {
    namespace,
    domain: "hub.example.org",
    database: { ...postgres, database: "hub", user: "hub", password: postgres.password("hub-database") },
    keystore,
    objectStore,
    bucket: "registry-ex1-platform",
    // Users of the forge sign in at the hub.
    ...(issuer && clientId && clientSecret && { signOn: { issuer, clientId, clientSecret } }),
    platform,
  },
  { provider, dependsOn: forge },
);

/** Where both answer, and how their administrators sign in for the first time. */
export const endpoints = { forge: forge.endpoints, hub: hub.endpoints };
export const administrators = {
  forge: { user: forge.adminUser, password: forge.adminPassword },
  hub: { user: hub.adminUser, password: hub.adminPassword },
};
