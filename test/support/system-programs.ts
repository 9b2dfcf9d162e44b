import { accessSync, constants } from "node:fs";
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
  { program: "ssh-keygen", package: "openssh-client" },
  { program: "ruby", package: "ruby" },
  { program: "s3cmd", package: "s3cmd" },
  { program: "docker-registry", package: "docker-registry" },
  { program: "nginx", package: "nginx-light" },
];

/** The needed programs that are not on PATH, nor in the folders of system programs. */
export function missingPrograms(path = process.env.PATH ?? ""): SystemProgram[] {
  const folders = [...path.split(delimiter), "/usr/sbin", "/sbin"];
  return needed.filter(({ program }) => !folders.some((folder) => isExecutable(join(folder, program))));
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
