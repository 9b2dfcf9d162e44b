import { object, passing, type Row, row, type Tree } from "./row.ts";

const api = "rbac.authorization.k8s.io/v1";
const rights = "rbac-least-rights";
const rule = (resources: string[], verbs: string[], apiGroups = [""]): Tree => ({ apiGroups, resources, verbs });
const role = (kind: "Role" | "ClusterRole", ...rules: Tree[]) => object(api, kind, { rules });
const binding = (kind: "RoleBinding" | "ClusterRoleBinding", name: string, subject: Tree, of = "ClusterRole") =>
  object(api, kind, { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: of, name }, subjects: [subject] });
const account = (name: string) => ({ kind: "ServiceAccount", name, namespace: "team" });
const groupOf = (name: string) => ({ kind: "Group", name, apiGroup: "rbac.authorization.k8s.io" });

/** From Kubernetes' "RBAC Good Practices", Kyverno's rbac-best-practices, Polaris' *ExecAttach and *ClusterAdmin. */
export const accessRows: readonly Row[] = [
  row("every verb (Kyverno restrict-wildcard-verbs)", role("Role", rule(["pods"], ["*"])), rights),
  row("every verb in the cluster", role("ClusterRole", rule(["pods"], ["*"])), rights),
  row("every resource (Kyverno restrict-wildcard-resources)", role("Role", rule(["*"], ["get"])), rights),
  row("every subresource", role("Role", rule(["*/exec"], ["create"])), rights),
  row("every API group", role("ClusterRole", rule(["deployments"], ["get"], ["*"])), rights),
  row("every address of the API server", role("ClusterRole", { nonResourceURLs: ["*"], verbs: ["get"] }), rights),
  row("addresses below one", role("ClusterRole", { nonResourceURLs: ["/debug/*"], verbs: ["get"] }), rights),
  row(
    "escalate (Kyverno restrict-escalation-verbs-roles)",
    role("ClusterRole", rule(["clusterroles"], ["escalate"])),
    rights,
  ),
  row("bind (Kyverno restrict-escalation-verbs-roles)", role("Role", rule(["roles"], ["bind"])), rights),
  row("impersonate", role("ClusterRole", rule(["users", "groups"], ["impersonate"])), rights),
  row("impersonate one account", role("Role", rule(["serviceaccounts"], ["impersonate"])), rights),
  row(
    "the Secrets of the cluster (Kyverno restrict-secret-role-verbs)",
    role("ClusterRole", rule(["secrets"], ["get"])),
    rights,
  ),
  row("a list of the cluster's Secrets", role("ClusterRole", rule(["configmaps", "secrets"], ["list"])), rights),
  row("a watch on the cluster's Secrets", role("ClusterRole", rule(["secrets"], ["watch"])), rights),
  row(
    "the kubelet's interface (Kyverno restrict-clusterrole-nodesproxy)",
    role("ClusterRole", rule(["nodes/proxy"], ["get"])),
    rights,
  ),
  row("tokens of any account (RBAC Good Practices)", role("Role", rule(["serviceaccounts/token"], ["create"])), rights),
  row(
    "certificates for anybody (RBAC Good Practices)",
    role("ClusterRole", rule(["certificatesigningrequests/approval"], ["update"], ["certificates.k8s.io"])),
    rights,
  ),
  row(
    "admission for all (RBAC Good Practices)",
    role("ClusterRole", rule(["validatingwebhookconfigurations"], ["create"], ["admissionregistration.k8s.io"])),
    rights,
  ),
  row(
    "changes of every object (RBAC Good Practices)",
    role("ClusterRole", rule(["mutatingwebhookconfigurations"], ["patch"], ["admissionregistration.k8s.io"])),
    rights,
  ),
  row(
    "volumes of the node (RBAC Good Practices)",
    role("ClusterRole", rule(["persistentvolumes"], ["create"])),
    rights,
  ),
  row(
    "bindings of the cluster",
    role("ClusterRole", rule(["clusterrolebindings"], ["create"], ["rbac.authorization.k8s.io"])),
    rights,
  ),
  row(
    "bindings of a namespace",
    role("Role", rule(["rolebindings"], ["update"], ["rbac.authorization.k8s.io"])),
    rights,
  ),
  row("roles of a namespace", role("Role", rule(["roles"], ["patch"], ["rbac.authorization.k8s.io"])), rights),
  row(
    "a shell in every pod (Polaris clusterrolePodExecAttach)",
    role("ClusterRole", rule(["pods/exec"], ["create"])),
    rights,
  ),
  row(
    "every pod's console (Polaris clusterrolePodExecAttach)",
    role("ClusterRole", rule(["pods/attach"], ["get"])),
    rights,
  ),
  row("debug containers in every pod", role("ClusterRole", rule(["pods/ephemeralcontainers"], ["update"])), rights),
  row(
    "rules that others add (Kubernetes: aggregated ClusterRoles)",
    { ...role("ClusterRole"), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } },
    rights,
  ),
  row(
    "more for every viewer (Kubernetes: aggregated ClusterRoles)",
    object(
      api,
      "ClusterRole",
      { rules: [rule(["pods"], ["get"])] },
      { labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
    ),
    rights,
  ),
  row(
    "more for every administrator",
    object(
      api,
      "ClusterRole",
      { rules: [rule(["pods"], ["get"])] },
      { labels: { "rbac.authorization.k8s.io/aggregate-to-admin": "true" } },
    ),
    rights,
  ),
  row(
    "the cluster's administrator (Kyverno restrict-binding-clusteradmin; Polaris clusterrolebindingClusterAdmin)",
    binding("ClusterRoleBinding", "cluster-admin", account("app")),
    rights,
  ),
  row(
    "the administrator in one namespace (Polaris rolebindingClusterAdminClusterRole)",
    binding("RoleBinding", "cluster-admin", account("app")),
    rights,
  ),
  row("a namespace's administrator", binding("RoleBinding", "admin", account("app")), rights),
  row("an editor, who reads Secrets", binding("RoleBinding", "edit", account("app")), rights),
  row("a node's rights", binding("ClusterRoleBinding", "system:node", account("app")), rights),
  row(
    "a controller's rights",
    binding("ClusterRoleBinding", "system:controller:generic-garbage-collector", account("app")),
    rights,
  ),
  row(
    "the masters (Kyverno restrict-binding-system-groups)",
    binding("ClusterRoleBinding", "view", groupOf("system:masters")),
    rights,
  ),
  row(
    "everybody (Kyverno restrict-binding-system-groups)",
    binding("ClusterRoleBinding", "view", groupOf("system:authenticated")),
    rights,
  ),
  row("everybody without a name", binding("ClusterRoleBinding", "view", groupOf("system:unauthenticated")), rights),
  row("anonymous", binding("ClusterRoleBinding", "view", { kind: "User", name: "system:anonymous" }), rights),
  row("every account of the cluster", binding("ClusterRoleBinding", "view", groupOf("system:serviceaccounts")), rights),
  row("every account of a namespace", binding("RoleBinding", "view", groupOf("system:serviceaccounts:team")), rights),
  row(
    "the default account (Kubernetes hardening guide)",
    binding("RoleBinding", "reader", account("default"), "Role"),
    rights,
  ),
  row(
    "a token that never ends (Kubernetes: manually created tokens)",
    object(
      "v1",
      "Secret",
      { type: "kubernetes.io/service-account-token" },
      { annotations: { "kubernetes.io/service-account.name": "app" } },
    ),
    "wl-token-automount",
  ),
  passing(
    "the Secrets of a namespace, by a Role",
    role("Role", rule(["secrets"], ["get"])),
    "A runner makes and reads Secrets of its jobs; a Role keeps it to its namespace.",
  ),
  passing(
    "a shell in a namespace's pods, by a Role (Polaris rolePodExecAttach)",
    role("Role", rule(["pods/exec"], ["create"])),
    "A runner starts its jobs so; a Role keeps it to its namespace.",
  ),
  passing(
    "one Secret of the cluster by name",
    role("ClusterRole", { ...rule(["secrets"], ["get"]), resourceNames: ["ca"] }),
    "It is named.",
  ),
];
