import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf, type PodLabels, podsOf, selects } from "../selection.ts";
import { leastReplicas, replicasField, scaledKinds } from "./scaled.ts";

const budgetKind = "policy/PodDisruptionBudget";
const autoscalerKind = "autoscaling/HorizontalPodAutoscaler";
const databaseKind = "postgresql.cnpg.io/Cluster";

/** A workload with the pods it has at least. */
interface Counted {
  readonly resource: PolicyResource;
  readonly labels: PodLabels;
  readonly count: number;
}

export const disruptionBudgets = stackPolicy({
  id: "wl-disruption-budget",
  title: "Nodes can be drained, one pod at a time",
  rule: "A workload of two or more replicas has a PodDisruptionBudget. No budget protects all pods of a workload: a node with one of them could never be drained.",
  severity: PolicySeverity.medium,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation:
    "Write a PodDisruptionBudget with maxUnavailable 1 for two or more replicas, and none for a single one. For a database, set enablePDB.",
  unseen: "Budgets made outside the stack, and workloads of operators other than CloudNativePG.",
  tags: ["workloads", "reliability", "maintenance"],
  settings: {},
  kinds: [...scaledKinds, budgetKind, autoscalerKind],
  *checkStack(resources) {
    const autoscalers = resources.filter(({ groupKind }) => groupKind === autoscalerKind);
    const budgets = resources.filter(({ groupKind }) => groupKind === budgetKind);
    const counted = resources
      .filter(({ groupKind }) => scaledKinds.includes(groupKind))
      .map((resource) => ({
        resource,
        labels: podsOf(resource)?.labels ?? new Map(),
        count: leastReplicas(resource, autoscalers),
      }));
    for (const each of counted) yield* budgetOf(each, budgets);
    for (const budget of budgets)
      yield* blocking(
        budget,
        counted.filter((each) => isFor(budget, each)),
      );
  },
});

function* budgetOf(counted: Counted, budgets: readonly PolicyResource[]): Generator<StackViolation> {
  const { resource, count } = counted;
  const own = resource.get("spec", "enablePDB");
  if (resource.groupKind === databaseKind && own.value !== false) {
    // The operator makes the budget, for a single instance too.
    if (count === 1) yield violationOf(resource, own, "With one instance it must be false.");
  } else if (count > 1 && !budgets.some((budget) => isFor(budget, counted)))
    yield violationOf(resource, replicasField(resource), "More than one replica needs a PodDisruptionBudget.");
}

function* blocking(budget: PolicyResource, selected: readonly Counted[]): Generator<StackViolation> {
  const pods = selected.reduce((sum, { count }) => sum + count, 0);
  if (pods === 0) return;
  const most = budget.get("spec", "maxUnavailable");
  const least = budget.get("spec", "minAvailable");
  const message = "It must allow the eviction of at least one of the pods it selects.";
  if (most.exists && amountOf(most, pods) < 1) yield violationOf(budget, most, message);
  if (!most.exists && least.exists && amountOf(least, pods) >= pods) yield violationOf(budget, least, message);
}

/** A number of pods, or a percentage of them, which the API server rounds up. */
function amountOf(field: Field, pods: number): number {
  const [, percent] = /^(\d+)%$/.exec(field.text ?? "") ?? [];
  return percent === undefined ? (field.number ?? 0) : Math.ceil((Number(percent) * pods) / 100);
}

function isFor(budget: PolicyResource, { resource, labels }: Counted): boolean {
  const selector = budget.get("spec", "selector");
  return namespaceOf(budget) === namespaceOf(resource) && selector.exists && selects(selector, labels);
}
