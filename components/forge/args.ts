// Written by `npm run generate` from schema.ts: change that.
import type { MailArgs } from "../core/mail-args.ts";
import type { PlatformArgs } from "../core/platform-args.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../stores/connections-args.ts";

/** Edition of the forge's images. */
export const ForgeEdition = {
  enterprise: "ee",
  community: "ce",
} as const;
export type ForgeEdition = (typeof ForgeEdition)[keyof typeof ForgeEdition];

/** Default visibility of new projects. */
export const ForgeVisibility = {
  private: "private",
  internal: "internal",
  public: "public",
} as const;
export type ForgeVisibility = (typeof ForgeVisibility)[keyof typeof ForgeVisibility];

/** How the connection to a directory server is encrypted. */
export const ForgeLdapEncryption = {
  startTls: "start_tls",
  tls: "simple_tls",
  plain: "plain",
} as const;
export type ForgeLdapEncryption = (typeof ForgeLdapEncryption)[keyof typeof ForgeLdapEncryption];

/** Protocol of an external sign-in. */
export const ForgeSignInKind = {
  openIdConnect: "openid_connect",
  saml: "saml",
} as const;
export type ForgeSignInKind = (typeof ForgeSignInKind)[keyof typeof ForgeSignInKind];

/** Git over SSH. */
export interface ForgeSshArgs {
  /** Traefik entry point of the TCP route, which must exist in Traefik's static configuration. With a Gateway, the name of its listener. */
  entryPoint: string;
  /** Public host of git over SSH, e.g. `ssh.example.org`. @default the forge's domain */
  domain?: string;
  /** Public port, as in clone addresses. From 1 to 65535. @default 22 */
  port?: number;
  /** Port of the Gateway's listener for SSH. From 1 to 65535. @default the public port */
  listenerPort?: number;
  /** Traefik, or the Gateway's proxy, sends the client's address with the PROXY protocol. @default `true`; with a Gateway `false`, since its routes can't express it */
  proxyProtocol?: boolean;
  /** Sessions that one SSH connection may have open at once. A busy CI host opens many. At least 1. @default 100 */
  sessionsPerConnection?: number;
}

/** Static sites. */
export interface ForgePagesArgs {
  /** Domain below which sites have their hosts, `*.<domain>`, e.g. `pages.example.org`; needs an issuer of wildcard certificates. */
  domain: string;
  /** Pods. At least 1. @default 2 in production, 1 in development */
  replicas?: number;
  /** Resources of each pod. @default 50m and 64Mi, up to 500m and 256Mi */
  resources?: ResourceSpecArgs;
}

/** Runner of CI jobs, with one pod for each job. */
export interface ForgeRunnerArgs {
  /** Namespace of the jobs; created with the forge. @default the forge's namespace and `-jobs` */
  jobNamespace?: string;
  /** Jobs at once. At least 1. @default 10 */
  concurrent?: number;
  /** Image of jobs that don't set one. @default docker.io/library/alpine:3.22 */
  defaultImage?: string;
  /** Tags of the jobs it runs. It always runs jobs without tags. @default none */
  tags?: string[];
  /** Tag of the runner's image, e.g. `18.9.0`, of the same minor as the forge. @default the newest one known of the forge's minor */
  version?: string;
  /** Addresses (CIDR) that jobs may reach with `networkPolicies`, beside DNS, the forge, the ingress and the internet, e.g. `10.1.2.3/32`. Name a load balancer or an object store that has a private address. @default none */
  allowedNetworks?: string[];
  /** Resources of each job's container. @default 200m and 512Mi, up to 2000m and 2Gi */
  jobResources?: ResourceSpecArgs;
}

/** Sign-in with an external provider. */
export interface ForgeSignInArgs {
  /** Unique name of the provider in lower case, e.g. `openid_connect`. */
  name: string;
  /** Protocol. */
  kind: ForgeSignInKind;
  /** Text of the sign-in button. @default the name */
  label?: string;
  /** Secret key, in the forge's namespace, with the provider's settings: a YAML document like an entry of the forge's `omniauth.providers`. */
  provider: SecretKey;
}

