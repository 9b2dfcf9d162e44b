import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../stores/connections-args.ts";
import type { ForgeBuckets } from "./buckets.ts";
import type { ResolvedForge } from "./defaults.ts";

/**
 * What the forge's configuration files are rendered from. It holds no secret: the files read secrets where pods mount them (`secretFiles`),
 * at the start of the container, by ERB's `File.read` or gomplate's `file.Read`.
 */
export interface ForgeConfiguration {
  /** Namespace of the forge, for the internal addresses of its parts. */
  readonly namespace: string;
  /** Version of the forge, e.g. `18.9.1`. */
  readonly version: string;
  /** Public host, served on 443. */
  readonly domain: string;
  /** Git over SSH; absent: none. */
  readonly ssh?: ResolvedForge["ssh"];
  /** The SSH server is told the client's address by the PROXY protocol. */
  readonly clientAddress: boolean;
  /** Static sites; absent: none. */
  readonly pages?: ResolvedForge["pages"];
  /** Runner; absent: none. */
  readonly runner?: ForgeRunnerSettings;
  readonly database: DatabaseConnection;
  readonly keystore: KeystoreConnection;
  readonly objectStore: ObjectStoreConnection;
  /** Bucket of each use. */
  readonly buckets: ForgeBuckets;
  readonly administration: ResolvedForge["administration"];
  readonly privacy: ResolvedForge["platform"]["privacy"];
  /** Addresses (CIDR) of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
}

/** The runner. */
export interface ForgeRunnerSettings
  extends Pick<
    NonNullable<ResolvedForge["runner"]>,
    "jobNamespace" | "concurrent" | "defaultImage" | "tags" | "jobResources"
  > {
  /** Image that clones and stores for a job; absent: the runner's own choice, by the architecture it runs on. */
  readonly helperImage?: string;
  /** Image-pull Secrets in the jobs' namespace. */
  readonly pullSecrets: readonly string[];
  /** ServiceAccount of the job pods, in the jobs' namespace; it has no rights. */
  readonly jobServiceAccount: string;
}

/** Containers that have configuration files of their own. `toolbox` is also the container of the backup and the other Jobs. */
export const forgePrograms = [
  "webservice",
  "proxy",
  "jobs",
  "toolbox",
  "migrations",
  "gitstore",
  "shell",
  "pages",
  "runner",
] as const;
export type ForgeProgram = (typeof forgePrograms)[number];

/** Programs that are the forge's Rails application. */
export type RailsProgram = Extract<ForgeProgram, "webservice" | "jobs" | "toolbox" | "migrations">;

/** Where each program's configuration files are mounted; the image's entrypoint renders them from there. Those of the runner's script are rendered by it. */
export const configurationPaths: Readonly<Record<ForgeProgram, string>> = {
  webservice: "/var/opt/gitlab/templates",
  proxy: "/var/opt/gitlab/templates",
  jobs: "/var/opt/gitlab/templates",
  toolbox: "/var/opt/gitlab/templates",
  migrations: "/var/opt/gitlab/templates",
  gitstore: "/etc/gitaly/templates",
  shell: "/etc/gitlab-shell",
  pages: "/etc/gitlab-pages/templates",
  runner: "/templates",
};

/** Folder in which every program finds the secrets it reads, and only those. */
const secretsFolder: Readonly<Record<ForgeProgram, string>> = {
  webservice: "/etc/gitlab",
  proxy: "/etc/gitlab",
  jobs: "/etc/gitlab",
  toolbox: "/etc/gitlab",
  migrations: "/etc/gitlab",
  gitstore: "/etc/gitlab-secrets",
  shell: "/etc/gitlab-secrets",
  pages: "/etc/gitlab-secrets",
  runner: "/secrets",
};

/** Files that hold one secret value each, below the program's folder. */
export const secretFiles = {
  gitstoreToken: "gitaly/gitaly_token",
  shellSecret: "shell/.gitlab_shell_secret",
  proxySecret: "gitlab-workhorse/secret",
  pagesSecret: "pages/secret",
  railsSecrets: "rails-secrets/secrets.yml",
  databasePassword: "postgres/psql-password",
  keystorePassword: "redis/redis-password",
  objectStoreKeyId: "objectstorage/access-key-id",
  objectStoreKey: "objectstorage/secret-access-key",
  smtpPassword: "smtp/smtp-password",
  hostKeyRsa: "ssh/ssh_host_rsa_key",
  hostKeyEcdsa: "ssh/ssh_host_ecdsa_key",
  hostKeyEd25519: "ssh/ssh_host_ed25519_key",
  runnerToken: "runner/token",
} as const;
export type SecretFile = keyof typeof secretFiles;

const rails = ["gitstoreToken", "railsSecrets", "databasePassword", "keystorePassword"] as const;
const objectStore = ["objectStoreKeyId", "objectStoreKey"] as const;

/** The secret files that each program mounts; a file it does not mount must not be named in its configuration, or it can't start. */
const mountedFiles: Readonly<Record<ForgeProgram, readonly SecretFile[]>> = {
  webservice: [...rails, ...objectStore, "shellSecret", "proxySecret", "pagesSecret", "smtpPassword"],
  proxy: ["proxySecret", "keystorePassword", ...objectStore],
  jobs: [...rails, ...objectStore, "pagesSecret", "smtpPassword"],
  toolbox: [...rails, ...objectStore, "shellSecret", "pagesSecret", "smtpPassword"],
  migrations: [...rails, ...objectStore],
  gitstore: ["gitstoreToken", "shellSecret"],
  shell: ["shellSecret", "hostKeyRsa", "hostKeyEcdsa", "hostKeyEd25519"],
  pages: ["pagesSecret"],
  runner: ["runnerToken", ...objectStore],
};

/** Programs that mount the settings of external sign-in and the directories' passwords. */
const signOnPrograms: readonly ForgeProgram[] = ["webservice", "jobs", "toolbox"];

/** Whether `program` mounts the settings of external sign-in. */
export function readsSignOn(program: ForgeProgram): boolean {
  return signOnPrograms.includes(program);
}

/** The secret files `program` mounts under this configuration: no keystore password without one, no mail without a user, no pages without sites. */
export function mountedSecrets(program: ForgeProgram, configuration: ForgeConfiguration): SecretFile[] {
  const { keystore, administration, pages } = configuration;
  const absent = new Set<SecretFile>([
    ...(keystore.password ? [] : (["keystorePassword"] as const)),
    ...(administration.smtp?.password ? [] : (["smtpPassword"] as const)),
    ...(pages ? [] : (["pagesSecret"] as const)),
  ]);
  return mountedFiles[program].filter((file) => !absent.has(file));
}

/** Path of a secret file in `program`. @throws Error where the program never mounts it */
export function secretPath(program: ForgeProgram, file: SecretFile): string {
  if (!mountedFiles[program].includes(file)) throw new Error(`${program} does not mount ${secretFiles[file]}.`);
  return `${secretsFolder[program]}/${secretFiles[file]}`;
}

/** Folder of the secret files in `program`. */
export function secretsPath(program: ForgeProgram): string {
  return secretsFolder[program];
}

/** Path of an external sign-in provider's settings, below the folder of the secrets. */
export function signInFile(name: string): string {
  return `omniauth/${name}/provider`;
}

/** Path of a directory's password, below the folder of the secrets. */
export function ldapPasswordFile(name: string): string {
  return `ldap/${name}/password`;
}

/** Where the git store has its volume. */
export const repositoriesPath = "/home/git/repositories";

/** Folder of the git store's copies of repositories in the bucket of the backups. */
export const repositoriesFolder = "repositories";

/** Where the scripts of Jobs, CronJobs and start commands are mounted. */
export const scriptsPath = "/hearth/scripts";

/** Scripts in that folder, each a file of its own in `scripts/`. All run as the argument of the image's entrypoint, which renders the configuration first. */
export const scriptNames = {
  /** The toolbox's start: copies `s3cfg` to the home folder, then waits for commands. */
  toolbox: "start-toolbox.sh",
  /** The migrations' Job: waits for the stores, migrates; `SKIP_POST_DEPLOYMENT_MIGRATIONS` decides on the phase. */
  migrate: "migrate.sh",
  /** The scheduled backup, see `backupEnvironment`. */
  backup: "backup.sh",
  /** Restores a backup, called by an administrator in the toolbox. */
  restore: "restore.sh",
  /** Sets what administrators' settings say in the forge's database: its argument is `settingsPath`. */
  applySettings: "apply-settings.rb",
  /** The runner's start: waits for its token, writes its configuration from the templates to `runnerHome`, runs it. */
  runner: "start-runner.sh",
  registerApplication: "register-application.rb",
  createRunner: "create-runner.rb",
} as const;

/** File name of a script. */
export type ScriptName = (typeof scriptNames)[keyof typeof scriptNames];

/** Path of a script in the pods that run it. */
export function scriptPath(script: ScriptName): string {
  return `${scriptsPath}/${script}`;
}

/** Folder of the runner's own files, on an empty volume. */
export const runnerHome = "/home/gitlab-runner";

/** JSON file with the forge's own settings, in the Job that applies them. */
export const settingsPath = "/hearth/settings/settings.json";

/** Folder of the Secret with an application's `client-id` and `client-secret`, in the Job that registers it. */
export const applicationPath = "/hearth/application";

/** Environment of the Job that registers an application (`register-application.rb` by `gitlab-rails runner`). */
export const applicationEnvironment = {
  name: "APPLICATION_NAME",
  redirectUri: "APPLICATION_REDIRECT_URI",
  /** Separated by spaces. */
  scopes: "APPLICATION_SCOPES",
} as const;

/**
 * Environment of the Job that makes the runner (`create-runner.rb` by `gitlab-rails runner`). It writes the token into a key of a Secret that
 * exists, with the pod's ServiceAccount, which may get and patch that one Secret.
 */
export const runnerEnvironment = {
  description: "RUNNER_DESCRIPTION",
  /** Separated by commas; absent: none. */
  tags: "RUNNER_TAGS",
  namespace: "RUNNER_SECRET_NAMESPACE",
  secret: "RUNNER_SECRET_NAME",
  key: "RUNNER_SECRET_KEY",
} as const;

/** Environment of the backup (`backup.sh`), beside the buckets' names as the toolbox's tool wants them. */
export const backupEnvironment = {
  /** Number of archives to keep. */
  keep: "BACKUP_KEEP",
  /** Where repositories are backed up: `ForgeBackupArgs.repositories`. */
  repositories: "BACKUP_REPOSITORIES",
  /** Whether the archive holds the objects: `true` or `false`. */
  objects: "BACKUP_OBJECTS",
  /** `repositoriesFolder`, also in the toolbox. */
  folder: "REPOSITORIES_FOLDER",
} as const;
