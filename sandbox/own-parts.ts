import { join } from "node:path";
import { contentHash } from "./content-hash.ts";
import { type ProcessIdentity, startDetached } from "./detached-process.ts";
import { sandboxEnvironment } from "./environment.ts";
import { accepts, isHealthy } from "./health.ts";
import { objectStorageHealth, startObjectStorage } from "./object-storage.ts";
import { checkout, type SandboxPaths } from "./paths.ts";
import { pluginNames } from "./plugins/names.ts";
import { type PortName, pluginAddresses } from "./ports.ts";
import type { OwnPart, SandboxRecord } from "./record.ts";
import { registryHealth, startRegistry } from "./registry.ts";
import type { Sandbox } from "./started-sandbox.ts";

/** A part that our own code starts, as a process of its own. */
export interface OwnPartDefinition {
  readonly name: OwnPart;
  /** For people. */
  readonly label: string;
  /** Where it listens. */
  readonly ports: readonly PortName[];
  /** Whether it uses the servers, and is started anew when one of them is. */
  readonly usesServers?: boolean;
  /** Hash of the code of this checkout that it runs. If that code changes, the process is started anew. */
  readonly code?: () => Promise<string>;
  readonly isHealthy: (record: SandboxRecord) => Promise<boolean>;
  readonly log: (paths: SandboxPaths) => string;
  readonly start: (sandbox: Sandbox) => Promise<ProcessIdentity>;
}

/** In the order they are started. */
export const ownParts: readonly OwnPartDefinition[] = [
  {
    name: "object-storage",
    label: "object storage",
    ports: ["object-storage"],
    isHealthy: (record) => isHealthy(objectStorageHealth(record)),
    log: (paths) => join(paths.logs, "object-storage.log"),
    start: ({ paths, programs, record }) => startObjectStorage(paths, programs, record),
  },
  {
    name: "registry",
    label: "registry",
    ports: ["registry"],
    isHealthy: (record) => isHealthy(registryHealth(record)),
    log: (paths) => join(paths.logs, "registry.log"),
    start: ({ paths, programs, record }) => startRegistry(paths, programs, record),
  },
  {
    name: "plugins",
    label: "provider plugins",
    ports: pluginNames.map((name) => `plugin-${name}` as const),
    usesServers: true,
    code: () => contentHash(["sandbox/plugins", "sandbox/kubernetes", "package-lock.json"]),
    isHealthy: async ({ ports }) =>
      (await Promise.all(pluginNames.map((name) => accepts(ports[`plugin-${name}`])))).every(Boolean),
    log: (paths) => join(paths.logs, "plugins.log"),
    start: (sandbox) => startOwn(sandbox, "plugins", pluginAddresses(sandbox.record.ports)),
  },
  {
    name: "operators",
    label: "operators",
    ports: [],
    usesServers: true,
    isHealthy: async () => true,
    log: (paths) => join(paths.logs, "operators.log"),
    start: (sandbox) => startOwn(sandbox, "operators"),
  },
];

/** Starts `main.ts` of a folder beside this file. */
function startOwn(sandbox: Sandbox, folder: "operators" | "plugins", args: string[] = []): Promise<ProcessIdentity> {
  return startDetached({
    program: process.execPath,
    args: [join(import.meta.dirname, folder, "main.ts"), ...args],
    env: { ...process.env, ...sandboxEnvironment(sandbox) },
    cwd: checkout,
    log: join(sandbox.paths.logs, `${folder}.log`),
  });
}
