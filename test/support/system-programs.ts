import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program the tests run, and the Debian package it comes in. */
export interface SystemProgram {
  readonly program: string;
  readonly package: string;
}

const needed: readonly SystemProgram[] = [
  { program: "git", package: "git" },
  { program: "buildah", package: "buildah" },
  { program: "php", package: "php-cli" },
  { program: "redis-server", package: "redis-server" },
  { program: "fish", package: "fish" },
  { program: "zsh", package: "zsh" },
  { program: "ssh-keygen", package: "openssh-client" },
  { program: "ruby", package: "ruby" },
  { program: "s3cmd", package: "s3cmd" },
  { program: "docker-registry", package: "docker-registry" },
  { program: "nginx", package: "nginx-light" },
  { program: "postgres", package: "postgresql" },
  { program: "psql", package: "postgresql-client" },
  { program: "pgbouncer", package: "pgbouncer" },
];

/** Debian keeps PostgreSQL's own programs, a folder a major, off PATH. */
const postgresFolder = "/usr/lib/postgresql";

/** The needed programs that are not on PATH, nor in the folders of system programs. */
export function missingPrograms(path = process.env.PATH ?? ""): SystemProgram[] {
  return needed.filter(({ program }) => !find(program, path));
}

/** Path of a system program. @throws Error where it is not there */
export function systemProgram(program: string): string {
  const found = find(program, process.env.PATH ?? "");
  if (!found) throw new Error(`This machine has no ${program}: npm test says how to install it.`);
  return found;
}

function find(program: string, path: string): string | undefined {
  const majors = existsSync(postgresFolder) ? readdirSync(postgresFolder).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...majors.map((major) => join(postgresFolder, major, "bin")),
    ...path.split(delimiter),
    "/usr/sbin",
    "/sbin",
  ];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** The one command that installs `programs` on a Debian. */
export function aptLine(programs: readonly SystemProgram[]): string {
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
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
