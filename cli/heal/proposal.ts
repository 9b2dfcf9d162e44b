import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Export, isProvider, type StateInputs, type StateResource } from "./deployment.ts";
import type { Run } from "./stack-state.ts";

/** What an update would do: `pulumi preview --json`, and the inputs with their secrets from `--save-plan`. */
export interface Proposal {
  readonly steps?: readonly { readonly op: string; readonly urn?: string; readonly newState?: StateResource }[];
  readonly resourcePlans?: Readonly<Record<string, ResourcePlan>>;
}

/** pulumi/pulumi sdk/go/common/apitype/plan.go */
interface ResourcePlan {
  readonly goal?: {
    readonly type?: string;
    readonly inputDiff?: {
      readonly adds?: StateInputs;
      readonly updates?: StateInputs;
      readonly deletes?: readonly string[];
    };
    readonly ignoreChanges?: readonly string[];
  };
  /** Outputs as far as a preview knows them. */
  readonly state?: StateInputs;
}

/** What refusals of the program a preview of heal passes over: objects that the state does not know, or all of a platform. */
export type Passed = "forgotten" | "lost-state";

/** A resource that an update would make or change, as it would be; with its secrets in the clear, and marked. */
export interface Proposed {
  readonly op: "create" | "create-replacement" | "update";
  readonly resource: StateResource;
  /** Its outputs as far as a preview knows them. */
  readonly expected: StateInputs;
  /** Paths of fields that something in the cluster owns. */
  readonly ignoreChanges: readonly string[];
}

/** The changes of a proposal, dependencies first, but for default providers, which come last. @param state with its secrets in the clear */
export function proposedStates({ steps = [], resourcePlans = {} }: Proposal, { deployment }: Export): Proposed[] {
  const recorded = (deployment?.resources ?? []).filter((resource) => !resource.delete);
  const old = new Map(recorded.map((resource) => [resource.urn, resource]));
  const changed = steps.flatMap(({ op, newState }): Proposed[] => {
    if (!newState || (op !== "create" && op !== "create-replacement" && op !== "update")) return [];
    // One that had another name has its inputs there: it is left to the next update.
    if (op !== "create" && !old.has(newState.urn)) return [];
    const plan = resourcePlans[newState.urn];
    const before = op === "create" ? newState.inputs : old.get(newState.urn)?.inputs;
    return [stateOf(op, { ...newState, inputs: inputsAfter(before, plan) }, plan)];
  });
  // The engine shows these in no step.
  const seen = new Set([...old.keys(), ...steps.flatMap(({ newState }) => newState?.urn ?? [])]);
  const defaults = Object.entries(resourcePlans).flatMap(([urn, plan]) => {
    const { type = "" } = plan.goal ?? {};
    if (seen.has(urn) || !isProvider({ type })) return [];
    return [stateOf("create", { urn, type, custom: true, inputs: inputsAfter({}, plan) }, plan)];
  });
  return [...changed, ...defaults];
}

/** Kubernetes objects of the state that an update would delete, because the settings no longer have them. */
export function proposedDeletes({ steps = [] }: Proposal, { deployment }: Export): StateResource[] {
  const deleted = new Set(steps.flatMap(({ op, urn }) => (op === "delete" && urn !== undefined ? [urn] : [])));
  return (deployment?.resources ?? []).filter(
    ({ urn, type, protect }) => deleted.has(urn) && type.startsWith("kubernetes:") && !protect,
  );
}

const stateOf = (op: Proposed["op"], resource: StateResource, { state, goal }: ResourcePlan = {}): Proposed => ({
  ...{ op, resource, expected: state ?? {} },
  ignoreChanges: goal?.ignoreChanges ?? [],
});

/** A step's own inputs hide secrets; a plan has what differs from the inputs before. */
function inputsAfter(before: StateInputs = {}, { goal }: ResourcePlan = {}): StateInputs {
  const { adds, updates, deletes = [] } = goal?.inputDiff ?? {};
  return Object.fromEntries(
    Object.entries({ ...before, ...adds, ...updates }).filter(([name]) => !deletes.includes(name)),
  );
}

/** Previews a stack. @param options of the preview: stack and settings @throws Error with what stopped it */
export async function propose(pulumi: Run, options: readonly string[], passed: Passed): Promise<Proposal> {
  // A plan alone has secrets: it stands in a folder that only this user can open, for as long as it takes to read it.
  const folder = mkdtempSync(join(tmpdir(), "hearth-plan-"));
  const plan = join(folder, "plan.json");
  try {
    const preview = ["preview", "--json", "--show-secrets", "--save-plan", plan, ...options];
    const { stdout, stderr, succeeded } = await pulumi(preview, { env: { HEARTH_HEALS: passed } });
    if (!succeeded) throw new Error(errorsIn(stdout) || stderr.trim());
    return { ...JSON.parse(stdout), ...JSON.parse(readFileSync(plan, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The errors among the diagnostics of a preview that failed. */
function errorsIn(stdout: string): string {
  try {
    const { diagnostics = [] } = JSON.parse(stdout) as { diagnostics?: { severity: string; message: string }[] };
    return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? message.trim() : [])).join("\n");
  } catch {
    return "";
  }
}
