import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { ApiError } from "@hearth-platform/sandbox/kubernetes/api";
import { NoMatchError } from "@hearth-platform/sandbox/kubernetes/discovery";
import type { Reference } from "@hearth-platform/sandbox/kubernetes/objects";
import type { Cluster } from "./cluster.ts";

/** What a cluster makes of objects that are only tried. */
export interface DryRun {
  /** Objects of which the cluster knows the kind. */
  readonly known: number;
  /** Objects that the API server would take. */
  readonly accepted: number;
  /** Objects that it can't judge, since their namespace is not there. */
  readonly notChecked: number;
  readonly problems: Problem[];
}

/** The name under which fields are tried; nothing of it is stored. */
const fieldManager = "hearth-validate";

/**
 * A dry run of apply, which creates nothing. Client side: each kind is served, and lies in a namespace or in the cluster as it should.
 * Server side: each object of a known kind as a server-side apply with strict fields, through admission.
 * @throws UnreachableError where the cluster stops answering
 */
export async function dryRun(cluster: Cluster, objects: readonly KubernetesObject[]): Promise<DryRun> {
  const client = await Promise.all(objects.map((object) => clientSide(cluster, object)));
  const known = objects.filter((_, index) => client[index] === undefined);
  const server = await Promise.all(known.map((object) => serverSide(cluster, object)));
  return {
    known: known.length,
    accepted: server.filter((verdict) => verdict === "accepted").length,
    notChecked: server.filter((verdict) => verdict === "not checked").length,
    problems: [...client, ...server].filter((verdict) => typeof verdict === "object"),
  };
}

async function clientSide({ discovery }: Cluster, object: KubernetesObject): Promise<Problem | undefined> {
  const { metadata } = object;
  try {
    const { namespaced } = await discovery.resource(object);
    if (namespaced === (metadata.namespace !== undefined)) return undefined;
    const place = namespaced ? "names no namespace" : "names a namespace, and lies in none";
    return error("dry-run", "", `${named(object)} ${place}.`, "This is a mistake of hearth: report it.");
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error;
    return notServed(object);
  }
}

function notServed(object: KubernetesObject): Problem {
  return error(
    "dry-run-kind",
    "",
    `${named(object)}: the cluster does not serve ${object.kind} of ${object.apiVersion}.`,
    "Install the operator that brings the kind, in a version that serves it.",
  );
}

async function serverSide(
  { api, discovery }: Cluster,
  object: KubernetesObject,
): Promise<"accepted" | "not checked" | Problem> {
  try {
    // Fields that another manager owns are no problem of the file: `force` tries them, too.
    const query = { fieldManager, force: "true", fieldValidation: "Strict", dryRun: "All" };
    const path = await discovery.path(object as Reference);
    await api.request("PATCH", path, { query, body: object, contentType: "application/apply-patch+yaml" });
    return "accepted";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 404 && error.details.kind === "namespaces" ? "not checked" : refused(object, error);
  }
}

function refused(object: KubernetesObject, { code, message }: ApiError): Problem {
  const remedy =
    code === 401 || code === 403
      ? "Use a context that may apply objects there."
      : "Change the field of the file that this comes from, or the cluster.";
  return error("dry-run", "", `${named(object)}: ${message.replace(/\s*\.?\s*$/, "")}.`, remedy);
}

function named({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ""}${metadata.name}`;
}
