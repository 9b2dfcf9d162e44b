import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { askRights, awaitedRightsOf, rightsOf } from "@hearth-platform/stack/live/preflight/rights";
import { expect, it } from "vitest";

const object = (apiVersion: string, kind: string, more: object = {}): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name: "x", namespace: "team" }, ...more }) as KubernetesObject;

/** Rights as `verbs resource.group namespace name`. */
const told = (rights: ReturnType<typeof rightsOf>) =>
  rights.map(({ group, resource, namespace = "*", verbs, names = [] }) =>
    [verbs.join(","), group ? `${resource}.${group}` : resource, namespace, ...names].join(" "),
  );
const managing = "get,list,watch,create,patch,delete";

it("an update needs every verb on each kind in each namespace, once", () => {
  const secret = object("v1", "Secret");
  expect(told(rightsOf([secret, secret, object("policy/v1", "NetworkPolicy")]))).toEqual([
    `${managing} secrets team`,
    `${managing} networkpolicies.policy team`,
  ]);
});

it.each([
  ["apps/v1", "Deployment", ["replicasets.apps", "pods", "persistentvolumeclaims"]],
  ["apps/v1", "StatefulSet", ["pods"]],
  ["batch/v1", "Job", ["pods"]],
  ["v1", "Service", ["endpoints"]],
  ["networking.k8s.io/v1", "Ingress", ["endpoints", "services"]],
  ["v1", "ConfigMap", []],
])("of %s, a %s is ready when Pulumi sees it in %j", (apiVersion, kind, seen) => {
  const rights = awaitedRightsOf([object(apiVersion, kind)]);
  expect(told(rights)).toEqual(seen.map((resource) => `get,list,watch ${resource} team`));
  expect(rights.every(({ awaits }) => awaits?.includes(kind))).toBe(true);
});

it("whoever makes a role has the rights that it grants, and no more", () => {
  const rules = [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["token"], verbs: ["get"] }];
  expect(told(rightsOf([object("rbac.authorization.k8s.io/v1", "Role", { rules })]))).toEqual([
    `${managing} roles.rbac.authorization.k8s.io team`,
    "get secrets team token",
  ]);
});

it("whoever makes an admission policy may read its parameters in every namespace", () => {
  const metadata = { name: "x" };
  const spec = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
  const policy = object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", { metadata, spec });
  expect(told(rightsOf([policy]))).toContain("get configmaps *");
});

it.each([
  ["v1", "PersistentVolumeClaim"],
  ["apps/v1", "StatefulSet"],
])("the class of the claims of %s %s says how ready they get", (apiVersion, kind) => {
  expect(told(rightsOf([object(apiVersion, kind)]))).toContain("get,list storageclasses.storage.k8s.io *");
});

it("a right on a subresource is asked for as one", async () => {
  const asked: unknown[] = [];
  const cluster = {
    review: async ({ spec }: { spec: { resourceAttributes: { resource: string; subresource?: string } } }) => {
      const { resource, subresource } = spec.resourceAttributes;
      asked.push(subresource);
      return { status: { allowed: resource === "pods" && subresource === "exec" } };
    },
  } as Pick<LiveCluster, "review"> as LiveCluster;
  const right = { group: "", resource: "pods/exec", namespace: "team", verbs: ["create"] };
  expect(await askRights(cluster, [right])).toEqual([{ ...right, lacking: [] }]);
  expect(asked).toContain("exec");
});
