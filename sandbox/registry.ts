import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ProcessIdentity, startDetached } from "./detached-process.ts";
import type { SandboxPaths } from "./paths.ts";
import type { Programs } from "./programs/programs.ts";
import type { SandboxRecord } from "./record.ts";

export function registryHealth(record: SandboxRecord): string {
  return `http://127.0.0.1:${record.ports.registry}/v2/`;
}

/** Starts the image registry. */
export async function startRegistry(
  paths: SandboxPaths,
  programs: Programs,
  record: SandboxRecord,
): Promise<ProcessIdentity> {
  await mkdir(paths.registry, { recursive: true, mode: 0o700 });
  return startDetached({
    program: programs.crane,
    args: ["registry", "serve", "--address", `127.0.0.1:${record.ports.registry}`, "--disk", paths.registry],
    env: { PATH: process.env.PATH, HOME: paths.folder },
    cwd: paths.registry,
    log: join(paths.logs, "registry.log"),
  });
}
