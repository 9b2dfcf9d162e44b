import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "kubernetes-types/admissionregistration/v1.d.ts";
import type { ClusterRole, ClusterRoleBinding, RoleBinding } from "kubernetes-types/rbac/v1.d.ts";
import { objectId, type PlannedObject } from "../core/plan.ts";
import type { ResourceRule } from "../kubernetes/admission-rule.ts";
import { workloadLabels } from "../kubernetes/pod.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { clusterMetadata, clusterWideName, partOf, webhookNames } from "./webhook-names.ts";

/** The one right there is: the verb `patch` on StaticSites, in every namespace unless some are listed. */
export function roleObjects(args: ResolvedSiteWebhook): PlannedObject[] {
  const { group, plural } = args.staticSites;
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: clusterMetadata(args),
    rules: [{ apiGroups: [group], resources: [plural], verbs: ["patch"] }],
  } satisfies ClusterRole;
  if (args.namespaces) return [{ object: role }];
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: clusterMetadata(args),
    ...grant(args),
  } satisfies ClusterRoleBinding;
  // Without an administrator's rights, only a role that is there can be bound.
  return [{ object: role }, { object: binding, after: [`ClusterRole/${clusterWideName(args)}`] }];
}

/** The right in one of the listed namespaces. */
export function roleBinding(args: ResolvedSiteWebhook, namespace: string): PlannedObject {
  const object = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: {
      name: clusterWideName(args),
      namespace,
      labels: workloadLabels(webhookNames.webhook, partOf, args.platform),
    },
    ...grant(args),
  } satisfies RoleBinding;
  return { object };
}

function grant(args: ResolvedSiteWebhook) {
  return {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: clusterWideName(args) },
    subjects: [{ kind: "ServiceAccount", name: webhookNames.webhook, namespace: args.namespace }],
  };
}

/**
 * What the verb `patch` allows beyond the annotation, the API server refuses by this policy: whoever got hold of the account's
 * token could otherwise make every site serve another repository.
 */
export function policyObjects(args: ResolvedSiteWebhook): PlannedObject[] {
  const { group, plural, annotationDomain } = args.staticSites;
  const annotation = `${annotationDomain}/sync`;
  const account = `system:serviceaccount:${args.namespace}:${webhookNames.webhook}`;
  const metadata = clusterMetadata(args);
  const resourceRules: ResourceRule[] = [
    { apiGroups: [group], apiVersions: ["*"], operations: ["*"], resources: [plural, `${plural}/*`] },
  ];
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata,
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { resourceRules },
      matchConditions: [{ name: "by-the-webhook", expression: `request.userInfo.username == '${account}'` }],
      variables: [
        { name: "before", expression: "oldObject.metadata.?annotations.orValue({})" },
        { name: "now", expression: "object.metadata.?annotations.orValue({})" },
      ],
      validations: [
        {
          expression: "request.operation == 'UPDATE' && request.?subResource.orValue('') == ''",
          message: "The webhook may only update sites that exist.",
        },
        {
          expression: "object.?spec == oldObject.?spec && object.?status == oldObject.?status",
          message: "The webhook may not change what a site is.",
        },
        {
          expression: ["labels", "finalizers", "ownerReferences"]
            .map((field) => `object.metadata.?${field} == oldObject.metadata.?${field}`)
            .join(" && "),
          message: "The webhook may not change labels, finalizers or owners of a site.",
        },
        {
          expression:
            `variables.now.all(key, key == '${annotation}' || (key in variables.before && variables.before[key] == variables.now[key])) && ` +
            "variables.before.all(key, key in variables.now)",
          message: `The webhook may change no annotation but ${annotation}.`,
        },
        {
          expression: `'${annotation}' in variables.now && variables.now['${annotation}'].matches('^[0-9]{1,12}$')`,
          message: `${annotation} has to be seconds since the epoch.`,
        },
      ],
    },
  } satisfies ValidatingAdmissionPolicy;
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata,
    spec: { policyName: metadata.name, validationActions: ["Deny"] },
  } satisfies ValidatingAdmissionPolicyBinding;
  return [{ object: policy }, { object: binding, after: [objectId(policy)] }];
}
