import { error, type Problem } from "@hearth-platform/hearth/core/problems";

/** A UID, as Kubernetes gives every object one. */
export function uid(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return [];
  const remedy = "Write what `kubectl get namespace kube-system --output jsonpath={.metadata.uid}` prints.";
  return [error("uid", path, "The value is not a UID.", remedy)];
}
