/** Which kinds live in a namespace. */
import { NoMatchError } from "../../kubernetes/discovery.ts";
import type { Session } from "./session.ts";

/**
 * Kinds of Kubernetes itself that belong to the whole cluster: known without asking, so that a preview needs no cluster
 * for them.
 */
const CLUSTER_KINDS: Record<string, readonly string[]> = {
  v1: ["Namespace", "Node", "PersistentVolume", "ComponentStatus"],
  "admissionregistration.k8s.io/v1": [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
  ],
  "apiextensions.k8s.io/v1": ["CustomResourceDefinition"],
  "apiregistration.k8s.io/v1": ["APIService"],
  "certificates.k8s.io/v1": ["CertificateSigningRequest"],
  "flowcontrol.apiserver.k8s.io/v1": ["FlowSchema", "PriorityLevelConfiguration"],
  "networking.k8s.io/v1": ["IngressClass"],
  "node.k8s.io/v1": ["RuntimeClass"],
  "rbac.authorization.k8s.io/v1": ["ClusterRole", "ClusterRoleBinding"],
  "scheduling.k8s.io/v1": ["PriorityClass"],
  "storage.k8s.io/v1": ["StorageClass", "CSIDriver", "CSINode", "VolumeAttachment"],
};

/** Whether an API group is Kubernetes' own; all others come from CustomResourceDefinitions. */
export function isBuiltIn(apiVersion: string): boolean {
  const group = apiVersion.split("/").at(-2) ?? "";
  return !group.includes(".") || group.endsWith(".k8s.io");
}

/**
 * Whether objects of a kind have a namespace. A kind the server does not know (its definition is made in the same run)
 * is taken to have one, as the official provider does; creating corrects it.
 * @throws Error where the server can't be reached
 */
export async function isNamespaced({ cluster }: Session, apiVersion: string, kind: string): Promise<boolean> {
  if (CLUSTER_KINDS[apiVersion]?.includes(kind)) return false;
  if (!cluster) return true;
  try {
    return (await cluster.discovery.resource({ apiVersion, kind })).namespaced;
  } catch (error) {
    if (error instanceof NoMatchError) return true;
    throw error;
  }
}
