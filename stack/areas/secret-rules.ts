import { type Rule, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { formatPath } from "@hearth-platform/hearth/core/paths";
import { error, type Problem, shown, warning } from "@hearth-platform/hearth/core/problems";
import { suggest } from "@hearth-platform/hearth/core/suggest";
import { StackSettings } from "../settings/stack-schema.ts";
import type { Area, AreaSecrets } from "./area.ts";
import { areas } from "./index.ts";

const all: readonly Area[] = Object.values(areas);

/** Names in `secrets.existing` and `secrets.revisions` that are no Secret's, and revisions that come to nothing. */
export const secretRule: Rule = (values) => {
  const settings = wholeParts(StackSettings, values, ["secrets", "hub", "cloudsuites"]);
  if (!settings) return [];
  const { existing = {}, revisions = {} } = settings.secrets ?? {};
  const secrets = all.flatMap((area) => area.secrets?.(settings) ?? []);
  const own = secrets.flatMap((each) => each.own);
  const named = [...own, ...Object.values(existing), ...referredSecrets(values)];
  return [
    ...Object.keys(existing).flatMap((name) => unknown("existing", name, own)),
    ...Object.keys(revisions).flatMap((name) => unknown("revisions", name, named)),
    ...Object.entries(revisions).flatMap(([name, revision]) =>
      withoutEffect(settings.secrets, secrets, name, revision),
    ),
  ];
};

/** Secrets that settings refer to: each reference is a `name` with a `key`. */
function referredSecrets(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { name, key } = value as Record<string, unknown>;
  if (typeof name === "string" && typeof key === "string") return [name];
  return Object.values(value).flatMap(referredSecrets);
}

function unknown(list: "existing" | "revisions", name: string, known: readonly string[]): Problem[] {
  if (known.includes(name)) return [];
  const likely = suggest(name, known);
  const remedy = likely ? `Did you mean ${likely}?` : `There are ${[...new Set(known)].sort().join(", ")}.`;
  return [
    error("unknown-secret", formatPath(["secrets", list, name]), `The platform has no Secret ${shown(name)}.`, remedy),
  ];
}

function withoutEffect(
  source: StackSettings["secrets"],
  secrets: readonly AreaSecrets[],
  name: string,
  revision: number,
): Problem[] {
  const outside = (source?.store && !source.generate) || source?.existing?.[name] !== undefined;
  const firstPasswords = secrets.flatMap((each) => each.firstPasswords ?? []);
  const constant = secrets.flatMap((each) => each.constant ?? []);
  const [which, remedy] = outside
    ? [firstPasswords, "Remove it, and change the password in the program."]
    : [[...constant, ...firstPasswords], "Remove it."];
  if (!revision || !which.includes(name)) return [];
  const reason = outside ? "is read at installation only" : "is made once and never anew";
  return [
    warning(
      "constant-secret",
      formatPath(["secrets", "revisions", name]),
      `${name} ${reason}, so this only restarts the pods that read it.`,
      remedy,
    ),
  ];
}
