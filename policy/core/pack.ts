import { writeProblem } from "@hearth-platform/hearth/core/problem-file";
import { error, warning } from "@hearth-platform/hearth/core/problems";
import {
  PolicyPack,
  type ResourceValidationArgs,
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  UnknownValueError,
} from "@pulumi/policy";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc.js";
import { exemptionProblems, exemptionsIn, exemptionsSchema, isExempt } from "./exemptions.ts";
import { unknown } from "./field.ts";
import {
  concerns,
  evaluate,
  evaluateStack,
  isStackPolicy,
  levelOf,
  mayConcern,
  type Pack,
  type Policy,
  policySettings,
  type ResourcePolicy,
  type SettingValue,
  type StackPolicy,
  type Violation,
} from "./policy.ts";
import { onceFor, passOverUnread, readOnce } from "./read-once.ts";
import { PolicyResource } from "./resource.ts";
import { PolicyProfile, type StackFacts, stackFacts } from "./stack-facts.ts";

const otherKind = "The policy does not check this kind.";

type PulumiPolicy = ResourceValidationPolicy & Partial<StackValidationPolicy>;
type Report = (message: string, urn?: string) => void;

/** The first resource of every program; what is wrong with a configuration is reported on it. */
const stackType = "pulumi:pulumi:Stack";

/** Serves a pack to the engine. Call it once in a process. */
export function servePack({ name, description, policies }: Pack): void {
  readOnce();
  passOverUnread();
  const stack = stackFacts(process.env);
  const settled: Settled = new Map();
  new PolicyPack(name, {
    description,
    policies: policies.map((policy) => pulumiPolicy(policy, stack, settled)),
  });
}

/** By the URN of a component: the component it is in, and the policies that reported or exempt it. Those skip everything it makes. */
type Settled = Map<string, { readonly parent: string | undefined; readonly policies: Set<string> }>;

function pulumiPolicy(policy: Policy, stack: StackFacts, settled: Settled): PulumiPolicy {
  return {
    name: policy.id,
    displayName: policy.title,
    description: policy.rule,
    enforcementLevel: levelOf(policy, stack.maintenance ? PolicyProfile.maintenance : stack.profile),
    severity: policy.severity,
    remediationSteps: policy.remediation,
    url: `docs/reference/policies.md#${policy.id}`,
    tags: [...policy.tags],
    configSchema: { properties: { ...settingsSchema(policy), exempt: exemptionsSchema as never } },
    ...(isStackPolicy(policy) ? ofStack(policy, stack) : ofResource(policy, stack, settled)),
  };
}

function ofResource(
  policy: ResourcePolicy,
  stack: StackFacts,
  settled: Settled,
): Pick<PulumiPolicy, "validateResource"> {
  return {
    validateResource(args, report) {
      if (args.type === stackType) return reportExemptions(policy, args, report);
      const outline = outlineOf(args);
      const settledHere = { parent: outline.parent, policies: settled.get(args.urn)?.policies ?? new Set<string>() };
      if (outline.groupKind.startsWith("hearth/")) settled.set(args.urn, settledHere);
      if (!mayConcern(policy, outline)) return doesNotApply(args, otherKind);
      if (isSettled(outline, policy.id, settled)) return doesNotApply(args, "Its component is reported or exempt.");
      const resource = resourceOf(args);
      if (!concerns(policy, resource)) return doesNotApply(args, otherKind);
      const config = args.getConfig<Record<string, unknown>>();
      if (isExempt(resource, exemptionsIn(config), new Date())) {
        settledHere.policies.add(policy.id);
        return doesNotApply(args, "It is exempt.");
      }
      const { violations, skipped } = evaluate(policy, resource, policySettings(policy, config), stack);
      for (const violation of violations) tell(report, policy, violation);
      if (violations.length > 0) settledHere.policies.add(policy.id);
      if (skipped !== undefined) throw notKnown(skipped);
    },
  };
}

