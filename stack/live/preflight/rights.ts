import { groupOf } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { PolicyRule } from "kubernetes-types/rbac/v1.d.ts";
import { type LiveCluster, Refusal } from "../cluster/cluster.ts";
import { type Finding, findings } from "./finding.ts";

/** A right on the objects of a kind. */
export interface Right {
  readonly group: string;
  /** The kind's word in paths, with its subresource: `pods`, `pods/exec`. */
  readonly resource: string;
  /** Absent: in every namespace, or of a kind that is in none. */
  readonly namespace?: string | undefined;
  readonly verbs: readonly string[];
  /** The only objects it is on. @default all */
  readonly names?: readonly string[] | undefined;
  /** Kinds whose readiness is seen in these objects: without the right, the update waits for them for ever. */
  readonly awaits?: readonly string[] | undefined;
}

/** A right with the verbs of it that the caller lacks. */
export interface AskedRight extends Right {
  readonly lacking: readonly string[];
}

/** What Pulumi's provider does with every object: it reads, watches until ready, applies and deletes. */
const managing = ["get", "list", "watch", "create", "patch", "delete"];
const watching = ["get", "list", "watch"];

interface Seen {
  readonly group: string;
  readonly resource: string;
}
const pods: Seen = { group: "", resource: "pods" };
const endpoints: Seen = { group: "", resource: "endpoints" };

/**
 * Where Pulumi's provider sees that an object of a kind is ready. It waits without a limit until it may watch them.
 * (pulumi/pulumi-kubernetes provider/pkg/await: factory.Subscribe in deployment.go, statefulset.go, daemonset.go, job.go, service.go, ingress.go)
 */
const seenIn: Readonly<Record<string, readonly Seen[]>> = {
  Deployment: [{ group: "apps", resource: "replicasets" }, pods, { group: "", resource: "persistentvolumeclaims" }],
  StatefulSet: [pods],
  DaemonSet: [pods],
  Job: [pods],
  Service: [endpoints],
  Ingress: [endpoints, { group: "", resource: "services" }],
};

/** Objects of other kinds that are read on behalf of a kind: with them an update names what it waits for. */
const readFor: Readonly<Record<string, readonly Seen[]>> = {
  Certificate: [
    { group: "cert-manager.io", resource: "certificaterequests" },
    { group: "acme.cert-manager.io", resource: "challenges" },
  ],
};

/** Every right that an update of these objects needs, each kind once in each namespace. */
export function rightsOf(objects: readonly KubernetesObject[]): Right[] {
  return merged([
    ...objects.map((object) => ({ ...resourceOf(object), namespace: object.metadata.namespace, verbs: managing })),
    ...objects.flatMap(awaitedRights),
    ...objects.flatMap(grantedRights),
    ...objects.flatMap(parameterRights),
    // A claim of a class that waits for its first pod is as ready as it gets; the class says so.
    ...(objects.some(({ kind }) => kind === "PersistentVolumeClaim" || kind === "StatefulSet") ? [classes] : []),
  ]);
}

const classes: Right = { group: "storage.k8s.io", resource: "storageclasses", verbs: ["get", "list"] };

/** Rights to read what an update and `hearth doctor` name as a cause of waiting. Nothing fails without them. */
export function readingRightsOf(objects: readonly KubernetesObject[]): Right[] {
  const inNamespaces = objects.filter(({ metadata }) => metadata.namespace !== undefined);
  return merged([
    ...inNamespaces.map(({ metadata: { namespace } }) => ({
      group: "",
      resource: "events",
      namespace,
      verbs: watching,
    })),
    ...objects.flatMap(({ kind, metadata: { namespace } }) =>
      (readFor[kind] ?? []).map((seen) => ({ ...seen, namespace, verbs: watching })),
    ),
  ]);
}

/** The rights without which an update would wait for ever, and in silence. */
export function awaitedRightsOf(objects: readonly KubernetesObject[]): Right[] {
  return merged(objects.flatMap(awaitedRights));
}

function awaitedRights({ kind, metadata: { namespace } }: KubernetesObject): Right[] {
  return (seenIn[kind] ?? []).map((seen) => ({ ...seen, namespace, verbs: watching, awaits: [kind] }));
}

