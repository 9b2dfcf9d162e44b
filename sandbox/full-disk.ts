import { statfs } from "node:fs/promises";

/** etcd reserves this much at a start, for its log (server/storage/wal: SegmentSizeBytes). */
const needed = 64 * 1024 ** 2;

/** What to say where the disk of a folder has no room for a start; undefined where it has. */
export async function fullDisk(folder: string): Promise<Error | undefined> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  // Some file systems have no fixed number of files, and say 0.
  const noFiles = files > 0 && ffree === 0;
  if (free >= needed && !noFiles) return undefined;
  const left = noFiles ? "no further file" : `${Math.floor(free / 1024 ** 2)} MB`;
  return new Error(
    `The disk is full: ${folder} has room for ${left}, and a start needs ${needed / 1024 ** 2} MB. Free some, then start again. "./hearth sandbox reset" deletes the sandbox with its content, and needs no room.`,
  );
}
