import type { CloudSuiteArgs, OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteFaults } from "@hearth-platform/hearth/cloudsuite/rules";
import type { SuiteLoad } from "@hearth-platform/hearth/cloudsuite/sizing";
import { type Fault, Severity } from "@hearth-platform/hearth/core/faults";
import type { Known } from "@hearth-platform/hearth/core/known";
import type { Profile } from "@hearth-platform/hearth/core/platform";
import { ConfigFile } from "./config-schema.ts";
import { inOrder, isOfKey, type LocatedFault, located } from "./located.ts";
import { isWithin, type Path } from "./paths.ts";
import { checkStructure } from "./structure.ts";
import { readYaml, type YamlFile } from "./yaml-file.ts";

/** What the rules need to know beside the file. */
export interface ConfigContext extends SuiteLoad {
  /** @default unknown: what depends on it is not judged */
  readonly profile?: Profile;
  /** @default collabora */
  readonly officeEngine?: OfficeEngine;
}

/** A config.yaml that was read and judged. */
export interface CheckedConfig {
  /** Absent where there is an error. */
  readonly config?: ConfigFile;
  /** The fields of the right type. */
  readonly known: Known<ConfigFile>;
  /** Absent where the file is not YAML. */
  readonly yaml?: YamlFile;
  readonly faults: LocatedFault[];
}

/**
 * Reads and judges a config.yaml; every fault of it is told at once.
 * @param file name that the faults carry
 */
export function checkConfigFile(file: string, content: Uint8Array, context: ConfigContext = {}): CheckedConfig {
  const { yaml, faults } = readYaml(file, content);
  if (!yaml) return { known: {}, faults };
  const { config, known, faults: found } = configFaults(yaml.value, context, yaml.source);
  return { config, known, yaml, faults: inOrder(located(found, yaml)) };
}

/** The faults of a config.yaml's content: its structure, and the rules on whatever of it is sound. */
export function configFaults(
  value: unknown,
  context: ConfigContext,
  source?: (path: Path) => string | undefined,
): { config?: ConfigFile; known: Known<ConfigFile>; faults: Fault[] } {
  const structure = checkStructure(ConfigFile, value, source);
  const known = (structure.sound ?? {}) as Known<ConfigFile>;
  const rules = cloudSuiteFaults(knownArgs(known, context), context).filter(
    (fault) => !structure.faults.some(({ path }) => isWithin(fault.path, path)),
  );
  const off = disabledParts(known);
  const faults = [...structure.faults, ...rules].flatMap((fault) => {
    const ignored =
      off.some((part) => isWithin(fault.path, part)) && !isOfKey(fault) && !fault.path.endsWith(".enabled");
    if (!ignored) return [fault];
    // A recommendation is for what is valid, and that is ignored.
    const counts = fault.code !== "missing" && fault.severity === Severity.error;
    return counts ? [{ ...fault, severity: Severity.warning }] : [];
  });
  const failed = faults.some(({ severity }) => severity === Severity.error);
  return failed ? { known, faults } : { config: known as ConfigFile, known, faults };
}

function knownArgs(
  { office, whiteboard, ...rest }: Known<ConfigFile>,
  { profile, officeEngine }: ConfigContext,
): Known<CloudSuiteArgs> {
  return {
    ...rest,
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
