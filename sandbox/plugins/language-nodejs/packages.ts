import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** Fields of a package.json that this host reads. */
interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly pulumi?: {
    readonly resource?: boolean;
    readonly name?: string;
    readonly version?: string;
    readonly server?: string;
  };
}

/** A Pulumi plugin that an installed package needs. */
export interface RequiredPlugin {
  readonly name: string;
  /** With its `v`. */
  readonly version: string;
  /** Where the engine may download it; empty: the default place. */
  readonly server: string;
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

/**
 * The plugins of the SDKs installed below `programDirectory`, nested policy packs left out. The official host opens every
 * folder there is; this one knows the layout of node_modules and finds the same packages sooner.
 */
export function requiredPlugins(programDirectory: string): RequiredPlugin[] {
  const plugins = new Map<string, RequiredPlugin>();
  for (const { name, version, pulumi } of installedManifests(programDirectory)) {
    if (!pulumi?.resource) continue;
    const plugin = pulumi.name || (name?.startsWith("@pulumi/") ? name.slice("@pulumi/".length) : undefined);
    const wanted = pulumi.version || version;
    if (!plugin || !wanted) continue;
    const required = { name: plugin, version: `v${wanted.replace(/^v/, "")}`, server: pulumi.server ?? "" };
    plugins.set(`${required.name} ${required.version}`, required);
  }
  return [...plugins.values()];
}

/**
 * The npm packages of the program, by name.
 * @param transitive all that is installed, rather than what package.json names
 */
export function programDependencies(programDirectory: string, transitive: boolean): InstalledPackage[] {
  const manifest = readManifest(programDirectory);
  const named = { ...manifest?.dependencies, ...manifest?.devDependencies };
  const packages = transitive
    ? [...installedManifests(programDirectory)]
    : Object.keys(named).map((name) => readManifest(join(programDirectory, "node_modules", name)));
  const installed = packages.flatMap((found) =>
    found?.name && found.version ? [{ name: found.name, version: found.version }] : [],
  );
  return installed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function* installedManifests(folder: string, seen = new Set<string>()): Generator<PackageManifest> {
  if (existsSync(join(folder, "PulumiPolicy.yaml")) && seen.size > 0) return;
  seen.add(folder);
  for (const entry of folders(folder, seen)) {
    if (entry.name === "node_modules") yield* packagesIn(entry.path, seen);
    else if (entry.name !== ".git") yield* installedManifests(entry.path, seen);
  }
}

function* packagesIn(nodeModules: string, seen: Set<string>): Generator<PackageManifest> {
  for (const { name, path } of folders(nodeModules, seen)) {
    if (name.startsWith("@")) yield* packagesIn(path, seen);
    else {
      seen.add(path);
      const manifest = readManifest(path);
      if (manifest) yield manifest;
      const nested = join(path, "node_modules");
      if (existsSync(nested)) yield* packagesIn(nested, seen);
    }
  }
}

function folders(parent: string, seen: Set<string>): { name: string; path: string }[] {
  return readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
    const path = join(parent, entry.name);
    if (entry.isDirectory()) return seen.has(path) ? [] : [{ name: entry.name, path }];
    if (!entry.isSymbolicLink() || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
    const target = realpathSync(path);
    return seen.has(target) ? [] : [{ name: entry.name, path: target }];
  });
}

function readManifest(folder: string): PackageManifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
