import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "kubernetes-types/admissionregistration/v1.d.ts";
import { joinPlans, type KubernetesObject, objectId, type Plan, type PlannedObject } from "../core/plan.ts";
import type { Severity } from "../core/problems.ts";
import { accountEnd, drillSuffix } from "../drill/drill-names.ts";
import { planNamespaceWithoutData } from "../kubernetes/namespace.ts";
import type { AdmissionAction } from "./args.ts";
import { parameters } from "./parameters.ts";
import { type LimitPolicy, limitPolicies } from "./policies.ts";
import type { ResolvedAdmission } from "./schema.ts";

/** The ConfigMap in the limits' namespace has this name everywhere. */
const configMapName = "limits";

const actions: Record<AdmissionAction, Record<Severity, string[]>> = {
  warn: { error: ["Warn", "Audit"], warning: ["Warn", "Audit"] },
  audit: { error: ["Audit"], warning: ["Audit"] },
  deny: { error: ["Deny", "Audit"], warning: ["Warn", "Audit"] },
};

/** All objects: the limits as the parameters of the policies, and for each policy what it says and where it holds. */
export function planAdmission(args: ResolvedAdmission): Plan {
  const { namespace } = args;
  const limits = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: configMapName, namespace, labels },
    data: parameters(args),
  };
  return joinPlans({
    objects: [
      ...planNamespaceWithoutData(namespace, args.platform),
      { object: limits },
      ...limitPolicies.flatMap((policy): PlannedObject[] => {
        const object = validatingPolicy(policy, args);
        return [{ object }, { object: binding(policy, args, namespace), after: [objectId(object), objectId(limits)] }];
      }),
    ],
  });
}

const labels = { "app.kubernetes.io/part-of": "admission", "app.kubernetes.io/managed-by": "hearth" };

/** A drill's account makes the cluster of its own name, and can't change any. */
const notOfDrill = {
  name: "not-of-a-drill",
  expression: `!(request.operation == 'CREATE' && object.metadata.name.endsWith('-${drillSuffix}') && request.userInfo.username == 'system:serviceaccount:' + object.metadata.namespace + ':' + object.metadata.name + '-${accountEnd}')`,
};

const policyName = ({ id }: LimitPolicy, namespace: string) => `${namespace}-${id}`;

function validatingPolicy(
  policy: LimitPolicy,
  { namespace, drills }: ResolvedAdmission,
): ValidatingAdmissionPolicy & KubernetesObject {
  const isOfClusters = policy.resources.resources.includes("clusters");
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName(policy, namespace), labels },
    spec: {
      // Values that can't be judged are reported like violations; nothing passes silently.
      failurePolicy: "Fail",
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        resourceRules: [policy.resources],
        ...(policy.selector && { objectSelector: policy.selector }),
      },
      ...(drills && isOfClusters && { matchConditions: [notOfDrill] }),
      variables: Object.entries(policy.variables).map(([name, expression]) => ({ name, expression })),
      validations: [{ expression: policy.expression, messageExpression: policy.message, reason: "Invalid" }],
    },
  };
}

function binding(
  policy: LimitPolicy,
  { action, namespaces }: ResolvedAdmission,
  namespace: string,
): ValidatingAdmissionPolicyBinding & KubernetesObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName(policy, namespace), labels },
    spec: {
      policyName: policyName(policy, namespace),
      // Without the limits the policies admit everything: otherwise not even scaling to zero would be possible.
      paramRef: { name: configMapName, namespace, parameterNotFoundAction: "Allow" },
      validationActions: actions[action][policy.severity],
      matchResources: {
        namespaceSelector: {
          // The API server itself gives each namespace this label, and lets nobody change it.
          matchExpressions: [
            { key: "kubernetes.io/metadata.name", operator: "In", values: namespaces.map(({ name }) => name).sort() },
          ],
        },
      },
    },
  };
}
