import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { supportProblems } from "@hearth-platform/hearth/catalogue/support";
import { lacking } from "@hearth-platform/hearth/cloudsuite/apps/app-rules";
import { type ServedApp, servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { suiteRules } from "@hearth-platform/hearth/cloudsuite/rules";
import { cloudSuiteVersions } from "@hearth-platform/hearth/cloudsuite/schema";
import {
  type Rule,
  soundParts,
  valueBelow,
  valueProblems,
  wholeParts,
  withFit,
} from "@hearth-platform/hearth/core/arguments";
import type { Day } from "@hearth-platform/hearth/core/days";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { isWithin, type Path } from "@hearth-platform/hearth/core/paths";
import { type Problem, Severity } from "@hearth-platform/hearth/core/problems";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import type { SuiteLoad } from "@hearth-platform/hearth/limits/limit";
import { byPlace, isOfKey, type LocatedProblem, located } from "../../settings/located.ts";
import { problemInSettings } from "../../settings/setting-names.ts";
import { readYaml, type YamlFile } from "../../settings/yaml-file.ts";
import { ConfigFile } from "./config-schema.ts";
import type { SuiteSettings } from "./settings.ts";

/** Facts that the rules need in addition to the file. */
export interface ConfigContext extends SuiteLoad {
  /** @default collabora */
  readonly officeEngine?: OfficeEngine;
  /** Arguments of the suite that stand in the stack's settings as they are. @default none */
  readonly settings?: Partial<SuiteSettings>;
  /** Whether versions still get fixes is judged as of this day, in UTC. @default not judged */
  readonly today?: Day;
  /** Values beyond the specification's sets that the stack with this file allows. @default nothing */
  readonly limits?: LimitsArgs;
}

/** A config.yaml that was read and judged. */
export interface CheckedConfig {
  /** Absent where there is an error. */
  readonly config?: ConfigFile;
  /** The fields whose whole content has its type. */
  readonly known: Partial<ConfigFile>;
  /** Absent where the file is not YAML. */
  readonly yaml?: YamlFile;
  readonly problems: LocatedProblem[];
}

/**
 * Reads and judges a config.yaml; every problem of it is told at once.
 * @param file name that the problems carry
 */
export function checkConfigFile(file: string, content: Uint8Array, context: ConfigContext = {}): CheckedConfig {
  const { yaml, problems } = readYaml(file, content);
  if (!yaml) return { known: {}, problems };
  const { config, known, problems: found } = configProblems(yaml.value, context, yaml.source);
  return { config, known, yaml, problems: byPlace(located(found.map(problemInSettings), yaml)) };
}

/** Blocks of the file that are an app's, whose version stands in `versions` under the same name. */
type AppBlock = Extract<keyof ConfigFile, keyof ConfigFile["versions"]>;
type FileApp = ServedApp & { readonly key: AppBlock };

/** Apps that the file knows. */
const apps = servedApps.filter((app): app is FileApp => app.key in ConfigFile.shape);

/** Fields that an enabled app needs. */
const neededOfApps: Rule = (content) =>
  apps.flatMap((app) => (enabled(content, app) === true ? lacking(app, content) : []));

/** The problems of a config.yaml's content: its structure, each value that has its type, and whether these fit together. */
export function configProblems(
  value: unknown,
  context: ConfigContext,
  source?: (path: Path) => string | undefined,
): { config?: ConfigFile; known: Partial<ConfigFile>; problems: Problem[] } {
  const structure = checkStructure(ConfigFile, value, source);
  const content = structure.known ?? {};
  const off = apps.filter((app) => enabled(content, app) === false);
  const known = soundParts(ConfigFile, withoutDisabled(content, off));
  const values = withFit(valueProblems(ConfigFile, content, context.limits), [neededOfApps], content);
  const rules = withFit(values, suiteRules(context), suiteArgs(content, context), context.limits);
  const problems = [...structure.problems, ...rules, ...suiteSupport(known, context)].flatMap((problem) => {
    const ignored =
      off.some(({ key, server: { version } }) =>
        [key, version.join(".")].some((path) => isWithin(problem.path, path)),
      ) &&
      !isOfKey(problem) &&
      !problem.path.endsWith(".enabled");
    if (!ignored) return [problem];
    // A recommendation is for what is valid, and that is ignored.
    const counts = problem.code !== "missing" && problem.severity === Severity.error;
    return counts ? [{ ...problem, severity: Severity.warning }] : [];
  });
  const failed = problems.some(({ severity }) => severity === Severity.error);
  const config = failed ? undefined : wholeParts(ConfigFile, known, fields);
  return { config, known, problems };
}

const fields = Object.keys(ConfigFile.shape) as (keyof ConfigFile)[];

/** The suite's arguments as its file and the stack say them, whatever their types. */
function suiteArgs(content: object, { officeEngine, settings }: ConfigContext): object {
  const own = apps.map((app) => {
    const { enabled: on, ...rest } = Object(valueBelow(content, app.key));
    const engine = app.key === "office" && { engine: officeEngine };
    return [app.key, on === undefined ? undefined : { ...rest, ...engine }];
  });
  return { ...content, ...settings, ...Object.fromEntries(own) };
}

function enabled(content: unknown, { key }: ServedApp): unknown {
  return valueBelow(valueBelow(content, key), "enabled");
}

/** The content without what is mistyped in an app that is not enabled. */
function withoutDisabled(content: unknown, off: readonly FileApp[]): unknown {
  return off.reduce<unknown>((rest, { key: part }) => {
    const versions = valueBelow(rest, "versions");
    const named = typeof versions === "object" && wholeParts(cloudSuiteVersions, versions, [part]) === undefined;
    return {
      ...(rest as object),
      ...(wholeParts(ConfigFile, rest, [part]) === undefined && { [part]: { enabled: false } }),
      ...(named && { versions: { ...versions, [part]: undefined } }),
    };
  }, content);
}

/** Versions of a suite whose fixes have ended or end soon; what an office of the other engine still gets, no source says. */
function suiteSupport(
  { versions }: Partial<ConfigFile>,
  { officeEngine, today }: { readonly officeEngine?: OfficeEngine; readonly today?: Day },
): Problem[] {
  if (today === undefined) return [];
  const { nextcloud, postgresql, valkey, collabora, whiteboard } = programs;
  return [
    ...supportProblems("versions.cloudsuite", nextcloud, versions?.cloudsuite, today),
    ...supportProblems("versions.db", postgresql, versions?.db, today),
    ...supportProblems("versions.keystore", valkey, versions?.keystore, today),
    ...(officeEngine === OfficeEngine.onlyoffice
      ? []
      : supportProblems("versions.office", collabora, versions?.office, today)),
    ...supportProblems("versions.whiteboard", whiteboard, versions?.whiteboard, today),
  ];
}
