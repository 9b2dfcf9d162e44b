import type { Day } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { errorsOf, type Problem } from "@hearth-platform/hearth/core/problems";
import { type ConfigContext, checkConfigFile } from "@hearth-platform/stack/config-file";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { manifests } from "@hearth-platform/stack/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { readBounded } from "@hearth-platform/stack/read-file";
import { sourceFromFile } from "@hearth-platform/stack/stack-source";
import { synthesize } from "./synthesis.ts";

/** What is to be said of a file before anything is made of it. */
export interface Judgement {
  /** Path of the file, as problems name it. */
  readonly file: string;
  /** Whether it is YAML that can be read, with all files that it names. */
  readonly wellFormed: boolean;
  /** A problem of another file names that file. */
  readonly problems: readonly (Problem & { readonly file?: string })[];
  /** Makes its objects; absent where there is an error. */
  readonly objects?: () => KubernetesObject[];
}

/** Judges a suite's config.yaml. */
export function judgeConfigFile(folder: string, file: string, context: ConfigContext): Judgement {
  const content = readBounded(folder, file, "", "Name a file that is there.");
  if (!(content instanceof Uint8Array)) return { file, wellFormed: false, problems: [content] };
  const { yaml, config, problems } = checkConfigFile(file, content, context);
  const valid = config && errorsOf(problems).length === 0;
  return {
    file,
    wellFormed: yaml !== undefined,
    problems,
    ...(valid && { objects: () => synthesize(config, context) }),
  };
}

/**
 * Judges a stack's settings with every file they name.
 * @param project folder of Pulumi.yaml
 * @param today in UTC: which versions still get fixes
 */
export function judgeStack(project: string, stack: string, today: Day | undefined): Judgement {
  const file = `Pulumi.${stack}.yaml`;
  const { source, problems } = sourceFromFile(project, stack);
  if (!source) return { file, wellFormed: false, problems };
  const checked = checkLockedStack(project, source, { today });
  const wellFormed = !checked.problems.some(({ code }) => code.startsWith("yaml-"));
  const valid = checked.stack;
  return {
    file,
    wellFormed,
    problems: checked.problems,
    ...(valid && { objects: () => [...manifests(stackPlans(valid)).values()] }),
  };
}
