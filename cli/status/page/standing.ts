import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { GraphState, LineState } from "@hearth-platform/stack/delivery/graph/lines";
import { conditionOf } from "@hearth-platform/stack/live/preflight/facts";
import type { ComponentState, WorkloadState } from "../components.ts";
import type { StatusFacts } from "../facts.ts";

const missing: LineState = { text: "not created yet", tone: "waiting" };

/** State that the picture shows in addition to the plan. */
export function standing(components: readonly ComponentState[], { live }: Pick<StatusFacts, "live">): GraphState {
  const key = ({ kind, namespace, name }: Pick<WorkloadState, "namespace" | "name"> & { readonly kind: string }) =>
    `${kind} ${dataName(name, namespace)}`;
  const workloads = new Map(components.flatMap((each) => each.workloads).map((each) => [key(each), each]));
  const certificates = new Map(
    live.certificates.map((each) => [dataName(each.metadata.name, each.metadata.namespace), each]),
  );
  return {
    workload: (planned) => {
      const workload = workloads.get(key(planned));
      return workload && pods(workload);
    },
    certificate: (path) => {
      const certificate = certificates.get(path);
      if (!certificate) return missing;
      return conditionOf(certificate, "Ready")?.status === "True"
        ? { text: "certificate ready", tone: "good" }
        : { text: "waiting for the certificate", tone: "waiting" };
    },
  };
}

function pods({ state, ready, wanted }: WorkloadState): LineState | undefined {
  if (state === "unseen") return undefined;
  if (state === "absent") return missing;
  return { text: `${ready} of ${wanted} ready`, tone: ready >= wanted ? "good" : "waiting" };
}

/** A static site and when its last sync was asked for. */
export interface SiteState {
  /** `namespace/name` */
  readonly path: string;
  /** Seconds since the epoch; absent where none was asked for. */
  readonly asked?: number;
}

/** Sites as a list of the API server has them. @param annotation that holds the time of the last sync */
export function sitesOf(objects: readonly Pick<KubernetesObject, "metadata">[], annotation: string): SiteState[] {
  return objects
    .map(({ metadata: { namespace, name, annotations = {} } }) => {
      const asked = Number(annotations[annotation]);
      return { path: dataName(name, namespace), ...(asked > 0 && asked < 1e11 && { asked }) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
