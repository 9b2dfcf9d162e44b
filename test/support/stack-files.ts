import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parsePath } from "@hearth-platform/hearth/core/paths";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { type CheckedStack, checkStack } from "@hearth-platform/stack/stack-settings";
import { parse, stringify } from "yaml";

const root = join(import.meta.dirname, "..", "..");

/** A stack's settings by their name without prefix, and the content of each config.yaml by its path. */
export interface StackFiles {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly suites: Readonly<Record<string, unknown>>;
}

/** New values by their path, such as `hub.replicas.core` or `projects[0].name`; `undefined` takes a setting away. */
export type Changes = Readonly<Record<string, unknown>>;

/** The files of a committed stack. */
export function committedStack(stack: string): StackFiles {
  const { config } = parse(readFileSync(join(root, `Pulumi.${stack}.yaml`), "utf8"));
  const own = Object.entries<unknown>(config).filter(([key]) => key.startsWith(settingsPrefix));
  const settings = Object.fromEntries(own.map(([key, value]) => [key.slice(settingsPrefix.length), value]));
  const files = ((settings.cloudsuites ?? []) as { config: string }[]).map((suite) => suite.config);
  return {
    settings,
    suites: Object.fromEntries(files.map((file) => [file, parse(readFileSync(join(root, file), "utf8"))])),
  };
}

/** Stack `dev` has every area of the platform: what the end-to-end tests bring up. */
export function wholePlatform(): StackFiles {
  return committedStack("dev");
}

/** Stack `dev` with its suites and the site webhook alone: what is quickly brought up. */
export function smallStack(): StackFiles {
  const without = ["domain", "objectStorage", "ingress.wildcardClusterIssuer", "forge", "hub", "cloudsuites[0].signOn"];
  return withSettings(committedStack("dev"), Object.fromEntries(without.map((setting) => [setting, undefined])));
}

/** The files with other settings of the stack. */
export function withSettings(files: StackFiles, changes: Changes): StackFiles {
  return { ...files, settings: changed(files.settings, changes) };
}

/** The files with other fields in one config.yaml. */
export function withConfig(files: StackFiles, file: string, changes: Changes): StackFiles {
  return { ...files, suites: { ...files.suites, [file]: changed(files.suites[file], changes) } };
}

/** Writes the files as a stack's into a folder. */
export function writeStack(files: StackFiles, folder: string, stackFile: string): void {
  for (const [file, content] of Object.entries(files.suites)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), textOf(content));
  }
  const { config, ...rest } = devFile();
  const others = Object.entries<unknown>(config).filter(([key]) => !key.startsWith(settingsPrefix));
  const own = Object.entries(files.settings).map(([key, value]) => [`${settingsPrefix}${key}`, value]);
  writeFileSync(join(folder, stackFile), stringify({ ...rest, config: Object.fromEntries([...others, ...own]) }));
}

const texts = new WeakMap<object, string>();

/** A config.yaml as YAML, made once: most changes leave it as it is. */
function textOf(content: unknown): string {
  if (typeof content !== "object" || content === null) return stringify(content);
  const text = texts.get(content) ?? stringify(content);
  texts.set(content, text);
  return text;
}

let dev: { config: Record<string, unknown> } | undefined;

function devFile() {
  dev ??= parse(readFileSync(join(root, "Pulumi.dev.yaml"), "utf8")) as NonNullable<typeof dev>;
  return dev;
}

/** What the program makes of the files before it creates anything. */
export function checkFiles(files: StackFiles): CheckedStack {
  const folder = mkdtempSync(join(tmpdir(), "hearth-stack-"));
  try {
    writeStack(files, folder, "Pulumi.test.yaml");
    return checkStack(folder, { file: "Pulumi.test.yaml", values: files.settings });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function changed<T>(content: T, changes: Changes): T {
  const copy = structuredClone(content);
  for (const [path, value] of Object.entries(changes)) put(copy, parsePath(path), value);
  return copy;
}

function put(container: unknown, [key = "", ...rest]: readonly (string | number)[], value: unknown): void {
  const inner = container as Record<string | number, unknown>;
  if (rest.length > 0) {
    inner[key] ??= typeof rest[0] === "number" ? [] : {};
    put(inner[key], rest, value);
  } else if (value === undefined) delete inner[key];
  else inner[key] = structuredClone(value);
}
