import { prerequisiteOf } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { type Kind, type LiveCluster, Refusal } from "@hearth-platform/stack/live/cluster/cluster";

/** A cluster's answer to a dry run of objects. */
export interface DryRun {
  /** Objects of which the cluster knows the kind. */
  readonly known: number;
  /** Objects that the API server would take. */
  readonly accepted: number;
  /** Those of them that were tried in the namespace `default`, since theirs is not there. */
  readonly elsewhere: number;
  /** Objects that it can't judge, since their namespace is not there, and `default` takes none like them. */
  readonly notChecked: number;
  readonly problems: Problem[];
}

/** The name under which fields are tried; nothing of it is stored. */
const fieldManager = "hearth-validate";

/**
 * A dry run of apply, which creates nothing. Client side: each kind is served, and lies in a namespace or in the cluster as it should.
 * Server side: each object of a known kind as a server-side apply with strict fields, through admission.
 * @throws Error where the cluster stops answering
 */
export async function dryRun(cluster: LiveCluster, objects: readonly KubernetesObject[]): Promise<DryRun> {
  const kinds = await Promise.all(objects.map((object) => cluster.kind(object)));
  const client = objects.map((object, index) => clientSide(object, kinds[index]));
  const known = objects.flatMap((object, index) => {
    const kind = kinds[index];
    return kind && client[index] === undefined ? [{ object, kind }] : [];
  });
  const server = await Promise.all(known.map(({ object, kind }) => serverSide(cluster, object, kind)));
  return {
    known: known.length,
    accepted: server.filter((verdict) => verdict === "accepted" || verdict === "elsewhere").length,
    elsewhere: server.filter((verdict) => verdict === "elsewhere").length,
    notChecked: server.filter((verdict) => verdict === "not checked").length,
    problems: [...client, ...server].filter((verdict) => typeof verdict === "object"),
  };
}

function clientSide(object: KubernetesObject, kind: Kind | undefined): Problem | undefined {
  if (!kind) return notServed(object);
  if (kind.namespaced === (object.metadata.namespace !== undefined)) return undefined;
  const place = kind.namespaced ? "has no namespace" : "has a namespace, but its kind has none";
  return error("dry-run", "", `${named(object)} ${place}.`, "This is a bug in hearth: please report it.");
}

function notServed(object: KubernetesObject): Problem {
  const { title = "the operator that brings the kind", without } = prerequisiteOf(object.apiVersion) ?? {};
  const instead = without === undefined ? "" : ` Or leave these objects out: \`${without}\`.`;
  return error(
    "dry-run-kind",
    "",
    `${named(object)}: the cluster does not serve ${object.kind} of ${object.apiVersion}.`,
    `Install ${title}, in a version that serves it.${instead}`,
  );
}

async function serverSide(
  cluster: LiveCluster,
  object: KubernetesObject,
  kind: Kind,
): Promise<"accepted" | "elsewhere" | "not checked" | Problem> {
  try {
    await cluster.tryApply(object, kind, fieldManager);
    return "accepted";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 404 && error.about === "namespaces") return inDefault(cluster, object, kind);
    return isReplaced(object, error) ? "accepted" : refused(object, error);
  }
}

/**
 * Tries an object in the namespace that every cluster has: what its schema and defaults say there, they say everywhere.
 * As a new one, so that nothing of its name there matters. What admission, rights and quotas say there holds there alone.
 */
async function inDefault(
  cluster: LiveCluster,
  object: KubernetesObject,
  kind: Kind,
): Promise<"elsewhere" | "not checked" | Problem> {
  try {
    await cluster.tryCreate({ ...object, metadata: { ...object.metadata, namespace: "default" } }, kind, fieldManager);
    return "elsewhere";
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isOfSchema = (error.code === 422 || error.code === 400) && !/admission/i.test(error.message);
    return isOfSchema ? refused(object, error) : "not checked";
  }
}

/** Whether an update would replace the object that is there: a Job that ran can't be changed, and is made anew. */
function isReplaced({ kind }: KubernetesObject, { code, message }: Refusal): boolean {
  return kind === "Job" && code === 422 && /^[^:]+: spec\.template: .*: field is immutable$/s.test(message);
}

function refused(object: KubernetesObject, { code, message }: Refusal): Problem {
  const remedy =
    code === 401 || code === 403
      ? "Use a context that may apply objects there."
      : "Change the field in the file that sets this, or change the cluster.";
  return error("dry-run", "", `${named(object)}: ${message.replace(/\s*\.?\s*$/, "")}.`, remedy);
}

function named({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ""}${metadata.name}`;
}
