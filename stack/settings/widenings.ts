import { resolve } from "node:path";
import { soundParts } from "@hearth-platform/hearth/core/arguments";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import { StackSettings } from "./stack-schema.ts";
import { sourceFromFile, stacksIn } from "./stack-source.ts";

/**
 * What the stacks allow beside the specification's sets that name a config.yaml; undefined for one that allows nothing.
 * @param project folder of Pulumi.yaml
 * @param file absolute path of the config.yaml
 */
export function wideningsOf(project: string, file: string): (LimitsArgs | undefined)[] {
  return stacksIn(project).flatMap((stack) => {
    const { source } = sourceFromFile(project, stack);
    if (!source) return [];
    const known = soundParts(StackSettings, checkStructure(StackSettings, source.values).known);
    const named = known.cloudsuites?.some((suite) => resolve(project, suite.config) === file);
    return named ? [known.limits] : [];
  });
}