/** At the end the SDK gives outputs, many unknown at preview; inputs are known, so they are collected on the way. */
function ofStack(policy: StackPolicy, stack: StackFacts): Pick<PulumiPolicy, "validateResource" | "validateStack"> {
  const resources = new Map<string, PolicyResource>();
  return {
    validateResource(args, report) {
      if (args.type === stackType) return reportExemptions(policy, args, report);
      if (!mayConcern(policy, outlineOf(args))) return doesNotApply(args, otherKind);
      resources.set(args.urn, resourceOf(args));
    },
    validateStack(args, report) {
      const config = args.getConfig<Record<string, unknown>>();
      const { violations, skipped } = evaluateStack(
        policy,
        [...resources.values()],
        policySettings(policy, config),
        stack,
      );
      // An `up` previews first, with the same process.
      resources.clear();
      for (const violation of violations)
        if (!isExempt(violation.resource, exemptionsIn(config), new Date()))
          tell(report, policy, violation, violation.resource.urn);
      if (skipped !== undefined) throw notKnown(skipped);
    },
  };
}

function reportExemptions(policy: Policy, args: ResourceValidationArgs, report: Report): void {
  for (const { path, message } of exemptionProblems(exemptionsIn(args.getConfig()), new Date())) {
    const text = `${path}: ${message}`;
    writeProblem({ ...error(policy.id, path, message, policy.remediation), text });
    report(text);
  }
}

function tell(report: Report, policy: Policy, { path, message, advice }: Violation, urn?: string): void {
  const text = `${path === "" ? "" : `${path}: `}${message} ${policy.remediation}`;
  writeProblem({ ...(advice ? warning : error)(policy.id, path, message, policy.remediation), text });
  if (!advice) {
    report(text, urn);
    return;
  }
  // The SDK takes an object too, whose level is stronger than the policy's; its types don't say so.
  (report as unknown as (violation: object) => void)({
    message: `${policy.rule}\n${text}`,
    urn,
    enforcementLevel: "advisory",
  });
}

function isSettled({ parent }: PolicyResource, policy: string, settled: Settled): boolean {
  for (let urn = parent; urn !== undefined; urn = settled.get(urn)?.parent)
    if (settled.get(urn)?.policies.has(policy)) return true;
  return false;
}

/** Policies are shown the same inputs one after another. */
const inputs = ({ props }: ResourceValidationArgs) => props;

const resourceOf = onceFor(
  inputs,
  ({ type, urn, props, opts }) =>
    new PolicyResource({ type, urn, props: plain(props), parent: opts.parent, protect: opts.protect }),
);

/** A resource with only the inputs that identify it: most policies need no more. */
const outlineOf = onceFor(inputs, ({ type, urn, props, opts }) => {
  const own = ["apiVersion", "kind"].map((key) => [key, plainAt(props, key)]);
  return new PolicyResource({ type, urn, props: Object.fromEntries(own), parent: opts.parent });
});

const notApplicable = new Map<string, unknown>();

/** Ends a policy as `args.notApplicable` does; an error of its own for each policy and resource takes time, too. */
function doesNotApply(args: Pick<ResourceValidationArgs, "notApplicable">, reason: string): never {
  if (!notApplicable.has(reason)) {
    try {
      args.notApplicable(reason);
    } catch (error) {
      notApplicable.set(reason, error);
    }
  }
  throw notApplicable.get(reason);
}

/** The SDK's view of inputs throws where one is unknown; ours holds a mark there. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => [key, plainAt(value as Record<string, unknown>, key)] as const);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function plainAt(map: Record<string, unknown>, key: string): unknown {
  try {
    return plain(map[key]);
  } catch (error) {
    if (error instanceof UnknownValueError) return unknown;
    throw error;
  }
}

/** Error of which the SDK makes the advice "can't run policy … during preview". */
function notKnown(path: string): UnknownValueError {
  return new UnknownValueError(unknownValue, [path]);
}

function settingsSchema(policy: Policy) {
  return Object.fromEntries(
    Object.entries(policy.settings).map(([key, { description, default: standard }]) => [
      key,
      { ...typeOf(standard), description, default: standard as never },
    ]),
  );
}

function typeOf(value: SettingValue) {
  if (typeof value !== "object") return { type: typeof value as "string" | "number" | "boolean" };
  return { type: "array" as const, items: { type: "string" as const } };
}
