import type { PodSecurityLevel } from "@hearth-platform/hearth/kubernetes/namespace";
import type { Field } from "../../core/field.ts";
import type { Violation } from "../../core/policy.ts";
import { baselineControls } from "./baseline-controls.ts";
import type { Control } from "./control.ts";
import { restrictedControls } from "./restricted-controls.ts";

/** A violation with the control that is broken. */
export interface PodSecurityViolation extends Violation {
  /** Name of the control, as Kubernetes' own admission calls it. */
  readonly control: string;
}

/**
 * Violations for which Kubernetes' Pod Security admission refuses a pod at `level`, by the rules of Kubernetes 1.35 and later
 * (k8s.io/pod-security-admission, policy/check_*.go). An empty list: the pod is admitted.
 * @param pod `{metadata, spec}` of a pod or of a pod template
 */
export function podSecurityViolations(level: PodSecurityLevel, pod: Field): PodSecurityViolation[] {
  return controlsOf(level).flatMap(([control, { check }]) => check(pod).map((found) => ({ control, ...found })));
}

function controlsOf(level: PodSecurityLevel): [string, Control][] {
  if (level === "privileged") return [];
  const baseline = Object.entries<Control>(baselineControls);
  if (level === "baseline") return baseline;
  const restricted = Object.entries<Control>(restrictedControls);
  const replaced = new Set<string | undefined>(restricted.map(([, { replaces }]) => replaces));
  return [...baseline.filter(([name]) => !replaced.has(name)), ...restricted];
}
