import type { NamedRuleWithOperations } from "kubernetes-types/admissionregistration/v1.d.ts";

/** Which requests an admission policy judges; Kubernetes' published types leave half of the fields out. */
export interface ResourceRule extends NamedRuleWithOperations {
  resources: string[];
  /** @default both */
  scope?: "Cluster" | "Namespaced";
}
