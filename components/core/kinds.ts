import { ValidatingAdmissionPolicy } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicy.js";
import { ValidatingAdmissionPolicyBinding } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicyBinding.js";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource.js";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment.js";
import { StatefulSet } from "@pulumi/kubernetes/apps/v1/statefulSet.js";
import { HorizontalPodAutoscaler } from "@pulumi/kubernetes/autoscaling/v2/horizontalPodAutoscaler.js";
import { CronJob } from "@pulumi/kubernetes/batch/v1/cronJob.js";
import { Job } from "@pulumi/kubernetes/batch/v1/job.js";
import { ConfigMap } from "@pulumi/kubernetes/core/v1/configMap.js";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace.js";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim.js";
import { Service } from "@pulumi/kubernetes/core/v1/service.js";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount.js";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy.js";
import { PodDisruptionBudget } from "@pulumi/kubernetes/policy/v1/podDisruptionBudget.js";
import { ClusterRole } from "@pulumi/kubernetes/rbac/v1/clusterRole.js";
import { ClusterRoleBinding } from "@pulumi/kubernetes/rbac/v1/clusterRoleBinding.js";
import { Role } from "@pulumi/kubernetes/rbac/v1/role.js";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding.js";
import type * as pulumi from "@pulumi/pulumi";
import type { KubernetesObject } from "./plan.ts";

/** Takes a planned object. Each class has its own argument type, which the plan has checked already; hence `never`. */
type ResourceClass = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.Resource;

/** Kubernetes' own kinds in use, with the provider's classes. A Secret is never among a plan's objects: its values are no plain data. */
const classes: Readonly<Record<string, ResourceClass>> = {
  "v1/ConfigMap": ConfigMap,
  "v1/Namespace": Namespace,
  "v1/PersistentVolumeClaim": PersistentVolumeClaim,
  "v1/Service": Service,
  "v1/ServiceAccount": ServiceAccount,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": ValidatingAdmissionPolicy,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": ValidatingAdmissionPolicyBinding,
  "apps/v1/Deployment": Deployment,
  "apps/v1/StatefulSet": StatefulSet,
  "autoscaling/v2/HorizontalPodAutoscaler": HorizontalPodAutoscaler,
  "batch/v1/CronJob": CronJob,
  "batch/v1/Job": Job,
  "networking.k8s.io/v1/NetworkPolicy": NetworkPolicy,
  "policy/v1/PodDisruptionBudget": PodDisruptionBudget,
  "rbac.authorization.k8s.io/v1/ClusterRole": ClusterRole,
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": ClusterRoleBinding,
  "rbac.authorization.k8s.io/v1/Role": Role,
  "rbac.authorization.k8s.io/v1/RoleBinding": RoleBinding,
};

/**
 * Groups that Kubernetes itself serves; a kind of theirs has to be in the table, or its resource would have the wrong type. The Gateway
 * API has a name like theirs, and comes as custom resources.
 */
const builtIn = /^(v1|apps\/.*|batch\/.*|policy\/.*|autoscaling\/.*|(?!gateway\.networking\.)[a-z.]+\.k8s\.io\/.*)$/;

/**
 * The Pulumi resource class of an object: Kubernetes' own kinds by the table, all others as custom resources.
 * @throws Error where a kind of Kubernetes' own is missing in the table
 */
export function resourceClass(object: KubernetesObject): ResourceClass {
  const known = classes[`${object.apiVersion}/${object.kind}`];
  if (known) return known;
  if (builtIn.test(object.apiVersion)) throw new Error(`${object.apiVersion} ${object.kind} is missing in kinds.ts.`);
  return CustomResource;
}
