// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../stores/connections-args.ts";

/** What a robot may do in its projects. */
export const HubAccess = {
  pull: "pull",
  push: "push",
} as const;
export type HubAccess = (typeof HubAccess)[keyof typeof HubAccess];

/** Target of public requests to the registry API. */
export const HubRegistryRoute = {
  /** To core, which knows users, projects, quotas and pushed images, and passes the requests on. */
  core: "core",
  /** Straight to the registry, as in the specification: only the registry's internal user can sign in, and the hub does not know the images it pushes. */
  registry: "registry",
} as const;
export type HubRegistryRoute = (typeof HubRegistryRoute)[keyof typeof HubRegistryRoute];

/** Sign-on with an OpenID Connect provider. */
export interface HubSignOnArgs {
  /** Name on the sign-in button. @default host of the issuer */
  name?: string;
  /** The provider's `issuer`, exactly as in its `/.well-known/openid-configuration`, e.g. `https://id.example.org`. */
  issuer: string;
  /** Secret key of the client's id, in the hub's namespace. */
  clientId: SecretKey;
  /** Secret key of the client's secret, in the hub's namespace. */
  clientSecret: SecretKey;
  /** Scopes the hub asks for. It does not ask the stack's forge for `offline_access`, which GitLab refuses. @default openid, profile, email, offline_access */
  scopes?: string[];
  /** Claim that holds the user's name. @default preferred_username */
  userClaim?: string;
  /** Claim that holds the user's groups. @default groups */
  groupsClaim?: string;
  /** Members of this group administer the hub. @default none: only the local administrator */
  adminGroup?: string;
  /** Regular expression for the groups that the hub imports, e.g. `^hub-.*`. @default all */
  groupFilter?: string;
}

/** Images of a project that stay. Images that no rule keeps are deleted. Set exactly one of the counts. */
export interface HubRetentionRuleArgs {
  /** Repositories the rule applies to, with `*`, `**` and `{a,b}`. @default ** */
  repositories?: string;
  /** Tags the rule applies to, with `*`, `**` and `{a,b}`. @default ** */
  tags?: string;
  /** Keeps this number of the last pushed images in each repository. At least 1. @default none */
  latestPushed?: number;
  /** Keeps this number of the last pulled images in each repository. At least 1. @default none */
  latestPulled?: number;
  /** Keeps images that were pushed within this many days. At least 1. @default none */
  pushedWithinDays?: number;
  /** Keeps images that were pulled within this many days. At least 1. @default none */
  pulledWithinDays?: number;
}

/** When images of a project are deleted, and which images stay. */
export interface HubRetentionArgs {
  /** When, as a cron schedule of six fields. The first field, the seconds, is 0. @default 0 0 1 * * * */
  schedule?: string;
  /** Rules for the images that stay. */
  rules: HubRetentionRuleArgs[];
}

/** Another registry that a project caches. */
export interface HubProxyCacheArgs {
  /** Kind of registry, e.g. `docker-hub`, `docker-registry`, `github-ghcr`, `harbor`. */
  kind: string;
  /** Its URL, e.g. `https://hub.docker.com`: scheme, host and path. */
  url: string;
  /** User that signs in there; needs `password`. @default none: anonymous */
  user?: string;
  /** Secret key of the user's password, in the hub's namespace. After you change the password, raise the Secret's revision. @default none */
  password?: SecretKey;
}

/** A project, which holds repositories. If you remove it from the settings, it stays in the hub. */
export interface HubProjectArgs {
  /** Name of the project, the first part of its images' names. */
  name: string;
  /** Lets everybody pull. @default false */
  public?: boolean;
  /** The most it may hold, with a binary suffix, e.g. `50Gi`. @default the hub's `storageQuota` */
  storageQuota?: string;
  /** Deletes old images. @default none: all images stay; a cache keeps the hub's own rule, which at first deletes images seven days after the last pull */
  retention?: HubRetentionArgs;
  /** Makes the project a cache of another registry. You can't change this, or the kind, once the project exists. @default none */
  proxyCache?: HubProxyCacheArgs;
}

/** An account for machines. Its name and password are in the Secret `hub-robot-<name>`. If you remove it from the settings, it is deleted. */
export interface HubRobotArgs {
  /** Name of the robot, which signs in as `robot$<name>`. */
  name: string;
  /** Names of the projects it may use. */
  projects: string[];
  /** Its rights in these projects; `push` includes pull. @default pull */
  access?: HubAccess;
}

/** Garbage collection of layers that no image uses. */
export interface HubGarbageCollectionArgs {
  /** When, as a cron schedule of six fields. The first field, the seconds, is 0. @default 0 0 3 * * 0 */
  schedule?: string;
  /** Deletes images without a tag first. @default false */
  deleteUntagged?: boolean;
}

