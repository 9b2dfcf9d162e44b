import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ProcessIdentity, startDetached } from "./detached-process.ts";
import type { SandboxPaths } from "./paths.ts";
import type { Programs } from "./programs/programs.ts";
import type { SandboxRecord } from "./record.ts";

/** The S3 server's region: a server of this kind has one, and it must be the one stack `dev` signs its requests for. */
export const region = "fsn1";

/** Health endpoint of the S3 server; a bucket of this name could not exist, for `_` is not allowed in one. */
const healthPath = "/_health";

export function objectStorageHealth(record: SandboxRecord): string {
  return `http://127.0.0.1:${record.ports["object-storage"]}${healthPath}`;
}

/** Starts versitygw over two folders: current objects, and the older versions of those in versioned buckets. */
export async function startObjectStorage(
  paths: SandboxPaths,
  programs: Programs,
  record: SandboxRecord,
): Promise<ProcessIdentity> {
  const current = join(paths.objects, "current");
  const versions = join(paths.objects, "versions");
  for (const folder of [current, versions]) await mkdir(folder, { recursive: true, mode: 0o700 });
  return startDetached({
    program: programs.versitygw,
    args: [
      ...[
        "--port",
        `127.0.0.1:${record.ports["object-storage"]}`,
        "--region",
        region,
        "--health",
        healthPath,
        "--quiet",
      ],
      ...["posix", "--versioning-dir", versions, current],
    ],
    // Credentials as environment: arguments are there for everyone to read.
    env: {
      PATH: process.env.PATH,
      ROOT_ACCESS_KEY_ID: record.s3.accessKeyId,
      ROOT_SECRET_ACCESS_KEY: record.s3.secretAccessKey,
    },
    cwd: paths.objects,
    log: join(paths.logs, "object-storage.log"),
  });
}
