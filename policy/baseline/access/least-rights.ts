import { defaultNamespace as limitsNamespace } from "@hearth-platform/hearth/admission/schema";
import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, type Violation, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

const strongVerbs = new Set<unknown>(["*", "escalate", "bind", "impersonate", "approve", "sign", "attest"]);
/** Verbs that only look. */
const readVerbs = new Set<unknown>(["get", "list", "watch"]);
/** Resources by which somebody takes rights that no role gives, whoever writes them; see Kubernetes' "RBAC Good Practices". */
const strongResources = new Set<unknown>([
  "apiservices",
  "certificatesigningrequests/approval",
  "clusterrolebindings",
  "clusterroles",
  "clustertrustbundles",
  "customresourcedefinitions",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "mutatingwebhookconfigurations",
  "namespaces",
  "namespaces/finalize",
  "nodes",
  "nodes/proxy",
  "nodes/status",
  "persistentvolumes",
  "rolebindings",
  "roles",
  "serviceaccounts/token",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "validatingwebhookconfigurations",
]);
/** Resources that a namespaced Role may use, but no ClusterRole. */
const namespacedOnly = new Set<unknown>([
  "pods/attach",
  "pods/ephemeralcontainers",
  "pods/exec",
  "pods/portforward",
  "pods/proxy",
  "services/proxy",
]);
/** Resources that a ClusterRole may look at, but not write: by them somebody runs as any account, turns traffic away, or changes settings of others. */
const readOnlyInCluster = new Set<unknown>([
  "configmaps",
  "cronjobs",
  "daemonsets",
  "deployments",
  "endpoints",
  "endpointslices",
  "jobs",
  "networkpolicies",
  "pods",
  "podtemplates",
  "replicasets",
  "replicationcontrollers",
  "serviceaccounts",
  "statefulsets",
]);
/** Namespaces whose objects rule the cluster: a Role there is as strong as a ClusterRole. */
const ruling: readonly unknown[] = ["kube-system", "kube-public", "kube-node-lease", limitsNamespace];
const strongRoles = new Set<unknown>(["cluster-admin", "admin", "edit"]);
/** Kubernetes' own roles that look at what is public, or ask who somebody is. */
const harmlessRoles = new Set<unknown>([
  "system:auth-delegator",
  "system:basic-user",
  "system:discovery",
  "system:public-info-viewer",
  "system:service-account-issuer-discovery",
]);
/** Everybody, or somebody of the system: of its users and groups only one account's is a workload's own. */
const everybody = /^(?:\*|kubeadm:.*|system:(?!serviceaccount:[^:]+:(?!default$)[^:]+$).*)$/;

const group = "rbac.authorization.k8s.io";
const requestKind = "certificates.k8s.io/CertificateSigningRequest";

export const leastRights = resourcePolicy({
  id: "rbac-least-rights",
  title: "Rights by name",
  rule: "Roles list their rights: no wildcards, no right to take more rights, no access to all Secrets of the cluster, no rules that other roles add. No role changes what admits objects, or labels of namespaces. A ClusterRole starts no pods and changes no ConfigMaps, network policies and endpoints; nor does a Role in a namespace of the system or of the limits. Bindings give no administrator's role, and nothing to everybody, to the system's users or to a default account; nor does a request for a certificate ask for that.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "List the groups, resources and verbs in use, and bind them to an account that only this workload uses.",
  unseen:
    "Rights that an operator's own kinds give, such as reading any Secret through an ExternalSecret, and roles made outside the stack.",
  tags: ["access", "rbac"],
  settings: {},
  kinds: [
    requestKind,
    ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map((kind) => `${group}/${kind}`),
  ],
  *check(resource) {
    if (resource.groupKind === requestKind)
      for (const name of [resource.get("spec", "username"), ...resource.get("spec", "groups").items])
        if (everybody.test(name.text ?? "")) yield violation(name, "It must not ask for a certificate of the system.");
    for (const rule of resource.get("rules").items) yield* tooMuch(rule, isOfCluster(resource));
    const aggregation = resource.get("aggregationRule");
    if (aggregation.exists)
      yield violation(aggregation, "It must list its rules itself: other roles could add to them.");
    for (const [key, label] of resource.get("metadata", "labels").entries)
      if (key.startsWith(`${group}/aggregate-to-`) && label.value === "true")
        yield violation(label, "It must not add to a built-in role, which is bound already.");
    yield* boundTooWidely(resource);
  },
});

function isOfCluster(resource: PolicyResource): boolean {
  return resource.kind === "ClusterRole" || (resource.kind === "Role" && ruling.includes(resource.namespace));
}

function* tooMuch(rule: Field, inCluster: boolean): Generator<Violation> {
  for (const name of ["apiGroups", "resources", "nonResourceURLs"])
    for (const entry of rule.get(name).items)
      if (entry.text?.includes("*")) yield violation(entry, "It must be a name, not a wildcard.");
  const verbs = rule.get("verbs").items;
  for (const verb of verbs)
    if (strongVerbs.has(verb.value)) yield violation(verb, "It must be a verb that gives no further rights.");
  const isNamed = rule.get("resourceNames").items.length > 0;
  for (const entry of rule.get("resources").items) {
    if (inCluster && !isNamed && entry.value === "secrets")
      yield violation(entry, "The Secrets of the whole cluster must not be readable: use a Role, or resourceNames.");
    if (inCluster && namespacedOnly.has(entry.value))
      yield violation(entry, "It must not be allowed in every namespace: use a Role.");
    const writes = entry.value === "nodes/proxy" || verbs.some(({ value }) => !readVerbs.has(value));
    if (inCluster && !isNamed && readOnlyInCluster.has(entry.value) && writes)
      yield violation(entry, "It must not be writable in every namespace, or in one that rules the cluster.");
    if (strongResources.has(entry.value) && writes) yield violation(entry, "Writing it gives further rights.");
  }
}

function* boundTooWidely(resource: PolicyResource): Generator<Violation> {
  const role = resource.get("roleRef", "name");
  const isStrong = strongRoles.has(role.value) || (role.text?.startsWith("system:") && !harmlessRoles.has(role.value));
  if (resource.get("roleRef", "kind").value === "ClusterRole" && isStrong)
    yield violation(role, "It must be a role with only the rights in use.");
  for (const subject of resource.get("subjects").items) {
    const name = subject.get("name");
    const isDefault = subject.get("kind").value === "ServiceAccount" && (name.value ?? "default") === "default";
    if (isDefault || everybody.test(name.text ?? ""))
      yield violation(name, "It must be an account that only this workload uses.");
  }
}
