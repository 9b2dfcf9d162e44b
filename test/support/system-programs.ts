import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program the tests run, the Debian package it comes in, and the test files that can't do without it. */
export interface SystemProgram {
  readonly program: string;
  readonly package: string;
  readonly files: readonly string[];
  /** A library that another program loads: it is named by its package, and is there when the package is. @default false */
  readonly isLibrary?: boolean;
}

const mail = "test/components/mail/mail.test.ts";
const suiteScripts = "test/components/cloudsuite/scripts.test.ts";
const suiteDatabase = "test/components/cloudsuite/check-database.test.ts";
const hubScripts = "test/components/hub/scripts/shell.test.ts";
const completion = "test/cli/completion.test.ts";
const hubRegistry = "test/e2e/hub-registry.test.ts";
const forgeKeystore = "test/components/forge/configuration/keystore.test.ts";
const keystoreFaults = "test/components/alerts/keystore-faults.test.ts";
const promtool = [
  "test/components/alerts/alerts.test.ts",
  "test/components/dashboards/dashboards.test.ts",
  "test/components/forge/metrics.test.ts",
  keystoreFaults,
  "test/components/alerts/service-faults.test.ts",
  "test/e2e/database-faults.test.ts",
];
const redis = [
  "test/components/stores/keystore/configuration.test.ts",
  "test/components/cloudsuite/keystore.test.ts",
  forgeKeystore,
  hubRegistry,
  "test/e2e/forge-configuration.test.ts",
  keystoreFaults,
];
const ruby = [
  ...["rails", "shell"].map((name) => `test/components/forge/scripts/${name}.test.ts`),
  ...["health", "queue-size"].map((name) => `test/components/forge/configuration/${name}.test.ts`),
  forgeKeystore,
  mail,
  ...["rails", "services", "text"].map((name) => `test/components/forge/configuration/${name}.test.ts`),
  "test/e2e/forge-configuration.test.ts",
];
const page = "test/e2e/page.test.ts";
const brokenStacks = "test/e2e/broken-stacks.test.ts";
const copying = ["private-store", "former-versions", "copies"].map((name) => `test/e2e/${name}.test.ts`);
const databases = "test/e2e/database-programs.test.ts";
const lostCluster = "test/safety/lost-cluster.test.ts";
const signOnScripts = "test/components/cloudsuite/sign-on-scripts.test.ts";
const drill = "test/safety/drill.test.ts";
const databaseFaults = "test/e2e/database-faults.test.ts";
const postgres = [databases, databaseFaults, "test/e2e/database-controllers.test.ts", lostCluster, drill];

/** One a line: pipelines read the packages' names from here. */
export const needed: readonly SystemProgram[] = [
  { program: "git", package: "git", files: ["test/ci/pull-requests.test.ts"] },
  { program: "buildah", package: "buildah", files: [hubRegistry, "test/webhook/image.test.ts"] },
  {
    program: "script",
    package: "bsdutils",
    files: ["confirm", "init/questions"].map((name) => `test/cli/${name}.test.ts`),
  },
  {
    program: "php",
    package: "php-cli",
    files: [suiteScripts, suiteDatabase, "test/components/cloudsuite/php.test.ts", signOnScripts, mail],
  },
  ...["php-symfony-mailer", "ruby-actionmailer"].map((name) => ({
    program: name,
    package: name,
    files: [mail],
    isLibrary: true,
  })),
  {
    program: "apache2",
    package: "apache2-bin",
    files: ["test/components/cloudsuite/request-workers.test.ts"],
  },
  { program: "redis-server", package: "redis-server", files: redis },
  { program: "fish", package: "fish", files: [completion] },
  { program: "zsh", package: "zsh", files: [completion] },
  {
    program: "age",
    package: "age",
    files: ["test/cli/kit/age.test.ts", "test/safety/recovery-kit.test.ts", lostCluster],
  },
  { program: "ssh-keygen", package: "openssh-client", files: ["test/sandbox/plugins/tls/tls.test.ts"] },
  { program: "ruby", package: "ruby", files: ruby },
  { program: "promtool", package: "prometheus", files: promtool },
  { program: "prometheus-redis-exporter", package: "prometheus-redis-exporter", files: [keystoreFaults] },
  { program: "rclone", package: "rclone", files: [...copying, suiteScripts, hubScripts, drill] },
  { program: "s3cmd", package: "s3cmd", files: ["test/components/forge/scripts/backup.test.ts"] },
  { program: "docker-registry", package: "docker-registry", files: [hubRegistry] },
  { program: "nginx", package: "nginx-light", files: ["test/components/hub/configuration/configuration.test.ts"] },
  { program: "postgres", package: "postgresql", files: postgres },
  { program: "psql", package: "postgresql-client", files: postgres },
  { program: "barman-cloud-backup", package: "barman-cli-cloud", files: [lostCluster, drill] },
  { program: "pgbouncer", package: "pgbouncer", files: [databases] },
  { program: "chromium", package: "chromium", files: [page, brokenStacks, "test/docs/site.test.ts"] },
];

/** Debian keeps PostgreSQL's own programs, a folder a major, off PATH. */
const postgresFolder = "/usr/lib/postgresql";

/** Test files that can't run without these programs, each with those it lacks. */
export function filesWithout(missing: readonly SystemProgram[]): ReadonlyMap<string, string[]> {
  const files = new Map<string, string[]>();
  for (const { program, files: users } of missing)
    for (const file of users) files.set(file, [...(files.get(file) ?? []), program]);
  return files;
}

/** The needed programs that are not on PATH, nor in the folders of system programs. */
export function missingPrograms(path = process.env.PATH ?? "", folders = systemFolders()): SystemProgram[] {
  return needed.filter(({ program, isLibrary }) =>
    isLibrary
      ? !folders.some((folder) => existsSync(join(folder, `${program}.list`)))
      : !find(program, [...folders, ...path.split(delimiter)]),
  );
}

/** Path of a system program. @throws Error where it is not there */
export function systemProgram(program: string): string {
  const found = find(program, [...systemFolders(), ...(process.env.PATH ?? "").split(delimiter)]);
  if (!found) throw new Error(`This machine has no ${program}: npm test says how to install it.`);
  return found;
}

/** Where Debian lists the files of each installed package. */
const packageFolder = "/var/lib/dpkg/info";

/** Folders with programs that Debian keeps off the PATH of a person; PostgreSQL's newest major comes first. The last one says which packages are installed. */
function systemFolders(): string[] {
  const majors = existsSync(postgresFolder) ? readdirSync(postgresFolder).sort((a, b) => Number(b) - Number(a)) : [];
  return [...majors.map((major) => join(postgresFolder, major, "bin")), "/usr/sbin", "/sbin", packageFolder];
}

function find(program: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** The one command that installs `programs` on a Debian. @param asRoot default: as this process */
export function aptLine(programs: readonly SystemProgram[], asRoot = process.getuid?.() === 0): string {
  const sudo = asRoot ? "" : "sudo ";
  return `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${programs.map((entry) => entry.package).join(" ")}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
