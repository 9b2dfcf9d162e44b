import type { ServiceAccount } from "kubernetes-types/core/v1.d.ts";
import type { PolicyRule, Role, RoleBinding } from "kubernetes-types/rbac/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { drillMetadata, drillNames } from "./drill-names.ts";
import type { ResolvedDrill } from "./schema.ts";

/**
 * The account of a drill: it may make a cluster, and read and delete the one of its own name. No right names what can be created;
 * one that is not the drill's own it could not delete. @param running name of the running cluster
 */
export function accountObjects(args: ResolvedDrill, running: string): PlannedObject[] {
  const { account: name, drill, result, instance, recoveryJob } = drillNames(args.database.name);
  const clusters = { apiGroups: ["postgresql.cnpg.io"], resources: ["clusters"] };
  const rules: PolicyRule[] = [
    { ...clusters, verbs: ["create"] },
    { ...clusters, resourceNames: [drill], verbs: ["get", "delete"] },
    { ...clusters, resourceNames: [running], verbs: ["get"] },
    { apiGroups: ["batch"], resources: ["jobs"], resourceNames: [recoveryJob], verbs: ["get"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], resourceNames: [instance], verbs: ["get"] },
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [result], verbs: ["patch"] },
    // Whether the pod of an earlier drill still runs, whose name only its Job knew.
    { apiGroups: [""], resources: ["pods"], verbs: ["get"] },
  ];
  const metadata = drillMetadata(args, name);
  const account = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata,
    automountServiceAccountToken: false,
  } satisfies ServiceAccount;
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules } satisfies Role;
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ kind: "ServiceAccount", name, namespace: args.namespace }],
  } satisfies RoleBinding;
  return [{ object: account }, { object: role }, { object: binding, after: [`Role/${name}`] }];
}
