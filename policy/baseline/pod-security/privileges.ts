import type { Field } from "../../core/field.ts";
import { type Violation, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

const node = "It must not be set: it gives the pod access to the node.";

/** Fields of pods by their names, wherever an operator's kind has them: what each may not be. */
const privileges: Readonly<Record<string, (field: Field) => string | undefined>> = {
  privileged: (field) => (field.value === true ? node : undefined),
  hostNetwork: (field) => (field.value === true ? node : undefined),
  hostPID: (field) => (field.value === true ? node : undefined),
  hostIPC: (field) => (field.value === true ? node : undefined),
  hostPath: (field) => (field.get("path").text !== undefined ? node : undefined),
  allowPrivilegeEscalation: (field) => (field.value === true ? "It must be false." : undefined),
  runAsNonRoot: (field) => (field.value === false ? "It must be true." : undefined),
  hostPort: (field) => ((field.number ?? 0) > 0 ? node : undefined),
  hostProcess: (field) => (field.value === true ? node : undefined),
  sysctls: (field) => (field.items.length > 0 ? "It must be empty." : undefined),
  shareProcessNamespace: (field) => (field.value === true ? "It must not be true." : undefined),
  supplementalGroups: (field) => (field.items.some(({ value }) => value === 0) ? "It must not contain 0." : undefined),
  appArmorProfile: (field) =>
    field.get("type").value === "Unconfined" ? "Its type must be RuntimeDefault or Localhost." : undefined,
  runAsUser: (field) => (field.value === 0 || field.value === "0" ? "It must not be 0." : undefined),
  procMount: (field) => (field.value === "Unmasked" ? "It must be Default." : undefined),
  capabilities: (field) => (field.get("add").items.length > 0 ? "It must add none." : undefined),
  seccompProfile: (field) =>
    field.get("type").value === "Unconfined" ? "Its type must be RuntimeDefault or Localhost." : undefined,
};

/**
 * Privileges that an object of an operator's kind asks for, whatever it looks like: such a kind may hold a whole pod, a part of one
 * that the operator completes, or no more than a security context.
 */
export function* askedPrivileges(resource: PolicyResource): Generator<Violation> {
  for (const field of resource.inputs.walk()) {
    const rule = typeof field.key === "string" && Object.hasOwn(privileges, field.key) && privileges[field.key];
    const message = rule ? rule(field) : undefined;
    if (message !== undefined) yield violation(field, message);
  }
}

/** Settings of a runner by which its jobs get a node, in TOML, YAML and JSON. */
const ofRunner =
  /^[ \t]*"?(?:privileged|allow_?privilege_?escalation|host_?network|host_?pid)"?[ \t]*[=:][ \t]*"?true\b|^[ \t]*\[\[?[\w.]*volumes\.host_path\]/im;

/** Privileges that a runner's configuration gives its jobs. */
export function* runnerPrivileges(resource: PolicyResource): Generator<Violation> {
  for (const [, field] of resource.get("data").entries)
    if (ofRunner.test(field.text ?? "")) yield violation(field, node);
}
