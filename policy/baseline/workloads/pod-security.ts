import type { PodException } from "@hearth-platform/hearth/kubernetes/pod-exceptions";
import type { Field } from "../../core/field.ts";
import { podTemplateOf, podTemplatesOf } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, type Violation, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { appExceptions } from "../pod-security/app-exceptions.ts";
import { type PodSecurityViolation, podSecurityViolations } from "../pod-security/pod-security.ts";
import { askedPrivileges, runnerPrivileges } from "../pod-security/privileges.ts";

export const podSecurity = resourcePolicy({
  id: "wl-pod-security",
  title: "Restricted pods",
  rule: "Pods meet the restricted level of the Pod Security Standards; pod-exceptions.ts lists the exceptions of the office engines. No pod shares its processes among its containers, or has the group 0 as a further one. Objects from which operators make pods, and a ConfigMap that configures a runner of jobs, ask for no privilege either.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Set the field as the message says, or exempt the workload with a reason and a last day.",
  unseen:
    "Pods that programs make at run time, but for the runners' settings named above; group 0 as a pod's first group.",
  tags: ["workloads", "security", "pod-security"],
  settings: {
    baseline: {
      description: "Require only the baseline level, as the API server does in namespaces of that level.",
      default: false,
    },
  },
  kinds: "any",
  check(resource, { baseline }) {
    const pod = podTemplateOf(resource);
    if (resource.groupKind === "ConfigMap") return runnerPrivileges(resource);
    const asked = resource.isCustom ? [...askedPrivileges(resource)] : [];
    if (!pod) return asked;
    const level = baseline ? "baseline" : "restricted";
    const found = podTemplatesOf(resource).flatMap((each) => [
      ...podSecurityViolations(level, each),
      ...sharedParts(each),
    ]);
    if (resource.isCustom)
      return Map.groupBy([...found, ...asked], ({ path }) => path)
        .values()
        .map(([first]) => first as Violation);
    const left = exceptionsOf(resource).map((exception) => found.filter((each) => !covers(exception, pod, each)));
    // A pod is of one engine: the one whose exception leaves the least.
    return left.sort((a, b) => a.length - b.length)[0] ?? found;
  },
});

/** What the Pod Security Standards leave alone. */
function sharedParts(pod: Field): PodSecurityViolation[] {
  const control = "shared";
  const shared = pod.get("spec", "shareProcessNamespace");
  const groups = pod.get("spec", "securityContext", "supplementalGroups");
  return [
    ...(shared.value === true ? [{ control, ...violation(shared, "It must not be true.") }] : []),
    ...(groups.items.some(({ value }) => value === 0)
      ? [{ control, ...violation(groups, "It must not contain 0.") }]
      : []),
  ];
}

/** The product's own exceptions that a workload may use. Being part of the component, not a label, tells it. */
function exceptionsOf(resource: PolicyResource): readonly PodException[] {
  return resource.isIn("hearth/CloudSuite") ? appExceptions(resource.name) : [];
}

function covers(exception: PodException, pod: Field, { control, path }: PodSecurityViolation): boolean {
  if (control === "allowPrivilegeEscalation") return exception.privilegeEscalation ?? false;
  if (control === "runAsNonRoot" || control === "runAsUser") return exception.root ?? false;
  if (control !== "capabilities_restricted" || !path.endsWith(".add")) return false;
  const allowed: readonly unknown[] = exception.capabilities ?? [];
  const added = pod
    .get("spec", "containers")
    .items.flatMap((container) => container.get("securityContext", "capabilities", "add").items);
  return added.every(({ value }) => allowed.includes(value));
}
