import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";

/** A cluster of a person. */
export interface ClusterChoice {
  /** Path of a kubeconfig. @default those of `KUBECONFIG`, then `~/.kube/config` */
  readonly kubeconfig?: string;
  /** Context in it. @default its current one */
  readonly context?: string;
}

/** The kubeconfigs that kubectl would read. */
export function kubeconfigFiles({ kubeconfig }: ClusterChoice, { KUBECONFIG }: NodeJS.ProcessEnv): string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  return KUBECONFIG ? KUBECONFIG.split(delimiter).filter(Boolean) : [join(homedir(), ".kube", "config")];
}

/** A UID, as Kubernetes gives every object one. */
export function uid(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return [];
  const remedy = "Write what `kubectl get namespace kube-system --output jsonpath={.metadata.uid}` prints.";
  return [error("uid", path, "The value is not a UID.", remedy)];
}
