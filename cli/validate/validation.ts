import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { error, errorsOf, type Problem, Severity } from "@hearth-platform/hearth/core/problems";
import type { LocatedProblem } from "@hearth-platform/stack/settings/located";
import type { DryRun } from "./dry-run.ts";
import type { CheckedFile } from "./judgement.ts";

/** The outcome of a step. */
export const StepOutcome = {
  passed: "passed",
  failed: "failed",
  notReached: "not reached",
  leftOut: "left out",
} as const;
export type StepOutcome = (typeof StepOutcome)[keyof typeof StepOutcome];

/** A step of the check of one file. */
export interface Step {
  readonly title: string;
  readonly outcome: StepOutcome;
  /** A remark in addition to its problems. */
  readonly detail?: string;
}

/** One file after its check. */
export interface Validation {
  readonly file: string;
  /** The four steps, in their order. */
  readonly steps: readonly Step[];
  /** In the order of the steps, then of files and lines. */
  readonly problems: readonly LocatedProblem[];
}

/** Facts that the check of a file needs in addition to it. */
export interface ValidationMeans {
  /** Warnings are errors. */
  readonly strict: boolean;
  /** Tries objects on a cluster; absent: there is no dry run. Its error says why the cluster can't be used, a `NoDryRun` that it may be passed over. */
  readonly dryRun?: (objects: readonly KubernetesObject[]) => Promise<DryRun & { readonly server: string }>;
}

/** Why there is no dry run, though none was declined. */
export class NoDryRun extends Error {}

const titles = [
  "YAML is well-formed and safe",
  "Fields, types and rules",
  "Synthesis of the manifests",
  "Dry run of apply",
];

/** True where no step failed. */
export function isValid({ steps }: Validation): boolean {
  return steps.every(({ outcome }) => outcome !== StepOutcome.failed);
}

/** Takes a file that was judged through the specification's four steps; the first that fails is the last. */
export async function validate(judgement: CheckedFile, { strict, dryRun }: ValidationMeans): Promise<Validation> {
  const { file, wellFormed, objects } = judgement;
  if (!wellFormed) return ended(file, [failed(judgement.problems)]);
  const problems = strict
    ? judgement.problems.map((problem) => ({ ...problem, severity: Severity.error }))
    : judgement.problems;
  if (errorsOf(problems).length > 0 || !objects) return ended(file, [passed(), failed(problems)]);
  const rules = { ...passed(problems.length === 0 ? "" : `warnings: ${problems.length}`), problems };

  const synthesis = synthesisStep(objects);
  if (!("objects" in synthesis)) return ended(file, [passed(), rules, synthesis]);
  return ended(file, [passed(), rules, synthesis, await dryRunStep(synthesis.objects, dryRun)]);
}

/** A step with its problems. */
interface Result extends Omit<Step, "title"> {
  readonly problems: CheckedFile["problems"];
}

const passed = (detail = ""): Result => ({ outcome: StepOutcome.passed, detail, problems: [] });
const failed = (problems: CheckedFile["problems"]): Result => ({ outcome: StepOutcome.failed, problems });

function synthesisStep(make: () => KubernetesObject[]): Result | (Result & { objects: KubernetesObject[] }) {
  try {
    const objects = make();
    return { ...passed(`objects: ${objects.length}`), objects };
  } catch (error) {
    return failed([notSynthesized(error)]);
  }
}

async function dryRunStep(objects: readonly KubernetesObject[], dryRun: ValidationMeans["dryRun"]): Promise<Result> {
  const leftOut = (detail: string): Result => ({ outcome: StepOutcome.leftOut, detail, problems: [] });
  if (!dryRun) return leftOut("without a cluster");
  try {
    const { server, known, accepted, elsewhere, notChecked, problems } = await dryRun(objects);
    const inDefault =
      elsewhere === 0 ? "" : `, ${elsewhere} of them in the namespace default, since theirs does not exist yet`;
    const absent = notChecked === 0 ? "" : `, not checked: ${notChecked} in namespaces that do not exist yet`;
    const detail = `at ${server}; client side: ${known} of ${objects.length} known; server side: ${accepted} accepted${inDefault}${absent}`;
    return { outcome: problems.length > 0 ? StepOutcome.failed : StepOutcome.passed, detail, problems };
  } catch (error) {
    return error instanceof NoDryRun ? leftOut(error.message) : failed([noCluster(error)]);
  }
}

function notSynthesized(reason: unknown): Problem {
  return error("synthesis", "", sentence(reason), "This is a bug in hearth: please report it.");
}

function noCluster(reason: unknown): Problem {
  const remedy = "Start or name a cluster (--kubeconfig, --context), or skip the dry run (--offline).";
  return error("dry-run-cluster", "", `No cluster for the dry run: ${sentence(reason)}`, remedy);
}

function ended(file: string, results: readonly Result[]): Validation {
  return {
    file,
    steps: titles.map((title, index) => {
      const { outcome, detail } = results[index] ?? { outcome: StepOutcome.notReached };
      return { title, outcome, detail };
    }),
    problems: results.flatMap(({ problems }) => problems.map((problem) => ({ file, line: 1, column: 1, ...problem }))),
  };
}

function sentence(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return text.endsWith(".") ? text : `${text}.`;
}