/** Sign-in with a directory. */
export interface ForgeLdapArgs {
  /** Key of the server in the forge's database, e.g. `main`; never changes. */
  name: string;
  /** Text of the sign-in tab. @default LDAP */
  label?: string;
  /** Host of the directory server, e.g. `ldap.example.org`. */
  host: string;
  /** TCP port. From 1 to 65535. @default 636 */
  port?: number;
  /** Encryption. @default simple_tls */
  encryption?: ForgeLdapEncryption;
  /** Base of the search for users, e.g. `ou=people,dc=example,dc=org`. */
  base: string;
  /** Attribute that holds the user's name. @default uid */
  uid?: string;
  /** Filter of users, e.g. `(memberOf=cn=developers,dc=example,dc=org)`. @default none */
  userFilter?: string;
  /** Whether the directory is Active Directory. @default false */
  activeDirectory?: boolean;
  /** Name with which the forge signs in to the directory; needs `password`. @default none: anonymous */
  bindDn?: string;
  /** Secret key of this password, in the forge's namespace. @default none */
  password?: SecretKey;
}

/** Sign-in with accounts other than the forge's own. */
export interface ForgeSignOnArgs {
  /** OpenID Connect and SAML providers. @default none */
  providers?: ForgeSignInArgs[];
  /** Directories. @default none */
  ldap?: ForgeLdapArgs[];
  /** Names of providers and directories whose users get an account at their first sign-in. @default none: they wait for an administrator */
  autoCreate?: string[];
}

/** Settings of the Admin area, mail and sign-in. */
export interface ForgeAdministrationArgs {
  /** Time zone by its IANA name, e.g. `Europe/Berlin`. @default UTC */
  timeZone?: string;
  /** Lets anybody sign up. @default false at the installation, afterwards the value in the Admin area */
  signUp?: boolean;
  /** Visibility of new projects. @default private at the installation, afterwards the value in the Admin area */
  defaultProjectVisibility?: ForgeVisibility;
  /** Mail. @default the platform's `mail`; without it the forge sends none */
  smtp?: MailArgs;
  /** External sign-in. @default none */
  signOn?: ForgeSignOnArgs;
}

/** An application that signs on with the forge, e.g. the hub. */
export interface ForgeApplicationArgs {
  /** Name that users see, also part of object names: a DNS label, e.g. `hub`. */
  name: string;
  /** URL to which the forge sends users back, e.g. `https://hub.example.org/c/oidc/callback`. */
  redirectUri: string;
  /** Scopes the application may ask for. @default openid, profile, email */
  scopes?: string[];
}

/** Where the forge's repositories are backed up. */
export const ForgeRepositoryBackup = {
  bucket: "bucket",
  archive: "archive",
} as const;
export type ForgeRepositoryBackup = (typeof ForgeRepositoryBackup)[keyof typeof ForgeRepositoryBackup];

/** Scheduled backups of the forge: database and objects in one archive, and the repositories with it. */
export interface ForgeBackupArgs {
  /** When, as a cron schedule of five fields. @default 0 1 * * * */
  schedule?: string;
  /** Number of archives to keep. At least 1. @default 7 */
  keep?: number;
  /** Where repositories are backed up: `bucket` has the git store put them into the bucket of the backups itself, `archive` puts them into the archive by way of the scratch space. @default bucket */
  repositories?: ForgeRepositoryBackup;
  /** The archive holds the objects, too: uploads, LFS objects, artifacts, packages, sites and the like. @default true */
  objects?: boolean;
  /** Scratch space for making an archive, with a binary suffix: twice the size of what the archive holds. @default 20Gi */
  scratchSize?: string;
}

/** Pods of the forge's parts. */
export interface ForgeReplicasArgs {
  /** Web pods in normal operation. At least 1. @default 2 in production, 1 in development */
  webservice?: number;
  /** Pods of background jobs. At least 1. @default 2 in production, 1 in development */
  jobs?: number;
  /** SSH pods. At least 1. @default 2 in production, 1 in development */
  shell?: number;
  /** Factor by which an autoscaler may raise the number of web, job and SSH pods: 3 allows 6 pods instead of 2. With 1 there is no autoscaler. At least 1. @default 1 */
  autoscaleFactor?: number;
}

