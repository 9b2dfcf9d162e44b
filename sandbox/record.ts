import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { ProcessIdentity } from "./detached-process.ts";
import type { SandboxPaths } from "./paths.ts";
import type { Ports } from "./ports.ts";

/** The processes that our own code starts; kwokctl keeps those of the control plane. */
export type OwnPart = "object-storage" | "registry" | "plugins" | "operators" | "site-webhook" | "page";

/** Data that a sandbox keeps from one start to the next. The file is readable by its owner only. */
export interface SandboxRecord {
  readonly version: 1;
  readonly ports: Ports;
  /** Root credentials of the S3 server, generated once. */
  readonly s3: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Passphrase of Pulumi's secrets in the sandbox's state, generated once. */
  readonly passphrase: string;
  /** Last known process of each part; it may be long gone: ask `isRunning`. */
  readonly processes: Readonly<Partial<Record<OwnPart, ProcessIdentity>>>;
  /** Hash of the code that a part of our own runs. */
  readonly code?: Readonly<Partial<Record<OwnPart, string>>>;
}

/** A record for a sandbox that never ran. */
export function newRecord(ports: Ports): SandboxRecord {
  return {
    version: 1,
    ports,
    s3: {
      accessKeyId: randomBytes(10).toString("hex").toUpperCase(),
      secretAccessKey: randomBytes(30).toString("base64url"),
    },
    passphrase: randomBytes(24).toString("base64url"),
    processes: {},
  };
}

/**
 * Reads the record.
 * @returns undefined when the sandbox never ran
 * @throws when the file is there and cannot be understood
 */
export async function readRecord(paths: SandboxPaths): Promise<SandboxRecord | undefined> {
  let text: string;
  try {
    text = await readFile(paths.record, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const record = parse(text);
  if (record?.version !== 1)
    throw new Error(
      `${paths.record} is damaged or of another version: run "./hearth sandbox reset" to start from scratch.`,
    );
  return record;
}

/** Writes the record in one step, so that an interrupted start leaves the old one or the new one. */
export async function writeRecord(paths: SandboxPaths, record: SandboxRecord): Promise<void> {
  const temporary = `${paths.record}.new`;
  await writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(temporary, paths.record);
}

function parse(text: string): SandboxRecord | undefined {
  try {
    return JSON.parse(text) as SandboxRecord;
  } catch {
    return undefined;
  }
}
