import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pluginNames } from "./names.ts";

/** The stand-ins. */
const standIns = [
  { kind: "language", name: "nodejs", folder: "language-nodejs", sdk: "@pulumi/pulumi" },
  ...pluginNames.map((name) => ({ kind: "resource", name, folder: name, sdk: `@pulumi/${name}` }) as const),
] as const;

const mark = "# A stand-in of the sandbox; see its main.ts.";

export interface InstallPluginsArgs {
  /** `PULUMI_HOME` of the sandbox. */
  readonly pulumiHome: string;
  /** The caller's environment: `HEARTH_PLUGINS=official` removes the stand-ins, so that the engine takes the official plugins. @default process.env */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Puts the stand-ins into `PULUMI_HOME/plugins`, where the engine finds them without a warning, at the versions of the
 * installed SDKs; removes those of other versions. Changes nothing when all is in place; safe to run twice at once.
 * The engine needs `PULUMI_IGNORE_AMBIENT_PLUGINS=true` beside, lest it prefers a language host on PATH, and Node 24 first
 * on PATH, since a language host runs programs with the `node` it finds there: `sandboxEnvironment` sets both.
 * @throws when an SDK is not installed
 */
export async function installPlugins({ pulumiHome, environment = process.env }: InstallPluginsArgs): Promise<void> {
  const plugins = join(pulumiHome, "plugins");
  const official = environment.HEARTH_PLUGINS === "official";
  const wanted = new Map(official ? [] : standIns.map((plugin) => [folderName(plugin), plugin]));

  await mkdir(plugins, { recursive: true });
  for (const folder of await readdir(plugins)) {
    if (!wanted.has(folder) && (await isStandIn(join(plugins, folder))))
      await rm(join(plugins, folder), { recursive: true, force: true });
  }
  await Promise.all([...wanted].map(([folder, plugin]) => install(join(plugins, folder), plugin)));
}

type StandIn = (typeof standIns)[number];

function folderName({ kind, name, sdk }: StandIn): string {
  const manifest = createRequire(import.meta.url)(`${sdk}/package.json`);
  return `${kind}-${name}-v${manifest.version}`;
}

async function install(target: string, { kind, name, folder }: StandIn): Promise<void> {
  const main = join(import.meta.dirname, folder, "main.ts");
  const script = `#!/bin/sh\n${mark}\nexec ${quote(process.execPath)} ${quote(main)} "$@"\n`;
  const file = `pulumi-${kind}-${name}`;
  if ((await readFile(join(target, file), "utf8").catch(() => "")) === script) return;

  await mkdir(target, { recursive: true });
  const partial = join(target, `${file}.${randomUUID()}`);
  await writeFile(partial, script, { mode: 0o755 });
  await rename(partial, join(target, file));
}

async function isStandIn(folder: string): Promise<boolean> {
  const match = /((?:language|resource)-[a-z-]+)-v[^/]+$/.exec(folder);
  const script = match && (await readFile(join(folder, `pulumi-${match[1]}`), "utf8").catch(() => ""));
  return Boolean(script?.includes(mark));
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