/** Resources of the forge's parts. */
export interface ForgeResourcesArgs {
  /** Of each web container. @default 500m and 2560Mi, up to 2000m and 4Gi */
  webservice?: ResourceSpecArgs;
  /** Of each proxy sidecar. @default 50m and 128Mi, up to 500m and 512Mi */
  proxy?: ResourceSpecArgs;
  /** Of each pod of background jobs. @default 500m and 2Gi, up to 1500m and 3Gi */
  jobs?: ResourceSpecArgs;
  /** Of the git store. @default 200m and 512Mi, up to 2000m and 2Gi */
  gitstore?: ResourceSpecArgs;
  /** Of each SSH pod. @default 50m and 64Mi, up to 500m and 256Mi */
  shell?: ResourceSpecArgs;
  /** Of the toolbox, migrations, backups and other Jobs. @default 100m and 1Gi, up to 1500m and 3Gi */
  toolbox?: ResourceSpecArgs;
  /** Of the runner. @default 50m and 64Mi, up to 500m and 256Mi */
  runner?: ResourceSpecArgs;
}

/** A code-hosting platform (GitLab) on a database, a keystore and buckets that exist already. */
export interface ForgeArgs {
  /** Namespace of the component; it must exist. */
  namespace: string;
  /** Public host, e.g. `forge.example.org`. */
  domain: string;
  /** Version of the forge, 18.x or 19.x, with all three numbers; 18.11 is the last that runs on PostgreSQL 16. @default 19.4.3 */
  version?: string;
  /** Version of the SSH server (GitLab Shell) that was published with the forge's version, e.g. `14.50.0`. @default known for 18, and for 19 up to 19.4 */
  shellVersion?: string;
  /** Edition of the images. Without a licence both work the same. @default ee */
  edition?: ForgeEdition;
  /** Major of the PostgreSQL server: 16 or 17 for 18, 17 for 19; 18 from 19.3 on. */
  databaseVersion: string;
  /** How the database is reached: through a pooler in session mode. */
  database: DatabaseConnection;
  /** How the keystore is reached. */
  keystore: KeystoreConnection;
  /** How the buckets are reached. */
  objectStore: ObjectStoreConnection;
  /** Part of the buckets' names, `<use>-<suffix>-<namespace>`; never changes. */
  bucketSuffix: string;
  /** Git over SSH. @default none: only git over HTTPS */
  ssh?: ForgeSshArgs;
  /** Static sites. @default none */
  pages?: ForgePagesArgs;
  /** Runner of CI jobs. @default none */
  runner?: ForgeRunnerArgs;
  /** Settings of the Admin area, mail and sign-in. @default the forge's own defaults; nobody may sign up */
  administration?: ForgeAdministrationArgs;
  /** Applications that sign on with the forge. @default none */
  applications?: ForgeApplicationArgs[];
  /** Scheduled backups. @default every night at 1; the last 7 are kept */
  backup?: ForgeBackupArgs;
  /** Pods. @default for the profile */
  replicas?: ForgeReplicasArgs;
  /** Resources. @default the least the images run well with */
  resources?: ForgeResourcesArgs;
  /** Size of the repositories' volume, with a binary suffix. If you raise it, the volume grows in place. @default 50Gi */
  repositorySize?: string;
  /** Storage class of this volume and of the scratch space; in a stack its `storageClass` unless it is set here. @default replicated-block */
  repositoryClass?: string;
  /** Stops web and job pods, so that nothing writes. Git store and toolbox keep running. @default false */
  maintenance?: boolean;
  /** Lets an upgrade skip minor versions up to the next required stop. The forge is down while it runs. @default false */
  downtime?: boolean;
  /** Network policies that allow exactly the connections the forge needs and deny all others. @default as the whole stack: with profile production */
  networkPolicies?: boolean;
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
