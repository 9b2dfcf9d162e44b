import { objectId } from "@hearth-platform/hearth/core/plan";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import type { ForgeConfiguration } from "@hearth-platform/hearth/forge/configuration";
import { forgeConfiguration } from "@hearth-platform/hearth/forge/program-files";
import { planForge, resolvedForge } from "../../support/plans.ts";

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
  databaseVersion: "17",
  database: completeForge.database,
  keystore: completeForge.keystore,
  objectStore: completeForge.objectStore,
  bucketSuffix: "a1b2",
  platform: { profile: "development", ingress: { clusterIssuer: "letsencrypt-prod" } },
};

/** What a forge's files are rendered from. */
export const configurationOf = (args: ForgeArgs): ForgeConfiguration => ({
  ...forgeConfiguration(resolvedForge(args)),
  trustedProxies: ["10.0.0.0/8"],
});

export const completeConfiguration = configurationOf(completeForge);
export const minimalConfiguration = configurationOf({
  ...minimalForge,
  keystore: { host: "keystore.platform.svc", port: 6379 },
});

/** What a forge makes: `Deployment/forge-shell …`. */
export const objectIds = (args: ForgeArgs) => planForge(args).objects.map(({ object }) => objectId(object));

/** One of its objects, by how its id begins. */
export function objectOf<T>(args: ForgeArgs, id: string): T {
  const found = planForge(args).objects.find(({ object }) => objectId(object).startsWith(id));
  if (!found) throw new Error(`${id} is missing: ${objectIds(args).join(", ")}.`);
  return found.object as unknown as T;
}
