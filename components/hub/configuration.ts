import type { Resolved } from "../core/resolve.ts";
import type { HubAccess } from "./args.ts";
import type { hubRetentionRule } from "./schema.ts";

/**
 * What the hub's programs share of their configuration; each program's own stands in `configuration/`. None of it holds a secret: secrets
 * come as the variables of `secretVariables`, which stand before the rest, so that a rendered variable can have them inside as `$(NAME)`,
 * which the kubelet fills in.
 */

/** The state that the settings Job establishes in a running hub through its API: `settingsFile`, as JSON. */
export interface HubSettings {
  readonly garbageCollection: { readonly schedule: string; readonly deleteUntagged: boolean };
  /** Absent: the hub purges nothing. `parameters` are those of the hub's purge job, by its own names. */
  readonly auditLogPurge?: { readonly schedule: string; readonly parameters: AuditLogPurge };
  /** Bytes that `library`, which every hub has, may hold, or -1 for no limit; absent where it is one of the projects. */
  readonly libraryQuota?: number;
  readonly projects: readonly ProjectSettings[];
  readonly robots: readonly RobotSettings[];
}

/** What the hub deletes of its audit log. */
export type AuditLogPurge = Readonly<Record<string, string | number | boolean>>;

/** A project as it shall be. */
export interface ProjectSettings {
  readonly name: string;
  readonly public: boolean;
  /** Bytes, or -1 for no limit. */
  readonly storageQuota: number;
  /** Absent: a project has none, and a cache what it has: the hub's own of seven days, or one made by hand. */
  readonly retention?: { readonly schedule: string; readonly rules: readonly RetentionRule[] };
  /** Absent: a project of its own images. */
  readonly proxyCache?: {
    readonly kind: string;
    readonly url: string;
    /** Signs in with the password in the file `proxyCachePassword(name)`; absent: anonymous. */
    readonly user?: string;
    /** Revision of the password's Secret: with another one the hub is given the password again. Absent where there is no user. */
    readonly passwordRevision?: number;
  };
}

/** A rule of what stays, of which one count is set. */
export type RetentionRule = Resolved<typeof hubRetentionRule>;

/** A robot as it shall be; its password is in the file `robotPassword(name)`. */
export interface RobotSettings {
  readonly name: string;
  readonly projects: readonly string[];
  readonly access: HubAccess;
}

/** Variables that hold secrets; a pod has those it needs. */
export const secretVariables = {
  coreSecret: "CORE_SECRET",
  jobserviceSecret: "JOBSERVICE_SECRET",
  csrfKey: "CSRF_KEY",
  administratorPassword: "HARBOR_ADMIN_PASSWORD",
  databasePassword: "POSTGRESQL_PASSWORD",
  /** Alphanumerics, which need no escape in a URL. Absent where the keystore asks for none. */
  keystorePassword: "KEYSTORE_PASSWORD",
  /** The same for the registry, which reads it by itself. */
  registryKeystorePassword: "REGISTRY_REDIS_PASSWORD",
  registryUser: "REGISTRY_CREDENTIAL_USERNAME",
  registryPassword: "REGISTRY_CREDENTIAL_PASSWORD",
  registryHttpSecret: "REGISTRY_HTTP_SECRET",
  objectStoreKeyId: "REGISTRY_STORAGE_S3_ACCESSKEY",
  objectStoreKey: "REGISTRY_STORAGE_S3_SECRETKEY",
  clientId: "OIDC_CLIENT_ID",
  clientSecret: "OIDC_CLIENT_SECRET",
} as const;

/** Files at the paths where the images look for them. */
export const hubFiles = {
  core: "/etc/core/app.conf",
  /** Key of the encrypted credentials: 16 characters, 24 or 32. */
  encryptionKey: "/etc/core/key",
  tokenKey: "/etc/core/private_key.pem",
  registry: "/etc/registry/config.yml",
  /** The internal user's htpasswd line. */
  registryUsers: "/etc/registry/passwd",
  registryController: "/etc/registryctl/config.yml",
  jobservice: "/etc/jobservice/config.yml",
  portal: "/etc/nginx/nginx.conf",
} as const;

/** Scripts of the hub's pods and Jobs, files in `scripts/`, mounted in `scriptsPath`. */
export const scriptNames = {
  /** `sh`, image of core: checks the form of the keys, then migrates. */
  migrate: "migrate.sh",
  /** `sh`, image of rclone: copies the encryption key to the bucket of the backups. */
  copyKey: "copy-key.sh",
  /** `sh`, image of the jobs: waits until core answers. */
  waitForCore: "wait-for-core.sh",
  /** `node`, the Jobs' own image, without packages: applies `HubSettings` by the files below. */
  applySettings: "apply-settings.ts",
  applyProjects: "apply-projects.ts",
  applyRobots: "apply-robots.ts",
  hubApi: "hub-api.ts",
} as const;

/** Folder of the scripts. */
export const scriptsPath = "/scripts";

/** The settings file of `applySettings`. */
export const settingsFile = "/settings/settings.json";

/** Folder of the secret files of `applySettings`. */
export const settingsSecrets = "/secrets";

/** Below `settingsSecrets`: the administrator's password. */
export const administratorPassword = "administrator";

/** Below `settingsSecrets`: the password of a robot, which has an upper-case letter, a lower-case letter and a digit. */
export function robotPassword(robot: string): string {
  return `robots/${robot}`;
}

/** Below `settingsSecrets`: the password for the registry that a project is a cache of. */
export function proxyCachePassword(project: string): string {
  return `proxy-caches/${project}`;
}
