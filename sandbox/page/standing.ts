import type { GraphWorkload } from "@hearth-platform/stack/delivery/graph/graph";
import type { GraphState, LineState } from "@hearth-platform/stack/delivery/graph/svg";
import type { Kind, KubernetesObject } from "../kubernetes/objects.ts";

/** How the platform stands, from what the API server has. */

const workloadKinds: Readonly<Record<string, Kind>> = {
  Deployment: { apiVersion: "apps/v1", kind: "Deployment" },
  StatefulSet: { apiVersion: "apps/v1", kind: "StatefulSet" },
  Cluster: { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" },
  Pooler: { apiVersion: "postgresql.cnpg.io/v1", kind: "Pooler" },
};

/** Kinds that the page watches. */
export const watchedKinds: readonly Kind[] = [
  ...Object.values(workloadKinds),
  { apiVersion: "cert-manager.io/v1", kind: "Certificate" },
];

/** Finds an object. @param path `namespace/name` */
export type Find = (kind: string, path: string) => KubernetesObject | undefined;

/** State that the picture shows in addition to the plan. */
export function standing(find: Find): GraphState {
  return {
    workload: (workload) => pods(workload, find(workload.kind, `${workload.namespace}/${workload.name}`)),
    certificate: (path) => {
      const certificate = find("Certificate", path);
      if (!certificate) return missing;
      return isReady(certificate)
        ? { text: "certificate ready", tone: "good" }
        : { text: "waiting for the certificate", tone: "waiting" };
    },
  };
}

const missing: LineState = { text: "not created yet", tone: "waiting" };

/** Fields of the status that count ready pods, by the kind. */
const readyCounts: Readonly<Record<string, string>> = {
  Deployment: "readyReplicas",
  StatefulSet: "readyReplicas",
  Cluster: "readyInstances",
  Pooler: "instances",
};

function pods({ kind }: GraphWorkload, object: KubernetesObject | undefined): LineState {
  if (!object) return missing;
  const { spec = {}, status = {} } = object as { spec?: Record<string, unknown>; status?: Record<string, unknown> };
  const wanted = Number(spec.replicas ?? spec.instances ?? 1);
  const ready = Number(status[readyCounts[kind] ?? ""] ?? 0);
  return { text: `${ready} of ${wanted} ready`, tone: ready >= wanted ? "good" : "waiting" };
}

function isReady(object: KubernetesObject): boolean {
  const { conditions = [] } = (object.status ?? {}) as { conditions?: Array<{ type: string; status: string }> };
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

/** A static site and when its last sync was asked for. */
export interface SiteState {
  /** `namespace/name` */
  readonly path: string;
  /** Seconds since the epoch; absent where none was asked for. */
  readonly asked?: number;
}

/** Sites as a list of the API server has them. */
export function sitesOf(objects: readonly KubernetesObject[]): SiteState[] {
  return objects
    .map(({ metadata: { namespace, name, annotations = {} } }) => {
      const asked = Object.entries(annotations).find(([key]) => key.endsWith("/sync"))?.[1];
      return { path: `${namespace}/${name}`, ...(asked !== undefined && { asked: Number(asked) }) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
