import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rename, rm, stat, statfs, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const unusedFor = 30 * 24 * 60 * 60 * 1_000;
const partial = ".partial-";

/**
 * Key of what is built from `files`: the same when nothing that shapes the result differs.
 * @param files paths of the sources; their folder does not count, their names do
 * @param recipe everything else that shapes the result, as JSON
 * @returns 16 hexadecimal digits
 */
export async function cacheKey(files: readonly string[], recipe: unknown): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(recipe));
  for (const file of files) hash.update(`\0${basename(file)}\0`).update(await readFile(file));
  return hash.digest("hex").slice(0, 16);
}

/** Whether `entry` is there; marks it as used today. What is there is complete, since it came by a rename. */
export async function isCached(entry: string): Promise<boolean> {
  const now = new Date();
  return utimes(entry, now, now).then(
    () => true,
    () => false,
  );
}

/**
 * Makes `entry`: `build` fills a folder beside it, which then gets the entry's name. A failed or stopped build leaves
 * nothing. Call it while you have the lock.
 * @throws Error where the build fails
 */
export async function makeEntry(entry: string, build: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(dirname(entry), partial));
  try {
    await build(folder);
    await rename(folder, entry);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Deletes what killed builds left, and entries of the programs called `names` that nobody has used for 30 days.
 * Call it while you have the lock, after {@link isCached} has marked the ones in use.
 */
export async function tidy(folder: string, names: readonly string[]): Promise<void> {
  for (const child of await readdir(folder)) {
    const isEntry = names.some((name) => new RegExp(`^${name}-[0-9a-f]{16}$`).test(child));
    const path = join(folder, child);
    const old = isEntry && (await stat(path)).mtimeMs < Date.now() - unusedFor;
    if (old || child.startsWith(partial)) await rm(path, { recursive: true, force: true });
  }
}

/** Free space below a folder that may not exist yet. */
export interface FreeSpace {
  /** Which file system, so that two folders of one are added up. */
  readonly fileSystem: number;
  readonly bytes: number;
}

/** @param folder the nearest parent that exists is looked at. @throws Error where it can't be read */
export async function freeSpace(folder: string): Promise<FreeSpace> {
  try {
    const [{ dev }, { bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
    return { fileSystem: dev, bytes: bavail * bsize };
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return freeSpace(dirname(folder));
  }
}

/**
 * Throws one sentence when a file system has less room than is needed on it.
 * @param needs folder → megabytes
 */
export async function requireSpace(
  needs: Readonly<Record<string, number>>,
  look: (folder: string) => Promise<FreeSpace> = freeSpace,
): Promise<void> {
  const byFileSystem = new Map<number, { free: number; needed: number; folders: string[] }>();
  for (const [folder, megabytes] of Object.entries(needs)) {
    const { fileSystem, bytes } = await look(folder);
    const sum = byFileSystem.get(fileSystem) ?? { free: bytes, needed: 0, folders: [] };
    sum.needed += megabytes * 1e6;
    sum.folders.push(folder);
    byFileSystem.set(fileSystem, sum);
  }
  for (const { free, needed, folders } of byFileSystem.values())
    if (free < needed)
      throw new Error(
        `Building the sandbox's programs takes ${size(needed)} of disk space in ${folders.join(", ")}, and ` +
          `${size(free)} is free: make room and run the same command again.`,
      );
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
