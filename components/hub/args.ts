// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection, SecretKey } from "../stores/connections-args.ts";

/** What a robot may do in its projects. */
export const HubAccess = {
  pull: "pull",
  push: "push",
} as const;
export type HubAccess = (typeof HubAccess)[keyof typeof HubAccess];

/** Where public requests of the registry API go. */
export const HubRegistryRoute = {
  /** To core, which knows users, projects, quotas and what was pushed, and passes them on. */
  core: "core",
  /** Straight to the registry, as the specification has it: only the registry's internal user may sign in, and the hub knows nothing of what it pushes. */
  registry: "registry",
} as const;
export type HubRegistryRoute = (typeof HubRegistryRoute)[keyof typeof HubRegistryRoute];

/** Sign-on with an OpenID Connect provider. */
export interface HubSignOnArgs {
  /** Name on the sign-in button. @default host of the issuer */
  name?: string;
  /** The provider's `issuer`, exactly as its `/.well-known/openid-configuration` has it. */
  issuer: string;
  /** Where the client's id is, in the hub's namespace. */
  clientId: SecretKey;
  /** Where the client's secret is, in the hub's namespace. */
  clientSecret: SecretKey;
  /** Scopes to ask for. The stack's forge is not asked for `offline_access`, which GitLab refuses. @default openid, profile, email, offline_access */
  scopes?: string[];
  /** Claim that holds the user's name. @default preferred_username */
  userClaim?: string;
  /** Claim that holds the user's groups. @default groups */
  groupsClaim?: string;
  /** Members of this group administer the hub. @default none: the local administrator alone */
  adminGroup?: string;
  /** Regular expression of the groups that the hub takes over. @default all */
  groupFilter?: string;
}

/** Which images of a project stay; what no rule keeps is deleted. One of the counts is set. */
export interface HubRetentionRuleArgs {
  /** Repositories it is about, with `*`, `**` and `{a,b}`. @default ** */
  repositories?: string;
  /** Tags it is about, with `*`, `**` and `{a,b}`. @default ** */
  tags?: string;
  /** Keeps this many images of each repository: those pushed last. @default none */
  latestPushed?: number;
  /** Keeps this many images of each repository: those pulled last. @default none */
  latestPulled?: number;
  /** Keeps images that were pushed within this many days. @default none */
  pushedWithinDays?: number;
  /** Keeps images that were pulled within this many days. @default none */
  pulledWithinDays?: number;
}

/** When images of a project are deleted, and which stay. */
export interface HubRetentionArgs {
  /** When, as a cron schedule of six fields. The first field, the seconds, is 0. @default 0 0 1 * * * */
  schedule?: string;
  /** What stays. */
  rules: HubRetentionRuleArgs[];
}

/** A registry whose images a project passes on and keeps. */
export interface HubProxyCacheArgs {
  /** Kind of registry, e.g. `docker-hub`, `docker-registry`, `github-ghcr`, `harbor`. */
  kind: string;
  /** Its URL, e.g. `https://hub.docker.com`: scheme, host and path. */
  url: string;
  /** User that signs in there; needs `password`. @default none: anonymous */
  user?: string;
  /** Where the user's password is, in the hub's namespace. After a change of the password, raise the Secret's revision. @default none */
  password?: SecretKey;
}

/** A project, which repositories are in. One that leaves the settings stays in the hub. */
export interface HubProjectArgs {
  /** Name, the first part of its images' names. */
  name: string;
  /** Everybody may pull. @default false */
  public?: boolean;
  /** How much it may hold, with a binary suffix. @default the hub's `storageQuota` */
  storageQuota?: string;
  /** Deletes old images. @default none: all images stay; a cache keeps the hub's own rule, at first seven days after the last pull */
  retention?: HubRetentionArgs;
  /** Makes the project a cache of another registry. That is decided when the project is made, and so is the kind. @default none */
  proxyCache?: HubProxyCacheArgs;
}

