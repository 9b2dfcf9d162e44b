import { error } from "@hearth-platform/hearth/core/problems";
import { suggest } from "@hearth-platform/hearth/core/suggest";
import type { LocatedProblem } from "./located.ts";
import { settingsPrefix } from "./setting-names.ts";
import { StackSettings } from "./stack-schema.ts";
import type { StackSource } from "./stack-source.ts";

const names = Object.keys(StackSettings.shape);
const namespace = settingsPrefix.slice(0, -1);

/**
 * Settings of hearth that stand where nobody reads them: without the prefix or with one like it, or beside `config`.
 * Keys of other programs are theirs.
 */
export function misplacedSettings({ file, yaml }: StackSource): LocatedProblem[] {
  const top = blockOf(yaml?.value);
  const problem = (path: readonly string[], meant: string) => {
    const key = path.at(-1) ?? "";
    const place = path.length > 1 ? "below config" : "beside config";
    const message = `Nothing reads ${key} ${place}.`;
    const remedy = `Did you mean ${settingsPrefix}${meant}${path.length > 1 ? "" : " below config"}?`;
    return {
      ...error("unknown-key", key, message, remedy),
      file,
      ...(yaml?.locateKey(path) ?? { line: 1, column: 1 }),
    };
  };
  return [
    ...Object.keys(blockOf(top.config)).flatMap((key) => {
      const meant = key.startsWith(settingsPrefix) ? undefined : meantBy(key);
      return meant === undefined ? [] : [problem(["config", key], meant)];
    }),
    ...Object.keys(top).flatMap((key) => {
      const meant = meantBy(key);
      return meant === undefined ? [] : [problem([key], meant)];
    }),
  ];
}

/** The setting that a key was meant to be: named without prefix, or with one like it. */
function meantBy(key: string): string | undefined {
  const [first = "", ...rest] = key.split(":");
  if (rest.length === 0) return names.find((name) => name === first);
  return suggest(first, [namespace]) === undefined ? undefined : suggest(rest.join(":"), names);
}

function blockOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
