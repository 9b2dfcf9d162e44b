import type { Field } from "../../core/field.ts";

/** All containers of a pod: init containers (sidecars among them), containers, ephemeral containers. */
export function containersOf(pod: Field): readonly Field[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => pod.get("spec", list).items);
}

/** The security contexts of a pod and of its containers, there or not. */
export function securityContexts(pod: Field): readonly Field[] {
  return [pod.get("spec"), ...containersOf(pod)].map((holder) => holder.get("securityContext"));
}

/** Whether the pod has its own user namespace, in which root is nobody on the node. */
export function inUserNamespace(pod: Field): boolean {
  return pod.get("spec", "hostUsers").value === false;
}

/** Whether the pod runs on Windows nodes, which know no escalation, capabilities or seccomp. */
export function onWindows(pod: Field): boolean {
  return pod.get("spec", "os", "name").value === "windows";
}
