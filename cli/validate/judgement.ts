import { basename, resolve } from "node:path";
import type { Day } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { error, errorsOf, type Problem } from "@hearth-platform/hearth/core/problems";
import { type ConfigContext, checkConfigFile } from "@hearth-platform/stack/areas/suites/config-file";
import { manifests } from "@hearth-platform/stack/delivery/objects";
import { checkStackFile } from "@hearth-platform/stack/locked-stack";
import { stackPlans } from "@hearth-platform/stack/parts";
import { clusterChoice } from "@hearth-platform/stack/providers";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import { readBounded } from "@hearth-platform/stack/settings/read-file";
import { wideningsOf } from "@hearth-platform/stack/settings/widenings";
import { self } from "../command.ts";
import { synthesize } from "./synthesis.ts";

/** Problems of a file before any object is rendered. */
export interface CheckedFile {
  /** Path of the file, as problems name it. */
  readonly file: string;
  /** Whether it is YAML that can be read, with all files that it names. */
  readonly wellFormed: boolean;
  /** A problem of another file names that file. */
  readonly problems: readonly (Problem & { readonly file?: string })[];
  /** Makes its objects; absent where there is an error. */
  readonly objects?: () => KubernetesObject[];
  /** The cluster of a stack; absent where there is an error. */
  readonly cluster?: ClusterChoice;
}

/**
 * Judges a suite's config.yaml, by what the stacks allow that name it.
 * @param project folder of Pulumi.yaml
 */
export function judgeConfigFile(project: string, folder: string, file: string, context: ConfigContext): CheckedFile {
  const [, stack] = /^Pulumi\.(.+)\.ya?ml$/.exec(basename(file)) ?? [];
  if (stack !== undefined) return { file, wellFormed: false, problems: [stackFile(file, stack)] };
  const content = readBounded(folder, file, "", "Name an existing file.");
  if (!(content instanceof Uint8Array)) return { file, wellFormed: false, problems: [content] };
  const widenings = wideningsOf(project, resolve(folder, file));
  const judgements = (widenings.length === 0 ? [undefined] : widenings).map((limits) => {
    const own = { ...context, limits };
    return { own, ...checkConfigFile(file, content, own) };
  });
  // Of several stacks that name the file each has to allow what it says.
  const { yaml, config, own } = judgements.find(({ config }) => !config) ?? (judgements[0] as (typeof judgements)[0]);
  const problems = [
    ...new Map(judgements.flatMap((each) => each.problems).map((each) => [JSON.stringify(each), each])).values(),
  ];
  const valid = config && errorsOf(problems).length === 0;
  return {
    file,
    wellFormed: yaml !== undefined,
    problems,
    ...(valid && { objects: () => synthesize(config, own) }),
  };
}

function stackFile(file: string, stack: string): Problem {
  const remedy = `Check the stack with \`${self} validate --stack ${stack}\`.`;
  return error("file", "", `${file} is the file of a stack, and a suite's config.yaml is asked for.`, remedy);
}

/**
 * Judges a stack's settings with every file they name.
 * @param project folder of Pulumi.yaml
 * @param today in UTC: which versions still get fixes
 */
export function judgeStackFile(project: string, stack: string, today: Day | undefined): CheckedFile {
  const file = `Pulumi.${stack}.yaml`;
  const { source, stack: valid, problems } = checkStackFile(project, stack, { today });
  return {
    file,
    wellFormed: source !== undefined && !problems.some(({ code }) => code.startsWith("yaml-")),
    problems,
    ...(valid && { objects: () => [...manifests(stackPlans(valid)).values()], cluster: clusterChoice(valid) }),
  };
}
