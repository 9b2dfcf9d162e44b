import { error, errorsOf, type Fault, Severity } from "@hearth-platform/hearth/core/faults";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type ConfigContext, checkConfigFile } from "@hearth-platform/stack/config-file";
import type { ConfigFile } from "@hearth-platform/stack/config-schema";
import type { LocatedFault } from "@hearth-platform/stack/located";
import type { DryRun } from "./dry-run.ts";
import { synthesize } from "./synthesis.ts";

/** What became of a step. */
export const Outcome = { passed: "passed", failed: "failed", notReached: "not reached", leftOut: "left out" } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** A step of the check of one file. */
export interface Step {
  readonly title: string;
  readonly outcome: Outcome;
  /** What there is to say beside its faults. */
  readonly detail?: string;
}

/** One file after its check. */
export interface Validation {
  readonly file: string;
  /** The four steps, in their order. */
  readonly steps: readonly Step[];
  /** In the order of the steps, then of the lines. */
  readonly faults: readonly LocatedFault[];
}

/** What the check of a file needs beside it. */
export interface Means {
  readonly context: ConfigContext;
  /** Warnings are errors. */
  readonly strict: boolean;
  /** Tries objects on a cluster; absent: there is no dry run. Its error says why the cluster can't be used. */
  readonly dryRun?: (objects: readonly KubernetesObject[]) => Promise<DryRun>;
}

const titles = [
  "YAML is well-formed and safe",
  "Fields, types and rules",
  "Synthesis of the manifests",
  "Dry run of apply",
];

/** True where no step failed. */
export function isValid({ steps }: Validation): boolean {
  return steps.every(({ outcome }) => outcome !== Outcome.failed);
}

/** Checks a file in the specification's four steps; the first that fails is the last. */
export async function validate(file: string, content: Uint8Array | Fault, means: Means): Promise<Validation> {
  const { context, strict } = means;
  if (!(content instanceof Uint8Array)) return ended(file, [failed([content])]);
  const checked = checkConfigFile(file, content, context);
  if (!checked.yaml) return ended(file, [failed(checked.faults)]);
  const faults = strict ? checked.faults.map((fault) => ({ ...fault, severity: Severity.error })) : checked.faults;
  if (errorsOf(faults).length > 0 || !checked.config) return ended(file, [passed(), failed(faults)]);
  const rules = { ...passed(faults.length === 0 ? "" : `warnings: ${faults.length}`), faults };

  const synthesis = synthesisStep(checked.config, context);
  if (!("objects" in synthesis)) return ended(file, [passed(), rules, synthesis]);
  return ended(file, [passed(), rules, synthesis, await dryRunStep(synthesis.objects, means.dryRun)]);
}

/** A step with its faults. */
interface Result extends Omit<Step, "title"> {
  readonly faults: readonly Fault[];
}

const passed = (detail = ""): Result => ({ outcome: Outcome.passed, detail, faults: [] });
const failed = (faults: readonly Fault[]): Result => ({ outcome: Outcome.failed, faults });

function synthesisStep(
  config: ConfigFile,
  context: ConfigContext,
): Result | (Result & { objects: KubernetesObject[] }) {
  try {
    const objects = synthesize(config, context);
    return { ...passed(`objects: ${objects.length}`), objects };
  } catch (problem) {
    return failed([error("synthesis", "", sentence(problem), "This is a fault of this program: report it.")]);
  }
}

async function dryRunStep(objects: readonly KubernetesObject[], dryRun: Means["dryRun"]): Promise<Result> {
  if (!dryRun) return { outcome: Outcome.leftOut, detail: "no cluster was asked", faults: [] };
  try {
    const { known, accepted, notChecked, faults } = await dryRun(objects);
    const absent = notChecked === 0 ? "" : `, not checked: ${notChecked}, whose namespace is not there yet`;
    const detail = `client side: ${known} of ${objects.length} known; server side: ${accepted} accepted${absent}`;
    return { outcome: faults.length > 0 ? Outcome.failed : Outcome.passed, detail, faults };
  } catch (problem) {
    const remedy = "Start or name a cluster (--kubeconfig, --context), or leave the dry run out (--offline).";
    return failed([error("dry-run-cluster", "", `No cluster for the dry run: ${sentence(problem)}`, remedy)]);
  }
}

function ended(file: string, results: readonly Result[]): Validation {
  return {
    file,
    steps: titles.map((title, index) => {
      const { outcome, detail } = results[index] ?? { outcome: Outcome.notReached };
      return { title, outcome, detail };
    }),
    faults: results.flatMap(({ faults }) => faults.map((fault) => ({ line: 1, column: 1, ...fault, file }))),
  };
}

function sentence(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  return text.endsWith(".") ? text : `${text}.`;
}
