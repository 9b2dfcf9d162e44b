import { join } from "node:path";
import { type ProcessIdentity, startDetached } from "./detached-process.ts";
import { sandboxEnvironment } from "./environment.ts";
import { isHealthy } from "./health.ts";
import { objectStorageHealth, startObjectStorage } from "./object-storage.ts";
import { checkout, type SandboxPaths } from "./paths.ts";
import type { PortName } from "./ports.ts";
import type { OwnPart, SandboxRecord } from "./record.ts";
import { registryHealth, startRegistry } from "./registry.ts";
import type { Sandbox } from "./started-sandbox.ts";

/** A part that our own code starts, as a process of its own. */
export interface OwnPartDefinition {
  readonly name: OwnPart;
  /** For people. */
  readonly label: string;
  /** Undefined for a part that listens nowhere. */
  readonly port?: PortName;
  readonly isHealthy: (record: SandboxRecord) => Promise<boolean>;
  readonly log: (paths: SandboxPaths) => string;
  readonly start: (sandbox: Sandbox) => Promise<ProcessIdentity>;
}

/** In the order they are started. */
export const ownParts: readonly OwnPartDefinition[] = [
  {
    name: "object-storage",
    label: "object storage",
    port: "object-storage",
    isHealthy: (record) => isHealthy(objectStorageHealth(record)),
    log: (paths) => join(paths.logs, "object-storage.log"),
    start: ({ paths, programs, record }) => startObjectStorage(paths, programs, record),
  },
  {
    name: "registry",
    label: "registry",
    port: "registry",
    isHealthy: (record) => isHealthy(registryHealth(record)),
    log: (paths) => join(paths.logs, "registry.log"),
    start: ({ paths, programs, record }) => startRegistry(paths, programs, record),
  },
  {
    name: "operators",
    label: "operators",
    isHealthy: async () => true,
    log: (paths) => join(paths.logs, "operators.log"),
    start: startOperators,
  },
];

/** Starts the stand-ins for the operators: see `operators/main.ts`. */
function startOperators(sandbox: Sandbox): Promise<ProcessIdentity> {
  return startDetached({
    program: process.execPath,
    args: [join(import.meta.dirname, "operators", "main.ts")],
    env: { ...process.env, ...sandboxEnvironment(sandbox) },
    cwd: checkout,
    log: join(sandbox.paths.logs, "operators.log"),
  });
}