/** An account for machines. Its name and password are in the Secret `hub-robot-<name>`; one that leaves the settings is deleted. */
export interface HubRobotArgs {
  /** Name; it signs in as `robot$<name>`. */
  name: string;
  /** Names of the projects it may use. */
  projects: string[];
  /** What it may do there; `push` may pull too. @default pull */
  access?: HubAccess;
}

/** Collection of layers that no image has any more. */
export interface HubGarbageCollectionArgs {
  /** When, as a cron schedule of six fields. The first field, the seconds, is 0. @default 0 0 3 * * 0 */
  schedule?: string;
  /** Images without a tag are deleted first. @default false */
  deleteUntagged?: boolean;
}

/** Registry login with a forge's user name and personal access token: pods that sign users in, between clients and core. */
export interface HubForgeTokensArgs {
  /** Image of the platform's own services, `repository:tag`; `ServiceImage` builds one. Not in this hub. */
  image: string;
}

/** Pods of each part. */
export interface HubReplicasArgs {
  /** Core pods. @default 2 in production, 1 in development */
  core?: number;
  /** Registry pods. @default 2 in production, 1 in development */
  registry?: number;
  /** Pods of background jobs. @default 1 */
  jobservice?: number;
  /** Web UI pods. @default 2 in production, 1 in development */
  portal?: number;
  /** Pods that sign in with tokens of the forge. @default 2 in production, 1 in development */
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
  /** Of each pod that signs in with tokens of the forge. @default 20m and 64Mi, up to 500m and 128Mi */
  signIn?: ResourceSpecArgs;
  /** Of migrations and settings Jobs. @default 50m and 128Mi, up to 500m and 512Mi */
  jobs?: ResourceSpecArgs;
}

/** A container-image registry (Harbor) on a database, a keystore and a bucket that exist already. */
export interface HubArgs {
  /** Namespace it runs in; it exists already. */
  namespace: string;
  /** Public host, e.g. `hub.example.org`. */
  domain: string;
  /** Version of the hub, 2.x, all three numbers. @default 2.15.2 */
  version?: string;
  /** How the database is reached: through a pooler in session mode. */
  database: DatabaseConnection;
  /** CloudNativePG cluster of the database, backed up before each version's migrations. @default none: back up by hand before an upgrade */
  databaseCluster?: string;
  /** How the keystore is reached. */
  keystore: KeystoreConnection;
  /** How the bucket is reached. */
  objectStore: ObjectStoreConnection;
  /** Bucket of the images; never changes. */
  bucket: string;
  /** Clients fetch layers from the object store itself, which they must reach. @default false: through the hub */
  redirect?: boolean;
  /** Sign-on; all but the administrator come by it. @default none: accounts of the hub's own, which its administrator makes */
  signOn?: HubSignOnArgs;
  /** Registry login with tokens of the forge that `signOn` names, which runs in the hub's namespace. @default none: CLI secrets and robots */
  forgeTokens?: HubForgeTokensArgs;
  /** How much a project may hold, with a binary suffix: `library`, and each project of the settings without a quota of its own. @default no limit */
  storageQuota?: string;
  /** Projects. @default none but those made by hand and `library`, public as the hub makes it */
  projects?: HubProjectArgs[];
  /** Accounts for machines. @default none but those made by hand */
  robots?: HubRobotArgs[];
  /** Collection of layers that no image has any more. @default every Sunday at 3 */
  garbageCollection?: HubGarbageCollectionArgs;
  /** Where public requests of the registry API go. @default core */
  registryRoute?: HubRegistryRoute;
  /** Image with Node 24 that applies these settings. @default docker.io/library/node:24.11.1-alpine */
  jobImage?: string;
  /** Pods. @default for the profile */
  replicas?: HubReplicasArgs;
  /** Resources. @default the least the images run well with */
  resources?: HubResourcesArgs;
  /** Network policies with exactly the edges the hub needs. @default false: all pods reach each other */
  networkPolicies?: boolean;
  /** With them all other connections in the namespace are denied, but those of its stores. @default false: a forge in the namespace does that */
  defaultDeny?: boolean;
  /** Settings every component of the stack shares. */
  platform: PlatformArgs;
}
