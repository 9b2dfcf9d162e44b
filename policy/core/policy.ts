import { type Field, UnknownField } from "./field.ts";
import { otherPodKinds, podTemplateOf } from "./pods.ts";
import type { PolicyResource } from "./resource.ts";
import type { PolicyProfile, StackFacts } from "./stack-facts.ts";

export const PolicySeverity = { low: "low", medium: "medium", high: "high", critical: "critical" } as const;
export type PolicySeverity = (typeof PolicySeverity)[keyof typeof PolicySeverity];

/** Mandatory: the preview fails and nothing is changed. Advisory: it is only told. In Pulumi's words. */
export const EnforcementLevel = { mandatory: "mandatory", advisory: "advisory", disabled: "disabled" } as const;
export type EnforcementLevel = (typeof EnforcementLevel)[keyof typeof EnforcementLevel];

/** A policy's setting; the default shows its type. */
export type SettingValue = number | string | boolean | readonly string[];

/** A setting of a policy. */
export interface Setting<Value extends SettingValue = SettingValue> {
  /** Its effect, as a sentence, with its unit. */
  readonly description: string;
  readonly default: Value;
}

export type PolicySettings = Readonly<Record<string, Setting>>;

/** The values of `Declared`, defaults filled in. */
export type SettingValues<Declared extends PolicySettings> = {
  readonly [Key in keyof Declared]: Declared[Key] extends Setting<infer Value> ? Value : never;
};

/** Something a policy forbids. */
export interface Violation {
  /** Where, e.g. `spec.replicas`; empty: the whole resource. */
  readonly path: string;
  /** The violation, as a sentence. It names paths and allowed values, never the value found, which may be secret. */
  readonly message: string;
  /** Only advice, even if the policy is mandatory. @default false */
  readonly advice?: boolean;
}

/** A violation at `field`. */
export function violation({ path }: Field, message: string): Violation {
  return { path, message };
}

/** Fields of all policies. */
export interface PolicyDescription<Declared extends PolicySettings> {
  /** Kebab-case name, stable across releases. */
  readonly id: string;
  /** Its subject, in a few words. */
  readonly title: string;
  /** The rule, in a sentence or two. */
  readonly rule: string;
  readonly severity: PolicySeverity;
  /** How strict it is by the stack's profile; a level alone is that of every profile. */
  readonly level: EnforcementLevel | Readonly<Record<PolicyProfile, EnforcementLevel>>;
  /** The remedy of a violation, as a sentence. */
  readonly remediation: string;
  /** What breaks the rule and is not seen, as a sentence. */
  readonly unseen: string;
  /** Words to find it by. */
  readonly tags: readonly string[];
  readonly settings: Declared;
  /** Name of the ValidatingAdmissionPolicy that says the same in the cluster. @default none */
  readonly admissionCounterpart?: string;
  /** Kinds it judges, by `groupKind`: `apps/Deployment`, `hearth/CloudSuite`; "any": every resource. */
  readonly kinds: readonly string[] | "any";
}

/** A rule on one resource. It is judged before the resource is touched. */
export interface ResourcePolicy<Declared extends PolicySettings = PolicySettings> extends PolicyDescription<Declared> {
  /** Violations of a resource of its kinds. It throws only for an unknown value that it needs. */
  check(resource: PolicyResource, settings: SettingValues<Declared>, stack: StackFacts): Iterable<Violation>;
}

/** A violation, and whose it is. */
export interface StackViolation extends Violation {
  readonly resource: PolicyResource;
}

/** A violation at `field` of `resource`. */
export function violationOf(resource: PolicyResource, { path }: Field, message: string): StackViolation {
  return { resource, path, message };
}

/** A rule on how resources fit together. It is judged at the end, on the inputs of all resources: before changes in a preview only. */
export interface StackPolicy<Declared extends PolicySettings = PolicySettings> extends PolicyDescription<Declared> {
  /** Violations of the resources of its kinds. It throws like `check`. */
  checkStack(
    resources: readonly PolicyResource[],
    settings: SettingValues<Declared>,
    stack: StackFacts,
  ): Iterable<StackViolation>;
}

export type Policy = ResourcePolicy | StackPolicy;

