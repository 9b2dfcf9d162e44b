import { type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

const api = "rbac.authorization.k8s.io/v1";
const role = (kind: string, namespace: string, rule: Tree): Tree => ({
  ...kubernetes(api, kind, { rules: [{ apiGroups: [""], ...rule }] }, kind === "Role" ? { namespace } : {}),
});

const holders = {
  "a role of the cluster": (rule: Tree) => role("ClusterRole", "", rule),
  "a role in the system's namespace": (rule: Tree) => role("Role", "kube-system", rule),
  "a role in the limits' namespace": (rule: Tree) => role("Role", "hearth-limits", rule),
};
const anyRole = { ...holders, "a role of a namespace": (rule: Tree) => role("Role", "team", rule) };

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
/** Who writes these takes rights, wherever the role is. */
const ruling = named([
  ...["clusterroles", "clusterrolebindings", "roles", "rolebindings", "serviceaccounts/token", "persistentvolumes"],
  ...["validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies"],
  ...["validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"],
  ...["customresourcedefinitions", "apiservices", "namespaces", "nodes", "nodes/status", "nodes/proxy"],
  "certificatesigningrequests/approval",
]);
const ofAll = named([
  ...["pods", "deployments", "daemonsets", "statefulsets", "replicasets", "replicationcontrollers", "jobs", "cronjobs"],
  ...["configmaps", "networkpolicies", "endpoints", "endpointslices", "serviceaccounts"],
]);
const shells = named(["pods/exec", "pods/attach", "pods/portforward", "pods/ephemeralcontainers", "secrets"]);
const writes = named(["create", "update", "patch", "delete"]);
const strongVerbs = named(["*", "escalate", "bind", "impersonate", "approve", "sign"]);
const looks = named(["get", "list", "watch"]);

const binding = (roleRef: Tree, subject: Tree) =>
  kubernetes(api, "RoleBinding", { roleRef: { kind: "ClusterRole", ...roleRef }, subjects: [subject] });
const roles = named(["cluster-admin", "admin", "edit", "system:node", "system:kube-controller-manager"]);
const own = { kind: "ServiceAccount", name: "app", namespace: "team" };
const everybody: Readonly<Record<string, Tree>> = {
  "the default account": { kind: "ServiceAccount", name: "default", namespace: "team" },
  "an account without a name": { kind: "ServiceAccount", namespace: "team" },
  "the default account as a user": { kind: "User", name: "system:serviceaccount:team:default" },
  anonymous: { kind: "User", name: "system:anonymous" },
  "the controller manager": { kind: "User", name: "system:kube-controller-manager" },
  ...Object.fromEntries(
    ["masters", "authenticated", "unauthenticated", "serviceaccounts", "serviceaccounts:team", "nodes"].map((name) => [
      `the group ${name}`,
      { kind: "Group", name: `system:${name}` },
    ]),
  ),
};

/** Rights, by what may be done with what, where. */
export const accessCases: Cases = {
  policy: "rbac-least-rights",
  breaks: [
    ...crossed(ruling, anyRole, (resource, make, what) =>
      Object.keys(writes).map((verb) => caseOf(`${what}, ${verb}`, make({ resources: [resource], verbs: [verb] }))),
    ).flat(),
    ...crossed(ofAll, holders, (resource, make, what) =>
      Object.keys(writes).map((verb) => caseOf(`${what}, ${verb}`, make({ resources: [resource], verbs: [verb] }))),
    ).flat(),
    ...crossed(shells, holders, (resource, make, what) => caseOf(what, make({ resources: [resource], verbs: ["get"] }))),
    ...crossed(strongVerbs, anyRole, (verb, make, what) => caseOf(what, make({ resources: ["pods"], verbs: [verb] }))),
    ...crossed(everybody, named(["view", "reader"]), (subject, name, what) => caseOf(what, binding({ name }, subject))),
    ...Object.keys(roles).map((name) => caseOf(`the role ${name}`, binding({ name }, own))),
  ],
  keeps: [
    ...crossed({ ...ruling, ...ofAll }, anyRole, (resource, make, what) =>
      Object.keys(looks)
        .filter(() => resource !== "nodes/proxy")
        .map((verb) => caseOf(`${what}, ${verb}`, make({ resources: [resource], verbs: [verb] }))),
    ).flat(),
    ...crossed(ofAll, writes, (resource, verb, what) =>
      caseOf(`${what} in a namespace`, role("Role", "team", { resources: [resource], verbs: [verb] })),
    ),
    caseOf("a lease", role("ClusterRole", "", { resources: ["leases"], verbs: ["create", "update"] })),
    caseOf("one Secret", role("ClusterRole", "", { resources: ["secrets"], resourceNames: ["ca"], verbs: ["get"] })),
    caseOf("a workload's own account", binding({ name: "view" }, own)),
    caseOf("its own account as a user", binding({ name: "view" }, { kind: "User", name: "system:serviceaccount:team:app" })),
    caseOf("a person", binding({ name: "view" }, { kind: "User", name: "ada@example.org" })),
  ],
};