/** Whoever makes a role has to have every right that it grants. (Kubernetes, "Privilege escalation prevention and bootstrapping") */
function grantedRights(object: KubernetesObject): Right[] {
  if (object.kind !== "Role" && object.kind !== "ClusterRole") return [];
  const { rules = [] } = object as { readonly rules?: readonly PolicyRule[] };
  return rules.flatMap(({ apiGroups = [], resources = [], verbs, resourceNames: names }) =>
    apiGroups.flatMap((group) =>
      resources.map((resource) => ({ group, resource, namespace: object.metadata.namespace, verbs, names })),
    ),
  );
}

/** Whoever makes an admission policy has to be able to read what its parameters may be, wherever. (kubernetes/kubernetes pkg/registry/admissionregistration/validatingadmissionpolicy/authz.go) */
function parameterRights(object: KubernetesObject): Right[] {
  const { paramKind } = (object as { spec?: { paramKind?: { apiVersion: string; kind: string } } }).spec ?? {};
  return paramKind ? [{ ...resourceOf(paramKind), verbs: ["get"] }] : [];
}

/** A kind's group, and its plural by Kubernetes' own rule. (apimachinery pkg/api/meta/restmapper.go, UnsafeGuessKindToResource) */
function resourceOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Seen {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("s")
    ? `${singular}es`
    : singular.endsWith("y")
      ? `${singular.slice(0, -1)}ies`
      : `${singular}s`;
  return { group: groupOf(apiVersion), resource: plural };
}

/** Rights on the same as one. */
function merged(rights: readonly Right[]): Right[] {
  const same = Map.groupBy(rights, ({ group, resource, namespace, names }) =>
    JSON.stringify([group, resource, namespace, names]),
  );
  return [...same.values()].map((each) => {
    const awaits = [...new Set(each.flatMap((right) => right.awaits ?? []))];
    return {
      ...(each[0] as Right),
      verbs: [...new Set(each.flatMap(({ verbs }) => verbs))],
      awaits: awaits.length > 0 ? awaits : undefined,
    };
  });
}

/**
 * Asks the API server for the caller's rights: for all at once, where that fails for each.
 * @throws Error where the API server can't be reached
 */
export async function askRights(cluster: LiveCluster, rights: readonly Right[]): Promise<AskedRight[] | "unseen"> {
  const may = async ({ group, resource: whole, namespace, names }: Omit<Right, "verbs">, verb: string) => {
    const [resource, subresource] = whole.split("/");
    const resourceAttributes = { group, resource, subresource, namespace, verb, name: names?.[0] };
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes },
    };
    return (await cluster.review<{ status: { allowed: boolean } }>(review)).status.allowed;
  };
  const askOne = async (right: Right): Promise<AskedRight> => {
    if (await may(right, all)) return { ...right, lacking: [] };
    const lacking: string[] = [];
    // One after the other: a stack has a hundred rights, which are asked for at once.
    for (const verb of right.verbs) if (!(await may(right, verb))) lacking.push(verb);
    return { ...right, lacking };
  };
  try {
    if (await may({ group: all, resource: all }, all)) return rights.map((right) => ({ ...right, lacking: [] }));
    return await Promise.all(rights.map(askOne));
  } catch (error) {
    if (error instanceof Refusal) return "unseen";
    throw error;
  }
}

const all = "*";

/** Which rights of the update the caller lacks. */
export function rightsFindings(asked: readonly AskedRight[] | "unseen"): Finding[] {
  const { ok, unknown, problem, missing } = findings("rights");
  if (asked === "unseen") return [unknown("your rights", "The API server does not report them.")];
  const lacking = Map.groupBy(
    asked.filter((right) => right.lacking.length > 0),
    ({ group, resource }) => (group === "" ? resource : `${resource}.${group}`),
  );
  if (lacking.size === 0) return [ok("your rights", "They are enough for the update.")];
  return [...lacking].map(([name, rights]) => {
    const verbs = [...new Set(rights.flatMap((right) => right.lacking))].join(", ");
    const places = [...new Set(rights.flatMap(({ namespace }) => namespace ?? []))];
    const where = places.length === 0 ? "" : ` in ${places.join(", ")}`;
    const awaits = [...new Set(rights.flatMap((right) => right.awaits ?? []))];
    const message = `You may not ${verbs}${where}.`;
    return awaits.length === 0
      ? problem(`your rights on ${name}`, message, remedy)
      : missing(
          `your rights on ${name}`,
          `${message} Pulumi would wait for each ${awaits.join(" and ")} for ever, without a word.`,
          remedy,
        );
  });
}

const remedy = "Ask an administrator to apply the roles that ./hearth rights prints.";
