import type { PodSecurityLevel } from "../../../components/namespace.ts";
import { baselineControls } from "./baseline-controls.ts";
import { restrictedControls } from "./restricted-controls.ts";

/** A field of a pod that a control of the Pod Security Standards forbids, or wants and does not find. */
export interface PodSecurityFinding {
  /** Path from the pod, e.g. `spec.containers[0].securityContext.privileged`. */
  readonly path: string;
  /** What the field must be, as the end of a sentence: `must be false or absent`. */
  readonly rule: string;
}

/** One control of the Pod Security Standards. */
export interface Control {
  /** Fields of `pod`, which may have any shape, that break the control. */
  check(pod: unknown): PodSecurityFinding[];
  /** Control of the baseline level that this one of the restricted level contains. @default none */
  readonly replaces?: keyof typeof baselineControls;
}

/** A finding with the control it breaks. */
export interface LocatedFinding extends PodSecurityFinding {
  /** Name of the control, as Kubernetes' own admission calls it. */
  readonly control: string;
}

/**
 * What Kubernetes' Pod Security admission would refuse at `level`, by the rules of Kubernetes 1.35 and later
 * (k8s.io/pod-security-admission, policy/check_*.go). An empty list: the pod is admitted.
 * @param pod `{metadata, spec}` of a pod or of a pod template, of any shape
 */
export function podSecurityFindings(level: PodSecurityLevel, pod: unknown): LocatedFinding[] {
  return controlsOf(level).flatMap(([control, { check }]) =>
    check(pod).map(({ path, rule }) => ({ control, path, rule })),
  );
}

function controlsOf(level: PodSecurityLevel): [string, Control][] {
  if (level === "privileged") return [];
  const baseline = Object.entries<Control>(baselineControls);
  if (level === "baseline") return baseline;
  const restricted = Object.entries<Control>(restrictedControls);
  const replaced = new Set<string | undefined>(restricted.map(([, { replaces }]) => replaces));
  return [...baseline.filter(([name]) => !replaced.has(name)), ...restricted];
}
