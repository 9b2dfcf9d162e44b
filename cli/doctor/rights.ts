import { groupOf } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type LiveCluster, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";

/** The right to use a verb on objects of a kind in a namespace. */
export interface Right {
  readonly group: string;
  /** The kind's word in paths. */
  readonly resource: string;
  /** Absent of kinds that are in none. */
  readonly namespace?: string | undefined;
  readonly verb: string;
}

/** A right that the caller was asked about. */
export interface AskedRight extends Right {
  readonly allowed: boolean;
}

/** Verbs that Pulumi's provider uses on every kind: it reads, watches until ready, applies and deletes. */
const verbs = ["get", "list", "watch", "create", "patch", "delete"] as const;

const all = "*";

/** Every right the update needs, a kind and namespace each, with the verb `*`. */
export function rightsOf(
  objects: readonly KubernetesObject[],
  pluralOf: (object: KubernetesObject) => string,
): Right[] {
  const rights = objects.map((object) => ({
    ...{
      group: groupOf(object.apiVersion),
      resource: pluralOf(object),
      namespace: object.metadata.namespace,
      verb: all,
    },
  }));
  return [...new Map(rights.map((right) => [JSON.stringify(right), right])).values()];
}

/**
 * Asks the API server for the caller's rights: for all at once, where that fails for each kind, then for each verb.
 * @throws Error where the API server can't be reached
 */
export async function askRights(cluster: LiveCluster, rights: readonly Right[]): Promise<AskedRight[] | "unseen"> {
  const ask = async (right: Right): Promise<AskedRight> => {
    const spec = { resourceAttributes: right };
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec };
    const { status } = await cluster.review<{ status: { allowed: boolean } }>(review);
    return { ...right, allowed: status.allowed };
  };
  try {
    const everything = await ask({ group: all, resource: all, verb: all });
    if (everything.allowed) return [everything];
    const asked = await Promise.all(rights.map(ask));
    const single = asked
      .filter(({ allowed }) => !allowed)
      .flatMap((right) => verbs.map((verb) => ({ ...right, verb })));
    return [...asked.filter(({ allowed }) => allowed), ...(await Promise.all(single.map(ask)))];
  } catch (error) {
    if (error instanceof Refusal) return "unseen";
    throw error;
  }
}

/** Which rights of the update the caller lacks. */
export function rightsFindings(asked: readonly AskedRight[] | "unseen"): Finding[] {
  const { ok, unknown, problem } = findings("rights");
  if (asked === "unseen") return [unknown("your rights", "The API server does not report them.")];
  if (asked.some(({ group, resource, verb }) => [group, resource, verb].every((each) => each === all)))
    return [ok("your rights", "You may do everything.")];
  const lacking = Map.groupBy(
    asked.filter(({ allowed }) => !allowed),
    ({ group, resource }) => (group === "" ? resource : `${resource}.${group}`),
  );
  if (lacking.size === 0) return [ok("your rights", "They are enough for the update.")];
  return [...lacking].map(([name, rights]) => {
    const lacked = [...new Set(rights.map(({ verb }) => verb))].join(", ");
    const places = [...new Set(rights.flatMap(({ namespace }) => namespace ?? []))];
    const where = places.length === 0 ? "" : ` in ${places.join(", ")}`;
    return problem(
      `your rights on ${name}`,
      `You may not ${lacked}${where}.`,
      "Ask an administrator to bind a role that allows it.",
    );
  });
}
