import { soundParts, valueProblems, withFit } from "@hearth-platform/hearth/core/arguments";
import type { Day } from "@hearth-platform/hearth/core/days";
import { error, errorsOf, type Problem } from "@hearth-platform/hearth/core/problems";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import { wideningAdvice, wideningProblems } from "@hearth-platform/hearth/limits/widening";
import { existingNamespacesRule, stackClaims, stackRules, stackSupport } from "./areas/rules.ts";
import type { ConfigFile } from "./areas/suites/config-schema.ts";
import { readSuiteFile, type SuiteFile, suiteFileProblems } from "./areas/suites/files.ts";
import { type CloudSuiteSettings, suite as suiteSettings } from "./areas/suites/settings.ts";
import { dataLossRule } from "./settings/data-loss-rules.ts";
import { readImageLock } from "./settings/image-lock.ts";
import type { LocatedProblem } from "./settings/located.ts";
import { migrateSettings } from "./settings/migrations.ts";
import { misplacedSettings } from "./settings/misplaced.ts";
import { StackSettings } from "./settings/stack-schema.ts";
import { locateSettings, type StackSource, settingPath } from "./settings/stack-source.ts";

/** A suite of a stack: its settings there, and its config.yaml. */
export interface Suite {
  readonly settings: CloudSuiteSettings;
  /** Path of the config.yaml as the stack names it. */
  readonly file: string;
  readonly config: ConfigFile;
}

/** All settings of a stack, without problems. */
export interface Stack {
  readonly settings: StackSettings;
  readonly suites: readonly Suite[];
  /** Of the lock: image as the components name it, before mirrors, to its digest. Absent where the stack has none. */
  readonly imageDigests?: Record<string, string>;
}

/** A stack that was judged. */
export interface CheckedStack {
  /** Absent where there is an error. */
  readonly stack?: Stack;
  /** Of the stack's file, then of each config.yaml. */
  readonly problems: LocatedProblem[];
}

/** How a stack is judged. */
export interface CheckOptions {
  /** Images are locked as the settings say; false: as if they said nothing, for who is to write the lock. @default true */
  readonly locked?: boolean;
  /** Whether versions still get fixes is judged as of this day, in UTC. @default not judged */
  readonly today?: Day;
}

/**
 * Judges a stack's settings and every config.yaml they name; all problems are told at once.
 * @param project folder of Pulumi.yaml
 */
export function checkStack(
  project: string,
  source: StackSource,
  { locked = true, today }: CheckOptions = {},
): CheckedStack {
  const { values, problems: moved } = migrateSettings(source.values);
  const structure = checkStructure(StackSettings, values, (path) => source.yaml?.source(settingPath(path)));
  const known = structure.known;
  const { profile, cloudsuites, images, limits } = knownParts(known);
  const files = cloudsuites.map(({ config }) => config);
  const suites = cloudsuites.map((suite, index): SuiteFile => {
    const path = `cloudsuites[${index}].config`;
    const first = suite.config === undefined ? index : files.indexOf(suite.config);
    if (suite.config !== undefined && first < index)
      return { file: suite.config, unreadable: sameFile(path, `cloudsuites[${first}].config`) };
    return readSuiteFile(project, suite, path, { profile, today, limits });
  });
  const namespaces = suites.map(({ checked }) => checked?.known.namespace);
  const judged = withFit(
    valueProblems(StackSettings, known, limits),
    [...stackRules, dataLossRule(namespaces), existingNamespacesRule(namespaces)],
    known,
    limits,
  );
  const rules = [...judged, ...wideningProblems("limits", limits, today), ...wideningAdvice("limits", limits)];
  const lockFile = locked ? images?.lock : undefined;
  const lock = lockFile === undefined ? undefined : readImageLock(project, lockFile, source.file);
  const unreadable = [...suites, ...(lock ? [lock] : [])].flatMap((file) => file.unreadable ?? []);
  const problems = [
    ...locateSettings(
      [...moved, ...structure.problems, ...rules, ...unreadable, ...stackSupport(known, today)],
      source,
    ),
    ...misplacedSettings(source),
    ...suiteFileProblems(suites, cloudsuites, stackClaims(known, source.file)),
    ...(lock?.problems ?? []),
  ];
  const settings = structure.value;
  if (!settings || errorsOf(problems).length > 0) return { problems };
  const stack: Stack = {
    settings,
    suites: (settings.cloudsuites ?? []).flatMap((suite, index) => {
      const config = suites[index]?.checked?.config;
      return config ? [{ file: suite.config, settings: suite, config }] : [];
    }),
    imageDigests: lock?.digests,
  };
  return { stack, problems };
}

/** Of two suites with one file everything would be the same: that is told once. */
function sameFile(path: string, other: string): Problem {
  const remedy = "Each suite needs a file of its own, with another namespace, host and other buckets.";
  return error("shared", path, `The file is also that of ${other}.`, remedy);
}

/** What tells where other files are and how they are judged, as far as it has its type. */
function knownParts(known: unknown) {
  const { profile, images, limits } = soundParts(StackSettings, known);
  const suites = typeof known === "object" && known !== null && "cloudsuites" in known ? known.cloudsuites : [];
  return {
    profile,
    images,
    limits,
    cloudsuites: Array.isArray(suites) ? suites.map((suite) => soundParts(suiteSettings, suite)) : [],
  };
}
