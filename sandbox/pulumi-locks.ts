import { readFileSync, readlinkSync } from "node:fs";
import { glob, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { identify } from "./detached-process.ts";

/**
 * Removes the locks of stacks whose Pulumi was killed before it could: a file backend's locks outlive their holder, and
 * every later operation would ask for `pulumi cancel`. Locks of a Pulumi that runs stay, as do those of other hosts.
 * @param state folder of the file backend
 */
export async function removeStaleLocks(state: string): Promise<void> {
  for await (const file of glob(join(state, ".pulumi", "locks", "**", "*.json")))
    if (isStale(file)) await rm(file, { force: true });
}

/** The backend writes pid, host, user and time into a lock: pulumi/pulumi pkg/backend/diy/lock.go. */
function isStale(file: string): boolean {
  try {
    const { pid, hostname: host } = JSON.parse(readFileSync(file, "utf8"));
    return (
      host === hostname() && (identify(pid) === undefined || basename(readlinkSync(`/proc/${pid}/exe`)) !== "pulumi")
    );
  } catch {
    // Half-written, or gone this moment: Pulumi itself says what is wrong with it.
    return false;
  }
}
