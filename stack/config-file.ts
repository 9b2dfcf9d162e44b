import type { CloudSuiteArgs, OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import type { SuiteLoad } from "@hearth-platform/hearth/cloudsuite/sizing";
import type { Day } from "@hearth-platform/hearth/core/days";
import type { Known } from "@hearth-platform/hearth/core/known";
import { isWithin, type Path } from "@hearth-platform/hearth/core/paths";
import type { Profile } from "@hearth-platform/hearth/core/platform-args";
import { type Problem, Severity } from "@hearth-platform/hearth/core/problems";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import type { SuiteSettings } from "./areas-schema.ts";
import { ConfigFile } from "./config-schema.ts";
import { inOrder, isOfKey, type LocatedProblem, located } from "./located.ts";
import { suiteSupport } from "./version-support.ts";
import { readYaml, type YamlFile } from "./yaml-file.ts";

/** What the rules need to know beside the file. */
export interface ConfigContext extends SuiteLoad {
  /** @default unknown: what depends on it is not judged */
  readonly profile?: Profile;
  /** @default collabora */
  readonly officeEngine?: OfficeEngine;
  /** Arguments of the suite that stand in the stack's settings as they are. @default none */
  readonly settings?: Known<SuiteSettings>;
  /** Whether versions still get fixes is judged as of this day, in UTC. @default not judged */
  readonly today?: Day;
}

/** A config.yaml that was read and judged. */
export interface CheckedConfig {
  /** Absent where there is an error. */
  readonly config?: ConfigFile;
  /** The fields of the right type. */
  readonly known: Known<ConfigFile>;
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
  return { config, known, yaml, problems: inOrder(located(found, yaml)) };
}

/** The problems of a config.yaml's content: its structure, and the rules on whatever of it is sound. */
export function configProblems(
  value: unknown,
  context: ConfigContext,
  source?: (path: Path) => string | undefined,
): { config?: ConfigFile; known: Known<ConfigFile>; problems: Problem[] } {
  const structure = checkStructure(ConfigFile, value, source);
  const known = (structure.sound ?? {}) as Known<ConfigFile>;
  const rules = cloudSuiteProblems(knownArgs(known, context), context).filter(
    (problem) => !structure.problems.some(({ path }) => isWithin(problem.path, path)),
  );
  const off = disabledParts(known);
  const problems = [...structure.problems, ...rules, ...suiteSupport(known, context)].flatMap((problem) => {
    const ignored =
      off.some((part) => isWithin(problem.path, part)) && !isOfKey(problem) && !problem.path.endsWith(".enabled");
    if (!ignored) return [problem];
    // A recommendation is for what is valid, and that is ignored.
    const counts = problem.code !== "missing" && problem.severity === Severity.error;
    return counts ? [{ ...problem, severity: Severity.warning }] : [];
  });
  const failed = problems.some(({ severity }) => severity === Severity.error);
  return failed ? { known, problems } : { config: known as ConfigFile, known, problems };
}

function knownArgs(
  { office, whiteboard, ...rest }: Known<ConfigFile>,
  { profile, officeEngine, settings }: ConfigContext,
): Known<CloudSuiteArgs> {
  return {
    ...rest,
    ...settings,
    office: office?.enabled === undefined ? undefined : { ...office, engine: officeEngine },
    whiteboard: whiteboard?.enabled === undefined ? undefined : whiteboard,
    platform: { profile },
  };
}

/** Paths of the fields that don't count because their part is not enabled. */
function disabledParts(config: Known<ConfigFile>): string[] {
  return (["office", "whiteboard"] as const)
    .filter((part) => config[part]?.enabled === false)
    .flatMap((part) => [part, `versions.${part}`]);
}
