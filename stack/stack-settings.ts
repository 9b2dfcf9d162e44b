import { distinct, valueProblems } from "@hearth-platform/hearth/core/arguments";
import type { Day } from "@hearth-platform/hearth/core/days";
import type { Known } from "@hearth-platform/hearth/core/known";
import { isWithin } from "@hearth-platform/hearth/core/paths";
import { errorsOf, type Problem } from "@hearth-platform/hearth/core/problems";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import { databaseMajor } from "@hearth-platform/hearth/stores/database/value-rules";
import { suiteSettingsOf } from "./areas-schema.ts";
import { type CheckedConfig, type ConfigContext, checkConfigFile } from "./config-file.ts";
import type { ConfigFile } from "./config-schema.ts";
import { dataLossProblems } from "./data-loss-rules.ts";
import { readImageLock } from "./image-lock.ts";
import { type LocatedProblem, located } from "./located.ts";
import { readBounded } from "./read-file.ts";
import { sharedProblems, stackProblems } from "./stack-rules.ts";
import { type CloudSuiteSettings, StackSettings } from "./stack-schema.ts";
import { locateSettings, placeOf, type StackSource } from "./stack-source.ts";
import { stackSupport } from "./version-support.ts";

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
  const structure = checkStructure(StackSettings, source.values, (path) => source.yaml?.source(placeOf(path)));
  const known = (structure.sound ?? {}) as Known<StackSettings>;
  const suites = (known.cloudsuites ?? []).flatMap((suite, index) =>
    suite?.config === undefined
      ? []
      : [readSuite(project, suite, `cloudsuites[${index}].config`, { profile: known.profile, today })],
  );
  const namespaces = suites.map(({ checked }) => checked?.known.namespace);
  const values = valueProblems(StackSettings, known);
  const fits = [...stackProblems(known), ...dataLossProblems(known, namespaces)];
  const rules = distinct([
    ...values,
    // One value, one problem of a kind: what it does not fit to comes after what it is.
    ...fits.filter((fit) => !values.some(({ path, code }) => path === fit.path && code === fit.code)),
  ]).filter((rule) => !structure.problems.some((other) => hides(other, rule)));
  const lockFile = locked ? known.images?.lock : undefined;
  const lock = lockFile === undefined ? undefined : readImageLock(project, lockFile, source.file);
  const unreadable = [...suites, ...(lock ? [lock] : [])].flatMap((file) => file.unreadable ?? []);
  const shared = sharedProblems(
    suites.map(({ file, settings, checked }) => ({ file, known: { ...suiteSettingsOf(settings), ...checked?.known } })),
    { file: source.file, known },
  );
  const problems = [
    ...locateSettings([...structure.problems, ...rules, ...unreadable, ...stackSupport(known, today)], source),
    ...suites.flatMap(({ checked }, index) => [
      ...(checked?.problems ?? []),
      ...(checked?.yaml ? located(shared[index] ?? [], checked.yaml) : []),
      ...(checked?.yaml && !known.cloudsuites?.[index]?.database ? located(operated(checked.known), checked.yaml) : []),
    ]),
    ...(lock?.problems ?? []),
  ];
  if (errorsOf(problems).length > 0) return { problems };
  const stack: Stack = {
    settings: known as StackSettings,
    suites: suites.map(({ file, settings, checked }) => ({ file, settings, config: checked?.config as ConfigFile })),
    imageDigests: lock?.digests,
  };
  return { stack, problems };
}

/** What the operator refuses of a suite's file whose database it is to run; the file alone is only warned of. */
function operated({ versions }: Known<ConfigFile>): Problem[] {
  return databaseMajor("versions.db", versions?.db).filter(({ code }) => code === "database-major-refused");
}

/** Whether a rule's problem follows from one of structure: it is about the same value, or about what stands in a block that could not be read. */
function hides(structure: Problem, rule: Problem): boolean {
  return isWithin(rule.path, structure.path) || (rule.code === "secret-source" && isWithin(structure.path, rule.path));
}

interface ReadSuite {
  readonly settings: CloudSuiteSettings;
  readonly file: string;
  readonly checked?: CheckedConfig;
  /** The problem of the setting that names the file. */
  readonly unreadable?: Problem;
}

function readSuite(
  project: string,
  known: Known<CloudSuiteSettings>,
  path: string,
  context: Pick<ConfigContext, "profile" | "today">,
): ReadSuite {
  const file = known.config ?? "";
  const suite = { settings: known as CloudSuiteSettings, file };
  const content = readBounded(project, file, path, "Paths are relative to the folder of Pulumi.yaml.");
  if (!(content instanceof Uint8Array)) return { ...suite, unreadable: content };
  const checked = checkConfigFile(file, content, { ...known, settings: suiteSettingsOf(known), ...context });
  return { ...suite, checked };
}
