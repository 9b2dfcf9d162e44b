import { unknown } from "@hearth-platform/policy/core/field";
import {
  concerns,
  EnforcementLevel,
  evaluate,
  evaluateStack,
  isStackPolicy,
  levelOf,
  policySettings,
} from "@hearth-platform/policy/core/policy";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import type { StackFacts } from "@hearth-platform/policy/core/stack-facts";
import { platformPack } from "@hearth-platform/policy/policies";

/** A policy's verdict on the stack as it was last brought up. */
export interface PolicyVerdict {
  readonly policy: string;
  /** Name in the stack's state, e.g. `team`. */
  readonly resource: string;
  readonly message: string;
}

/** A resource as `pulumi stack export` has it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly parent?: string;
  readonly protect?: boolean;
  /** When it was made and last changed, as RFC 3339. */
  readonly created?: string;
  readonly modified?: string;
}

/** Verdicts of all policies, with their default settings, on the resources of a stack's state. Its secrets are unknown, as at preview. */
export function verdicts(state: readonly StateResource[], facts: StackFacts): PolicyVerdict[] {
  const resources = state.map(
    ({ type, urn, inputs = {}, parent, protect }) =>
      new PolicyResource({ type, urn, props: withoutSecrets(inputs) as Record<string, unknown>, parent, protect }),
  );
  return platformPack.policies
    .filter((policy) => levelOf(policy, facts.profile) !== EnforcementLevel.disabled)
    .flatMap((policy) => {
      const found = isStackPolicy(policy)
        ? evaluateStack(policy, resources, policySettings(policy), facts).violations
        : resources
            .filter((resource) => concerns(policy, resource))
            .flatMap((resource) =>
              evaluate(policy, resource, policySettings(policy), facts).violations.map((each) => ({
                ...each,
                resource,
              })),
            );
      return found.map(({ resource, path, message }) => ({
        policy: policy.id,
        resource: resource.urn.replace(/^.*::/, ""),
        message: path === "" ? message : `${path}: ${message}`,
      }));
    });
}

/** Pulumi's mark of a secret in a state. */
const secretMark = "4dabf18193072939515e22adb298388d";

function withoutSecrets(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (secretMark in value) return unknown;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)]));
}
