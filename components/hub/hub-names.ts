import { names } from "../catalogue/names.ts";

const { core, registry, jobservice } = names.hub;

/** Names of the hub's objects beside those of the specification. */
export const hubNames = {
  ...names.hub,
  /** Configuration of the sidecar of the registry's pods. */
  registryController: `${registry}-controller`,
  /** Signs in with tokens of the forge. */
  signIn: "hub-sign-in",
  migrations: "hub-migrations",
  settings: "hub-settings",
  /** Copies the encryption key to the bucket of the backups. */
  keyBackup: "hub-key-backup",
  scripts: "hub-scripts",
  alerts: "hub-alerts",
  /** Secret with which the hub's own parts authenticate to core. */
  coreSecret: `${core}-secret`,
  jobserviceSecret: `${jobservice}-secret`,
  registryHttpSecret: `${registry}-http-secret`,
  /** The registry's internal user, which core and jobs sign in as. */
  registryUser: `${registry}-user`,
  /** Encrypts credentials in the database. */
  encryptionKey: "hub-encryption-key",
  csrfKey: "hub-csrf-key",
  /** Signs the tokens of docker's clients. */
  tokenKey: "hub-token-key",
  administrator: "hub-admin",
  toHttps: "hub-to-https",
  /** What the names of the limits of `/service/token` begin with. */
  tokenRoute: "hub-token",
  strictTransport: "hub-strict-transport",
} as const;

/** Name of the Secret with a robot's name and password. */
export function robotSecret(robot: string): string {
  return `hub-robot-${robot}`;
}

/** The hub's Secrets beside those of its stores and its robots. */
export const hubSecrets: readonly string[] = [
  hubNames.coreSecret,
  hubNames.jobserviceSecret,
  hubNames.registryHttpSecret,
  hubNames.registryUser,
  hubNames.encryptionKey,
  hubNames.csrfKey,
  hubNames.tokenKey,
  hubNames.administrator,
];

/** The hub's workloads, whose pods `platform.workloads` may set. */
export const hubWorkloads: readonly string[] = [
  core,
  registry,
  jobservice,
  hubNames.portal,
  hubNames.signIn,
  hubNames.migrations,
  hubNames.settings,
  hubNames.keyBackup,
];

/** The project that every hub has. */
export const firstProject = "library";