/** The audit log: who pulled, pushed, signed in or changed what. It is in the hub's database. */
export interface HubAuditLogArgs {
  /** Deletes old entries; if false, the hub keeps all, and the database grows with every pull. @default true */
  purge?: boolean;
  /** Days that an entry stays. From 1 to 10000. @default 90 */
  retentionDays?: number;
  /** When, as a cron schedule of six fields. The first field, the seconds, is 0. @default 0 0 2 * * * */
  schedule?: string;
}

/** Registry login with a forge's user name and personal access token: the pods between clients and core that sign users in. */
export interface HubForgeTokensArgs {
  /** Image of the platform's own services, e.g. `registry.example.org/hearth/services:1.0.0`; `ServiceImage` builds one. It can't be in this hub. */
  image: string;
}

/** Pods of each part. */
export interface HubReplicasArgs {
  /** Core pods. At least 1. @default 2 in production, 1 in development */
  core?: number;
  /** Registry pods. At least 1. @default 2 in production, 1 in development */
  registry?: number;
  /** Pods of background jobs. At least 1. @default 1 */
  jobservice?: number;
  /** Web UI pods. At least 1. @default 2 in production, 1 in development */
  portal?: number;
  /** Pods that handle sign-ins with tokens of the forge. At least 1. @default 2 in production, 1 in development */
  signIn?: number;
}

/** Resources of the hub's parts. */
export interface HubResourcesArgs {
  /** Of each core pod. @default 100m and 256Mi, up to 1000m and 1Gi */
  core?: ResourceSpecArgs;
  /** Of each registry container. @default 100m and 256Mi, up to 1000m and 1Gi */
  registry?: ResourceSpecArgs;
  /** Of each registry's controller sidecar. @default 50m and 64Mi, up to 500m and 256Mi */
  registryController?: ResourceSpecArgs;
  /** Of each pod of background jobs. @default 100m and 128Mi, up to 1000m and 512Mi */
  jobservice?: ResourceSpecArgs;
  /** Of each web UI pod. @default 50m and 64Mi, up to 500m and 128Mi */
  portal?: ResourceSpecArgs;
  /** Of each pod that handles sign-ins with tokens of the forge. @default 20m and 64Mi, up to 500m and 128Mi */
  signIn?: ResourceSpecArgs;
  /** Of migrations and settings Jobs. @default 50m and 128Mi, up to 500m and 512Mi */
  jobs?: ResourceSpecArgs;
}

/** A container-image registry (Harbor) on a database, a keystore and a bucket that exist already. */
export interface HubArgs {
  /** Namespace of the component; it must exist. */
  namespace: string;
  /** Public host, e.g. `hub.example.org`. */
  domain: string;
  /** Version of the hub, 2.x, with all three numbers. @default 2.15.2 */
  version?: string;
  /** How the database is reached: through a pooler in session mode. */
  database: DatabaseConnection;
  /** CloudNativePG cluster of the database, backed up before each version's migrations. @default none: back up by hand before an upgrade */
  databaseCluster?: string;
  /** How the keystore is reached. */
  keystore: KeystoreConnection;
  /** How the bucket is reached. */
  objectStore: ObjectStoreConnection;
  /** Bucket of the images, e.g. `registry-a1b2-platform`; never changes. */
  bucket: string;
  /** Bucket of the database's backups in the same object store, e.g. `db-backups-a1b2-platform`. The encryption key is copied there every night. @default none: the key is in its Secret alone */
  backups?: string;
  /** Redirects clients to the object store for layers; they must be able to reach it. @default false: through the hub */
  redirect?: boolean;
  /** Sign-on of all users but the administrator. @default none: accounts in the hub, which its administrator makes */
  signOn?: HubSignOnArgs;
  /** Registry login with tokens of the forge that `signOn` names. That forge must be in the hub's namespace. @default none: CLI secrets and robots */
  forgeTokens?: HubForgeTokensArgs;
  /** The most a project may hold, with a binary suffix, e.g. `50Gi`. It applies to `library`, and to each project in the settings without its own quota. @default no limit */
  storageQuota?: string;
  /** Projects. @default none but those made by hand and the public `library`, which the hub makes */
  projects?: HubProjectArgs[];
  /** Accounts for machines. @default none but those made by hand */
  robots?: HubRobotArgs[];
  /** Garbage collection of layers that no image uses. @default every Sunday at 3 */
  garbageCollection?: HubGarbageCollectionArgs;
  /** The audit log. @default entries stay 90 days; older ones are deleted every night at 2 */
  auditLog?: HubAuditLogArgs;
  /** Target of public requests to the registry API. @default core */
  registryRoute?: HubRegistryRoute;
  /** Image with Node 24 that applies these settings. @default docker.io/library/node:24.21.0-alpine */
  jobImage?: string;
  /** Pods. @default for the profile */
  replicas?: HubReplicasArgs;
  /** Resources. @default the least the images run well with */
  resources?: HubResourcesArgs;
  /** Network policies with exactly the connections the hub needs. @default as the whole stack: with profile production */
  networkPolicies?: boolean;
  /** Also denies all other connections in the namespace except those of the hub's stores. @default false: a forge in the namespace does that */
  defaultDeny?: boolean;
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
