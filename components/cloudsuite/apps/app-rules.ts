import { valueBelow } from "../../core/arguments.ts";
import { error, type Problem } from "../../core/problems.ts";
import type { SuiteApp } from "./app.ts";
import type { ServedApp } from "./registry.ts";

/** Missing arguments of an enabled app: its own, and its version. */
export function lacking(app: ServedApp, suite: unknown): Problem[] {
  return [...lackingArguments(app, suite), ...lackingVersion(app, suite)];
}

/** The version of an app that is on. */
export function lackingVersion({ key, title, server: { version } }: ServedApp, suite: unknown): Problem[] {
  // One among its own arguments has a default.
  if (version[0] === key) return [];
  const holder = version.slice(0, -1).reduce(valueBelow, suite);
  const isBlock = typeof holder === "object" && holder !== null && !Array.isArray(holder);
  return isBlock && valueBelow(holder, version.at(-1) ?? "") === undefined
    ? [missing(key, version.join("."), `The image tag of ${title}.`)]
    : [];
}

function lackingArguments({ key, schema }: SuiteApp, suite: unknown): Problem[] {
  const own = valueBelow(suite, key);
  return Object.entries(schema.unwrap().shape).flatMap(([name, argument]) =>
    valueBelow(own, name) === undefined && !argument.safeParse(undefined).success
      ? [missing(key, `${key}.${name}`, argument.meta()?.description ?? "")]
      : [],
  );
}

function missing(key: string, path: string, what: string): Problem {
  return error("missing", path, "The field is missing.", `${what} It is required because ${key} is enabled.`);
}
