import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Who holds the lock of a stack. */
export interface StateLock {
  readonly file: string;
  readonly pid: number;
  readonly host: string;
  /** Whether the process is one of this machine that has ended. */
  readonly stale: boolean;
}

/** A stack in a backend that is a folder of this machine. What a killed Pulumi leaves in others, Pulumi itself names there. */
export interface FileBackend {
  readonly folder: string;
  /** The project's name in Pulumi.yaml. */
  readonly project: string;
  readonly stack: string;
}

/** The folder of a backend; undefined where it is none of this machine. @param url as `pulumi whoami --json` gives it */
export function backendFolder(url: string): string | undefined {
  return url.startsWith("file://") ? join(fileURLToPath(url), ".pulumi") : undefined;
}

/** The locks of a stack: a killed Pulumi leaves its own behind. */
export function locksOf({ folder, project, stack }: FileBackend): StateLock[] {
  const locks = join(folder, "locks/organization", project, stack);
  return filesIn(locks).flatMap((name) => readLock(join(locks, name)));
}

/**
 * Removes what was noted about the state's file (its type and checksum) where a kill left that half written: Pulumi can't
 * read the state for it, and does without. The state itself is written whole or not at all.
 * @returns whether there was such a note
 */
export function removeTornNote(backend: FileBackend): boolean {
  const isTorn = hasTornNote(backend);
  if (isTorn) rmSync(noteOf(backend));
  return isTorn;
}

/** Whether the last update had begun what it did not end, or its state's file can't be read. */
export function wasKilled(backend: FileBackend): boolean {
  const state = stateOf(backend);
  return existsSync(state) && (hasTornNote(backend) || readFileSync(state, "utf8").includes('"pending_operations":[{'));
}

/** Whether objects were recorded by a sandbox that left out what they were sent. */
export function lacksInputs(backend: FileBackend): boolean {
  const state = stateOf(backend);
  if (!existsSync(state)) return false;
  const text = readFileSync(state, "utf8");
  return text.includes('"__fieldManager"') && !text.includes('"__inputs"');
}

/** Whether the last operation on the stack failed: then it may have made what its state does not know. */
export function lastFailed({ folder, project, stack }: FileBackend): boolean {
  const history = join(folder, "history", project, stack);
  // Their names end in the time.
  const last = filesIn(history)
    .filter((name) => name.endsWith(".history.json"))
    .sort()
    .at(-1);
  return last !== undefined && /"result":\s*"failed"/.test(readFileSync(join(history, last), "utf8"));
}

const stateOf = ({ folder, project, stack }: FileBackend) => join(folder, "stacks", project, `${stack}.json`);
const noteOf = (backend: FileBackend) => `${stateOf(backend)}.attrs`;

function hasTornNote(backend: FileBackend): boolean {
  const note = noteOf(backend);
  return existsSync(note) && !isJson(readFileSync(note, "utf8"));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Removes a lock. */
export function release({ file }: StateLock): void {
  rmSync(file, { force: true });
}

/**
 * Removes what a killed Pulumi leaves in the way of every later operation: the stack's lock, for which it would ask for
 * `pulumi cancel`, and a torn note.
 */
export function releaseStale(backend: FileBackend): void {
  const stale = locksOf(backend).filter((lock) => lock.stale);
  stale.forEach(release);
  if (stale.length > 0) removeTornNote(backend);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** The backend writes pid, host, user and time into a lock: pulumi/pulumi pkg/backend/diy/lock.go. */
function readLock(file: string): StateLock[] {
  try {
    const { pid, hostname: host } = JSON.parse(readFileSync(file, "utf8")) as { pid: number; hostname: string };
    return [{ file, pid, host, stale: host === hostname() && !isPulumi(pid) }];
  } catch {
    // Half-written, or gone this moment: Pulumi itself says what is wrong with it.
    return [];
  }
}

/** Whether the process runs, and is Pulumi: an id is given again after a while. Where that can't be told it is taken for it. */
function isPulumi(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    return /^pulumi( \(deleted\))?$/.test(basename(readlinkSync(`/proc/${pid}/exe`)));
  } catch {
    return !isZombie(pid);
  }
}

/** Whether the process has ended, and keeps its id until somebody waits for it: in a container without an init nobody does. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
