import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";

const strongVerbs = new Set<unknown>(["*", "escalate", "bind", "impersonate"]);
const strongRoles = new Set<unknown>(["cluster-admin", "admin", "edit"]);
const everybody = new Set<unknown>([
  "system:anonymous",
  "system:unauthenticated",
  "system:authenticated",
  "system:serviceaccounts",
]);

export const leastRights = resourcePolicy({
  id: "rbac-least-rights",
  title: "Rights by name",
  rule: "Roles name what they allow: no wildcards, no right to take more rights, no Secrets of the whole cluster; bindings give no administrator's role and nothing to everybody or a default account.",
  severity: Severity.critical,
  level: Level.mandatory,
  remediation: "Name the groups, resources and verbs that are used, and bind them to an account of the workload's own.",
  tags: ["access", "rbac"],
  settings: {},
  kinds: ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map(
    (kind) => `rbac.authorization.k8s.io/${kind}`,
  ),
  *check(resource) {
    for (const rule of resource.get("rules").items) {
      for (const name of ["apiGroups", "resources", "nonResourceURLs"])
        for (const entry of rule.get(name).items)
          if (entry.text?.includes("*")) yield violation(entry, "It must be a name, not a wildcard.");
      for (const verb of rule.get("verbs").items)
        if (strongVerbs.has(verb.value)) yield violation(verb, "It must be a verb that gives no further rights.");
      const secrets = rule.get("resources").items.find(({ value }) => value === "secrets");
      if (secrets && resource.kind === "ClusterRole" && rule.get("resourceNames").items.length === 0)
        yield violation(
          secrets,
          "The Secrets of the whole cluster must not be readable: use a Role, or resourceNames.",
        );
    }
    const role = resource.get("roleRef", "name");
    if (resource.get("roleRef", "kind").value === "ClusterRole" && strongRoles.has(role.value))
      yield violation(role, "It must be a role with the rights that are used.");
    for (const subject of resource.get("subjects").items) {
      const name = subject.get("name");
      const isDefault = subject.get("kind").value === "ServiceAccount" && name.value === "default";
      if (isDefault || everybody.has(name.value)) yield violation(name, "It must be an account of the workload's own.");
    }
  },
});
