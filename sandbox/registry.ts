import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProcessIdentity, startDetached } from "./detached-process.ts";
import type { SandboxPaths } from "./paths.ts";
import type { Programs } from "./programs/programs.ts";
import type { SandboxRecord } from "./record.ts";

export function registryHealth(record: SandboxRecord): string {
  return `http://127.0.0.1:${record.ports.registry}/v2/`;
}

/** Starts the image registry, distribution's; it keeps images in a folder and asks nobody who they are. */
export async function startRegistry(
  paths: SandboxPaths,
  programs: Programs,
  record: SandboxRecord,
): Promise<ProcessIdentity> {
  const images = join(paths.registry, "images");
  const file = join(paths.registry, "config.json");
  await mkdir(images, { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(configuration(images, record.ports.registry), undefined, 2), { mode: 0o600 });
  return startDetached({
    program: programs.registry,
    args: ["serve", file],
    // Without the variable it would send traces to a collector on this machine, and complain that none is there.
    env: { PATH: process.env.PATH, HOME: paths.folder, OTEL_TRACES_EXPORTER: "none" },
    cwd: paths.registry,
    log: join(paths.logs, "registry.log"),
  });
}

/** Configuration of distribution 3 (its docs/content/about/configuration.md); JSON is YAML too. */
function configuration(images: string, port: number) {
  return {
    version: "0.1",
    log: { level: "info", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: images }, delete: { enabled: true } },
    http: { addr: `127.0.0.1:${port}` },
  };
}
