import { readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { isWithin, type Path, parsePath } from "@hearth-platform/hearth/core/paths";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { byPlace, isOfKey, type LocatedProblem } from "./located.ts";
import { readBounded } from "./read-file.ts";
import { problemInSettings, settingsPrefix } from "./setting-names.ts";
import { readYaml, type YamlFile } from "./yaml-file.ts";

/** Where the settings of a stack come from. */
export interface StackSource {
  /** Name of the file they stand in, e.g. `Pulumi.dev.yaml`. */
  readonly file: string;
  /** The values by their name without prefix. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The file, where it could be read. */
  readonly yaml?: YamlFile;
}

/** The settings in `Pulumi.<stack>.yaml`, or in another file, without the engine. */
export function sourceFromFile(
  project: string,
  stack: string,
  file = `Pulumi.${stack}.yaml`,
): { source?: StackSource; problems: LocatedProblem[] } {
  const written = `Write it with \`./hearth init --stack ${stack}\`.`;
  const content = readBounded(project, file, "", `${written} The stacks here: ${stacksIn(project).join(", ")}.`);
  if (!(content instanceof Uint8Array)) return { problems: [{ ...content, file }] };
  const { yaml, problems } = readYaml(file, content, written);
  return yaml ? { source: { file, yaml, values: settingsIn(yaml) }, problems } : { problems };
}

/** The stacks whose settings stand in the project's folder. */
export function stacksIn(project: string): string[] {
  return readdirSync(project).flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []);
}

/**
 * The settings the engine gives the program; places are looked up in the stack's file.
 * @param config all configuration as the engine gives it: text, and JSON for what is no text
 */
export function sourceFromEngine(
  project: string,
  stack: string,
  config: Readonly<Record<string, string>>,
): StackSource {
  const own = Object.entries(config).filter(([key]) => key.startsWith(settingsPrefix));
  const values = Object.fromEntries(own.map(([key, value]) => [key.slice(settingsPrefix.length), fromEngine(value)]));
  const { source } = sourceFromFile(project, stack);
  return { file: `Pulumi.${stack}.yaml`, values, yaml: source?.yaml };
}

/** Problems of the settings with their places in the stack's file, as far as it says what the engine says. */
export function locateSettings(problems: readonly Problem[], { file, values, yaml }: StackSource): LocatedProblem[] {
  const written = yaml ? settingsIn(yaml) : {};
  const encrypted = encryptedPaths(written);
  const shown = [
    // Of an encrypted value nothing may be shown.
    ...problems.filter(({ path }) => !encrypted.some((secret) => isWithin(path, secret) || isWithin(secret, path))),
    ...encrypted.map((path) =>
      error(
        "encrypted",
        path,
        `${path} is encrypted.`,
        "Settings hold no secrets: write the value in clear text, or name a Secret that holds it.",
      ),
    ),
  ];
  const located = shown.map(problemInSettings).map((problem): LocatedProblem => {
    const [first = ""] = parsePath(problem.path);
    const path = problem.path === "" ? "" : `${settingsPrefix}${problem.path}`;
    const known = yaml && (encrypted.length > 0 || isDeepStrictEqual(values[first], written[first]));
    if (!known) return { ...problem, path, file };
    const place = settingPath(parsePath(problem.path));
    return { ...problem, path, file, ...(isOfKey(problem) ? yaml.locateKey(place) : yaml.locate(place)) };
  });
  // Several names that are made of one setting may be wrong in the same way.
  const distinct = new Map(
    located.map((problem) => [JSON.stringify([problem.path, problem.code, problem.message]), problem]),
  );
  return byPlace([...distinct.values()]);
}

/** Path in the stack's file of the setting at `path`. */
export function settingPath([first, ...rest]: Path): Path {
  return first === undefined ? ["config"] : ["config", `${settingsPrefix}${first}`, ...rest];
}

function settingsIn({ value }: YamlFile): Record<string, unknown> {
  const config = (value as { config?: unknown }).config;
  const entries = typeof config === "object" && config !== null ? Object.entries(config) : [];
  return Object.fromEntries(
    entries
      .filter(([key]) => key.startsWith(settingsPrefix))
      .map(([key, value]) => [key.slice(settingsPrefix.length), value]),
  );
}

/** Paths of the values that `pulumi config set --secret` encrypted. */
function encryptedPaths(values: unknown, path = ""): string[] {
  if (typeof values !== "object" || values === null) return [];
  if (Object.keys(values).length === 1 && "secure" in values) return [path];
  return Object.entries(values).flatMap(([key, value]) =>
    encryptedPaths(value, Array.isArray(values) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`),
  );
}

function fromEngine(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value === "string" ? asWritten(value) : value));
  } catch {
    return text;
  }
}

/** A point in time that is not in quotes the engine gives as Go prints it: `2026-11-20 08:30:00 +0000 UTC`. */
function asWritten(text: string): string {
  const [, time, hours, minutes] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*) ([+-]\d\d)(\d\d) \S+$/.exec(text) ?? [];
  if (time === undefined) return text;
  return hours === "+00" && minutes === "00" ? time : `${time}${hours}:${minutes}`;
}
