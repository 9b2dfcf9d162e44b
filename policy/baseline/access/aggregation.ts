import { EnforcementLevel, PolicySeverity, stackPolicy, violationOf } from "../../core/policy.ts";

const group = "rbac.authorization.k8s.io";
const role = `${group}/ClusterRole`;
const bindings = [`${group}/RoleBinding`, `${group}/ClusterRoleBinding`];

export const aggregatedRoles = stackPolicy({
  id: "rbac-aggregated-role",
  title: "No binding to a role that grows",
  rule: "A binding has no role with an aggregationRule: by labelling another role, anybody could extend the rights of all its subjects.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Bind a role that lists its rules itself.",
  unseen: "Roles made outside the stack.",
  tags: ["access", "rbac"],
  settings: {},
  kinds: [role, ...bindings],
  *checkStack(resources) {
    const grown = resources.filter((each) => each.groupKind === role && each.get("aggregationRule").exists);
    const names = new Set(grown.flatMap(({ name }) => name ?? []));
    for (const resource of resources.filter(({ groupKind }) => bindings.includes(groupKind))) {
      const given = resource.get("roleRef", "name");
      if (resource.get("roleRef", "kind").value === "ClusterRole" && names.has(given.text ?? ""))
        yield violationOf(resource, given, "It must be a role without an aggregationRule.");
    }
  },
});
