import { homedir } from "node:os";
import { delimiter, join } from "node:path";

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
