import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Right, readingRightsOf, rightsOf } from "@hearth-platform/stack/live/preflight/rights";
import type { PolicyRule } from "kubernetes-types/rbac/v1.d.ts";

/** Whom roles are bound to. */
export interface Subject {
  readonly kind: "User" | "Group" | "ServiceAccount";
  readonly name: string;
  /** Of a ServiceAccount. */
  readonly namespace?: string;
}

const rbac = "rbac.authorization.k8s.io";

/**
 * The roles that let a caller bring up and update these objects, with their bindings where there is a subject. A ClusterRole has
 * what is in no namespace, and what is in namespaces that the update makes: before it, no Role can be there. The other namespaces
 * have a Role each.
 */
export function rolesOf(
  name: string,
  objects: readonly KubernetesObject[],
  subject: Subject | undefined,
): KubernetesObject[] {
  const made = new Set(objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name));
  const placed = [...rightsOf(objects), ...readingRightsOf(objects)].map((right) => ({
    ...right,
    namespace: right.namespace !== undefined && !made.has(right.namespace) ? right.namespace : undefined,
  }));
  const byPlace = Map.groupBy(placed, ({ namespace }) => namespace);
  return [...byPlace].flatMap(([namespace, rights]) => {
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    const role = { apiVersion: `${rbac}/v1`, kind, metadata, rules: rulesOf(rights) };
    if (!subject) return [role];
    const apiGroup = subject.kind === "ServiceAccount" ? {} : { apiGroup: rbac };
    const binding = {
      ...{ apiVersion: `${rbac}/v1`, kind: `${kind}Binding`, metadata },
      ...{ roleRef: { apiGroup: rbac, kind, name }, subjects: [{ ...apiGroup, ...subject }] },
    };
    return [role, binding];
  });
}

/** Rules without repetition: resources of a group with the same verbs are in one. */
function rulesOf(rights: readonly Right[]): PolicyRule[] {
  const resources = Map.groupBy(rights, ({ group, resource, names }) => JSON.stringify([group, resource, names]));
  const verbs = [...resources.values()].map((same) => ({
    ...(same[0] as Right),
    verbs: [...new Set(same.flatMap((right) => right.verbs))].sort(),
  }));
  const rules = Map.groupBy(verbs, (right) => JSON.stringify([right.group, right.verbs, right.names]));
  return [...rules.values()].map((same) => {
    const { group, verbs: own, names } = same[0] as Right;
    return {
      apiGroups: [group],
      resources: same.map(({ resource }) => resource).sort(),
      ...(names && { resourceNames: [...names] }),
      verbs: [...own],
    };
  });
}
