import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import type { ForgeConfiguration } from "@hearth-platform/hearth/forge/configuration";

const namespace = "platform";

/** A forge with every part and setting. */
export const completeForge: ForgeArgs = {
  namespace,
  domain: "forge.example.org",
  version: "18.5.2",
  databaseVersion: "16",
  database: {
    host: "forge-db-pooler.platform.svc",
    port: 5432,
    database: "forge",
    user: "app",
    password: { name: "forge-db-app", key: "password" },
  },
  keystore: {
    host: "keystore.platform.svc",
    port: 6379,
    password: { name: "keystore-password", key: "password" },
  },
  objectStore: {
    endpoint: "https://fsn1.your-objectstorage.com",
    region: "fsn1",
    pathStyle: true,
    credentials: "forge-s3-credentials",
  },
  bucketSuffix: "a1b2",
  ssh: { entryPoint: "ssh", domain: "ssh.example.org", port: 2222, proxyProtocol: true },
  pages: { domain: "pages.example.org" },
  runner: { tags: ["linux", "amd64"] },
  administration: {
    timeZone: "Europe/Berlin",
    signUp: false,
    defaultProjectVisibility: "internal",
    smtp: {
      host: "mail.example.org",
      from: "forge@example.org",
      displayName: "Example's forge",
      user: "forge",
      password: { name: "mail", key: "password" },
    },
    signOn: {
      providers: [
        { name: "openid_connect", kind: "openid_connect", label: "SSO", provider: { name: "sso", key: "provider" } },
        { name: "saml", kind: "saml", provider: { name: "saml", key: "provider" } },
      ],
      ldap: [
        {
          name: "main",
          host: "ldap.example.org",
          base: "ou=people,dc=example,dc=org",
          bindDn: "cn=forge,dc=example,dc=org",
          password: { name: "ldap", key: "password" },
        },
      ],
      autoCreate: ["openid_connect"],
    },
  },
  applications: [{ name: "hub", redirectUri: "https://hub.example.org/c/oidc/callback" }],
  platform: {
    profile: "production",
    ingress: { clusterIssuer: "letsencrypt-prod", wildcardClusterIssuer: "letsencrypt-dns" },
  },
};

/** The least a forge can be: git over HTTPS alone. */
export const minimalForge: ForgeArgs = {
  namespace,
  domain: "forge.example.org",
  databaseVersion: "16",
  database: completeForge.database,
  keystore: completeForge.keystore,
  objectStore: completeForge.objectStore,
  bucketSuffix: "a1b2",
  platform: { profile: "development", ingress: { clusterIssuer: "letsencrypt-prod" } },
};

/** What the files of the complete forge are rendered from. */
export const completeConfiguration: ForgeConfiguration = {
  namespace,
  version: "18.5.2",
  domain: completeForge.domain,
  ssh: completeForge.ssh,
  clientAddress: true,
  pages: completeForge.pages,
  runner: {
    jobNamespace: "platform-jobs",
    concurrent: 10,
    defaultImage: "docker.io/library/alpine:3.22",
    pullSecrets: [],
    tags: ["linux", "amd64"],
    jobResources: { requests: { cpu: "200m", memory: "512Mi" }, limits: { cpu: "2000m", memory: "2Gi" } },
    jobServiceAccount: "forge-runner-job",
  },
  database: completeForge.database,
  keystore: completeForge.keystore,
  objectStore: completeForge.objectStore,
  buckets: forgeBuckets("a1b2", namespace),
  administration: completeForge.administration ?? {},
  trustedProxies: ["10.0.0.0/8"],
};

/** What the files of the minimal forge are rendered from. */
export const minimalConfiguration: ForgeConfiguration = {
  ...completeConfiguration,
  ssh: undefined,
  pages: undefined,
  runner: undefined,
  keystore: { host: "keystore.platform.svc", port: 6379 },
  administration: {},
};
