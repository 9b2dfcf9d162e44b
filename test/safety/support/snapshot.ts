import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { startSandbox, stopSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";

/** What is in a sandbox: etcd, the objects of its buckets, images, and Pulumi's state with its history. */
const kept = ["etcd", "objects", "registry", "pulumi-state"];

/** The content of a sandbox at one moment, in a folder of its own. */
export class Snapshot {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Of the tests' sandbox, which stands still meanwhile. */
  static async take(): Promise<Snapshot> {
    const folder = await mkdtemp(join(tmpdir(), "hearth-snapshot-"));
    await stopSandbox();
    await copy(sandboxPaths().folder, folder);
    await startSandbox(undefined, createProgress());
    return new Snapshot(folder);
  }

  /** Makes the sandbox what it was. */
  async restore(): Promise<void> {
    await stopSandbox();
    for (const name of kept) await rm(join(sandboxPaths().folder, name), { recursive: true, force: true });
    await copy(this.#folder, sandboxPaths().folder);
    await startSandbox(undefined, createProgress());
  }

  delete(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}

/** With the extended attributes, in which the S3 server keeps what it knows of an object. */
async function copy(from: string, to: string): Promise<void> {
  for (const name of kept) {
    await mkdir(join(from, name), { recursive: true });
    await execa("cp", ["-a", join(from, name), to]);
  }
}
