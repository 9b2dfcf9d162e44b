import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, join } from "node:path";

/** The checkout this sandbox belongs to: the folder that holds `Pulumi.yaml`. */
export const checkout = join(import.meta.dirname, "..");

/** Context name in the sandbox's kubeconfig; stack `dev` names it, so that another kubeconfig fails instead of being changed. */
export const kubeContext = "hearth-sandbox";

/** Built programs, shared by every checkout of this user. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hearth");

/** The files and folders of one sandbox. All of them lie outside the checkout, since Pulumi's language host walks the checkout. */
export interface SandboxPaths {
  /** `dev` is the one a person uses; tests use others. */
  readonly name: string;
  /** Everything below is in this folder; `reset` deletes it. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** kwokctl's work folder (KWOK_WORKDIR). */
  readonly controlPlane: string;
  /** Root of the S3 server's files. */
  readonly objects: string;
  /** Root of the image registry's files. */
  readonly registry: string;
  readonly pulumiHome: string;
  /** Pulumi's file backend. */
  readonly pulumiState: string;
  /** Private copies of Pulumi.yaml and the stack files, so that a run leaves the work tree clean. */
  readonly pulumiProject: string;
  readonly logs: string;
  /** Ports, credentials and process ids: see `record.ts`. */
  readonly record: string;
}

/**
 * Paths of the sandbox called `name`.
 * @param name lower-case letters, digits and dashes; default: `$HEARTH_SANDBOX`, else `dev`
 * @throws Error for another name
 */
export function sandboxPaths(name = process.env.HEARTH_SANDBOX || "dev"): SandboxPaths {
  if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(name))
    throw new Error(`"${name}" is not a sandbox name: use lower-case letters, digits and dashes, at most 31.`);
  const state = join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "hearth");
  const id = `${basename(checkout)}-${createHash("sha256").update(checkout).digest("hex").slice(0, 8)}`;
  const folder = join(state, id, name);
  return {
    name,
    folder,
    kubeconfig: join(folder, "kubeconfig"),
    controlPlane: join(folder, "control-plane"),
    objects: join(folder, "objects"),
    registry: join(folder, "registry"),
    pulumiHome: join(folder, "pulumi-home"),
    pulumiState: join(folder, "pulumi-state"),
    pulumiProject: join(folder, "pulumi-project"),
    logs: join(folder, "logs"),
    record: join(folder, "sandbox.json"),
  };
}