/** Policies that one process serves to the engine. */
export interface Pack {
  readonly name: string;
  /** Their subject, as a sentence. */
  readonly description: string;
  readonly policies: readonly Policy[];
}

/** A rule on one resource, with its settings' types inferred. */
export function resourcePolicy<const Declared extends PolicySettings>(
  policy: ResourcePolicy<Widened<Declared>> & { readonly settings: Declared },
): ResourcePolicy {
  return policy as unknown as ResourcePolicy;
}

/** A rule on how resources fit together, with its settings' types inferred. */
export function stackPolicy<const Declared extends PolicySettings>(
  policy: StackPolicy<Widened<Declared>> & { readonly settings: Declared },
): StackPolicy {
  return policy as unknown as StackPolicy;
}

/** The settings with defaults of their general types: a default of 3 is any number. */
type Widened<Declared extends PolicySettings> = {
  readonly [Key in keyof Declared]: Setting<General<Declared[Key]["default"]>>;
};
type General<Value> = Value extends number
  ? number
  : Value extends string
    ? string
    : Value extends boolean
      ? boolean
      : readonly string[];

/** How strict a policy is in a profile. */
export function levelOf({ level }: Policy, profile: PolicyProfile): EnforcementLevel {
  return typeof level === "string" ? level : level[profile];
}

export function isStackPolicy(policy: Policy): policy is StackPolicy {
  return "checkStack" in policy;
}

/** Whether a policy has anything to say about a resource. */
export function concerns(policy: Policy, resource: PolicyResource): boolean {
  return isOfKind(policy, resource) || (judgesOtherPods(policy) && podTemplateOf(resource) !== undefined);
}

/** Whether it may have, as far as the kind alone tells. */
export function mayConcern(policy: Policy, resource: PolicyResource): boolean {
  return isOfKind(policy, resource) || (judgesOtherPods(policy) && resource.isCustom);
}

function isOfKind({ kinds }: Policy, { groupKind }: PolicyResource): boolean {
  return kinds === "any" || kinds.includes(groupKind);
}

function judgesOtherPods({ kinds }: Policy): boolean {
  return kinds.includes(otherPodKinds);
}

/** The outcome of an evaluation. A skipped one met an unknown value and is neither good nor bad. */
export interface Evaluation<V extends Violation = Violation> {
  readonly violations: readonly V[];
  /** Path of the unknown value that ended the evaluation. */
  readonly skipped?: string;
}

/** Judges one resource of the policy's kinds. */
export function evaluate(
  policy: ResourcePolicy,
  resource: PolicyResource,
  settings: SettingValues<PolicySettings>,
  stack: StackFacts,
): Evaluation {
  return collect(() => policy.check(resource, settings, stack));
}

/** Judges the resources of a stack that the policy concerns. */
export function evaluateStack(
  policy: StackPolicy,
  resources: readonly PolicyResource[],
  settings: SettingValues<PolicySettings>,
  stack: StackFacts,
): Evaluation<StackViolation> {
  const concerned = resources.filter((resource) => concerns(policy, resource));
  return collect(() => policy.checkStack(concerned, settings, stack));
}

/** Violations found before the unknown value stay. */
function collect<V extends Violation>(check: () => Iterable<V>): Evaluation<V> {
  const violations: V[] = [];
  try {
    for (const found of check()) violations.push(found);
  } catch (error) {
    if (error instanceof UnknownField) return { violations, skipped: error.path };
    throw error;
  }
  return { violations };
}

/** The policy's settings: what is given, where its type is right, over the defaults. */
export function policySettings(
  policy: Policy,
  given: Readonly<Record<string, unknown>> = {},
): SettingValues<PolicySettings> {
  const values = Object.entries(policy.settings).map(([key, { default: standard }]) => {
    const found = Object.hasOwn(given, key) ? given[key] : undefined;
    return [key, sameType(found, standard) ? found : standard];
  });
  return Object.fromEntries(values);
}

function sameType(found: unknown, standard: SettingValue): found is SettingValue {
  if (Array.isArray(standard)) return Array.isArray(found) && found.every((item) => typeof item === "string");
  return typeof found === typeof standard;
}
