/** Minor version of Kubernetes 1 that the platform is tested on. */
export const testedMinor = 36;

/** An API version that Kubernetes serves no longer, or soon won't. */
export interface Removal {
  /** e.g. `policy/v1beta1`. */
  readonly apiVersion: string;
  readonly kinds: readonly string[];
  /** Minor version of Kubernetes 1 that warns of it first. */
  readonly deprecated: number;
  /** Minor version of Kubernetes 1 that serves it no longer. */
  readonly removed: number;
  /** API version that has the kinds instead; absent: nothing took its place. */
  readonly replacement?: string;
}

const removal = (
  apiVersion: string,
  kinds: readonly string[],
  deprecated: number,
  removed: number,
  replacement?: string,
): Removal => ({ apiVersion, kinds, deprecated, removed, ...(replacement && { replacement }) });

const rbac = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
const flowControl = ["FlowSchema", "PriorityLevelConfiguration"];
const validation = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
const mutation = ["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"];
const devices = ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"];

/**
 * Objects people deploy whose API version was or will be removed, by the release that removes it: Kubernetes' guide "Deprecated API
 * Migration" (kubernetes.io/docs/reference/using-api/deprecation-guide) and, for what is announced, `APILifecycleDeprecated` and
 * `APILifecycleRemoved` of k8s.io/api v0.36.2.
 */
export const removals: readonly Removal[] = [
  removal("apps/v1beta1", ["Deployment", "StatefulSet"], 8, 16, "apps/v1"),
  removal("apps/v1beta2", ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"], 9, 16, "apps/v1"),
  removal("extensions/v1beta1", ["DaemonSet", "Deployment", "ReplicaSet"], 8, 16, "apps/v1"),
  removal("extensions/v1beta1", ["NetworkPolicy"], 9, 16, "networking.k8s.io/v1"),
  removal("extensions/v1beta1", ["PodSecurityPolicy"], 11, 16),
  removal(
    "admissionregistration.k8s.io/v1beta1",
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    16,
    22,
    "admissionregistration.k8s.io/v1",
  ),
  removal("apiextensions.k8s.io/v1beta1", ["CustomResourceDefinition"], 16, 22, "apiextensions.k8s.io/v1"),
  removal("apiregistration.k8s.io/v1beta1", ["APIService"], 19, 22, "apiregistration.k8s.io/v1"),
  removal("certificates.k8s.io/v1beta1", ["CertificateSigningRequest"], 19, 22, "certificates.k8s.io/v1"),
  removal("coordination.k8s.io/v1beta1", ["Lease"], 19, 22, "coordination.k8s.io/v1"),
  removal("extensions/v1beta1", ["Ingress"], 14, 22, "networking.k8s.io/v1"),
  removal("networking.k8s.io/v1beta1", ["Ingress", "IngressClass"], 19, 22, "networking.k8s.io/v1"),
  removal("rbac.authorization.k8s.io/v1beta1", rbac, 17, 22, "rbac.authorization.k8s.io/v1"),
  removal("scheduling.k8s.io/v1beta1", ["PriorityClass"], 14, 22, "scheduling.k8s.io/v1"),
  removal("storage.k8s.io/v1beta1", ["CSIDriver", "StorageClass", "VolumeAttachment"], 19, 22, "storage.k8s.io/v1"),
  removal("storage.k8s.io/v1beta1", ["CSINode"], 17, 22, "storage.k8s.io/v1"),
  removal("batch/v1beta1", ["CronJob"], 21, 25, "batch/v1"),
  removal("discovery.k8s.io/v1beta1", ["EndpointSlice"], 21, 25, "discovery.k8s.io/v1"),
  removal("node.k8s.io/v1beta1", ["RuntimeClass"], 22, 25, "node.k8s.io/v1"),
  removal("policy/v1beta1", ["PodDisruptionBudget"], 21, 25, "policy/v1"),
  removal("policy/v1beta1", ["PodSecurityPolicy"], 21, 25),
  removal("autoscaling/v2beta1", ["HorizontalPodAutoscaler"], 22, 25, "autoscaling/v2"),
  removal("autoscaling/v2beta2", ["HorizontalPodAutoscaler"], 23, 26, "autoscaling/v2"),
  removal("flowcontrol.apiserver.k8s.io/v1beta1", flowControl, 23, 26, "flowcontrol.apiserver.k8s.io/v1"),
  removal("storage.k8s.io/v1beta1", ["CSIStorageCapacity"], 24, 27, "storage.k8s.io/v1"),
  removal("flowcontrol.apiserver.k8s.io/v1beta2", flowControl, 26, 29, "flowcontrol.apiserver.k8s.io/v1"),
  removal("admissionregistration.k8s.io/v1alpha1", validation, 29, 32, "admissionregistration.k8s.io/v1"),
  removal("flowcontrol.apiserver.k8s.io/v1beta3", flowControl, 29, 32, "flowcontrol.apiserver.k8s.io/v1"),
  removal("admissionregistration.k8s.io/v1beta1", validation, 31, 34, "admissionregistration.k8s.io/v1"),
  removal("storage.k8s.io/v1alpha1", ["VolumeAttributesClass"], 32, 35, "storage.k8s.io/v1"),
  removal("networking.k8s.io/v1beta1", ["IPAddress", "ServiceCIDR"], 34, 37, "networking.k8s.io/v1"),
  removal("storage.k8s.io/v1beta1", ["VolumeAttributesClass"], 34, 37, "storage.k8s.io/v1"),
  removal("admissionregistration.k8s.io/v1alpha1", mutation, 35, 38, "admissionregistration.k8s.io/v1"),
  removal("resource.k8s.io/v1beta1", devices, 35, 38, "resource.k8s.io/v1"),
  removal("resource.k8s.io/v1beta2", devices, 36, 39, "resource.k8s.io/v1"),
  removal("admissionregistration.k8s.io/v1beta1", mutation, 37, 40, "admissionregistration.k8s.io/v1"),
];
