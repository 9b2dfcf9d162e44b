import { dataName } from "@hearth-platform/hearth/core/plan";
import type { GraphNode } from "@hearth-platform/stack/delivery/graph/graph";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { workloadOf } from "@hearth-platform/stack/live/trouble/pods";
import type { Event, Pod } from "kubernetes-types/core/v1.d.ts";
import type { StatusReport } from "../checks.ts";
import type { WorkloadState } from "../components.ts";
import type { PlannedComponent, StatusFacts } from "../facts.ts";
import type { StatusRow } from "../row.ts";
import { type PartView, partView } from "./view.ts";

/** A component with what a person looks at when something is wrong with it. */
export interface PartDetail extends PartView {
  /** The findings of status that are about it. */
  readonly findings: readonly StatusRow[];
  readonly workloads: readonly WorkloadState[];
  readonly pods: readonly PodView[];
  /** The newest first. */
  readonly events: readonly EventView[];
  /** The containers whose last lines are read: those of pods that are not ready come first. */
  readonly containers: readonly ContainerPlace[];
  /** How many more containers there are. */
  readonly more: number;
}

export interface PodView {
  readonly namespace: string;
  readonly name: string;
  /** Why a container waits, or else the pod's phase, in Kubernetes' words. */
  readonly status: string;
  /** Containers that are ready. */
  readonly ready: number;
  readonly wanted: number;
  readonly restarts: number;
  readonly node?: string;
  /** When it was made, as RFC 3339. */
  readonly made?: string;
}

export interface EventView {
  /** As RFC 3339. */
  readonly at: string;
  readonly warns: boolean;
  readonly reason: string;
  /** What it is about, e.g. `Pod forge-0`. */
  readonly about: string;
  readonly message: string;
}

/** Where a container is. */
export interface ContainerPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** The last lines of a container, or why they can't be read. */
export interface LogView extends ContainerPlace {
  readonly lines: readonly string[];
  readonly failure?: string;
}

/** At most this much is shown of one component. */
const most = { events: 20, containers: 12, lines: 20, columns: 400, bytes: 65_536 } as const;

/** A component of the stack; undefined where there is none of this name. */
export function partDetail(
  name: string,
  facts: StatusFacts,
  { components, checks }: StatusReport,
  node: GraphNode | undefined,
): PartDetail | undefined {
  const planned = facts.components.find((each) => each.name === name);
  const state = components.find((each) => each.name === name);
  if (!planned || !state) return undefined;
  const own = facts.live.pods.filter((pod) => belongs(pod, planned));
  const containers = [...own].sort((a, b) => Number(isReady(a)) - Number(isReady(b))).flatMap(containersOf);
  const names = state.workloads.map((each) => dataName(each.name, each.namespace));
  return {
    ...partView(state, node),
    findings: checks.filter(({ subject }) => subject === name || names.some((each) => subject.endsWith(` ${each}`))),
    workloads: state.workloads,
    pods: own.map(podView),
    events: eventsOf(facts.live.events, planned, own),
    containers: containers.slice(0, most.containers),
    more: Math.max(0, containers.length - most.containers),
  };
}

/** Whether a pod is of one of the component's workloads, or of a Job by the clock. */
function belongs(pod: Pod, { objects }: PlannedComponent): boolean {
  const owner = workloadOf(pod);
  if (owner === undefined) return false;
  const ofJob = pod.metadata?.ownerReferences?.some(({ kind, controller }) => controller && kind === "Job");
  return objects.some(({ kind, metadata }) => {
    if (metadata.namespace !== pod.metadata?.namespace) return false;
    if (kind === "CronJob") return ofJob && new RegExp(`^${RegExp.escape(metadata.name)}-\\d+$`).test(owner);
    return ["Deployment", "StatefulSet", "Cluster", "Pooler", "Job"].includes(kind) && metadata.name === owner;
  });
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

function podView(pod: Pod): PodView {
  const { metadata, spec, status } = pod;
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  const waits = [...initContainerStatuses, ...containerStatuses].flatMap(({ state }) => state?.waiting?.reason ?? []);
  const made = metadata?.creationTimestamp;
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    status: metadata?.deletionTimestamp ? "Terminating" : (waits[0] ?? status?.phase ?? "Unknown"),
    ready: containerStatuses.filter(({ ready }) => ready).length,
    wanted: spec?.containers?.length ?? containerStatuses.length,
    restarts: containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    ...(spec?.nodeName && { node: spec.nodeName }),
    ...(made && { made: String(made) }),
  };
}

/** Containers that have begun, those that run first among them. */
function containersOf({ metadata, spec, status }: Pod): ContainerPlace[] {
  const waiting = (status?.initContainerStatuses ?? []).filter(({ ready }) => !ready).map(({ name }) => name);
  return [...waiting, ...(spec?.containers ?? []).map(({ name }) => name)].map((container) => ({
    namespace: metadata?.namespace ?? "",
    pod: metadata?.name ?? "",
    container,
  }));
}

function eventsOf(events: readonly Event[], { objects }: PlannedComponent, pods: readonly Pod[]): EventView[] {
  const names = new Set(objects.map(({ metadata }) => dataName(metadata.name, metadata.namespace)));
  for (const { metadata, spec } of pods) {
    const claims = spec?.volumes?.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []) ?? [];
    const owners = metadata?.ownerReferences?.map(({ name }) => name) ?? [];
    for (const each of [metadata?.name ?? "", ...owners, ...claims]) names.add(dataName(each, metadata?.namespace));
  }
  return events
    .filter(({ involvedObject: { namespace, name = "" } }) => names.has(dataName(name, namespace)))
    .map(eventView)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, most.events);
}

function eventView(event: Event): EventView {
  const { type, reason = "", message = "", count = 1, involvedObject, metadata } = event;
  const at = event.lastTimestamp ?? event.eventTime ?? metadata?.creationTimestamp ?? "";
  return {
    at: String(at),
    warns: type === "Warning",
    reason,
    about: `${involvedObject.kind} ${involvedObject.name}`,
    message: count > 1 ? `${message} (${count} times)` : message,
  };
}

/** Reads the last lines of a container, with the rights of the caller. */
export async function lastLines(cluster: Pick<LiveCluster, "readText">, place: ContainerPlace): Promise<LogView> {
  const { namespace, pod, container } = place;
  const query = new URLSearchParams({
    container,
    tailLines: String(most.lines),
    limitBytes: String(most.bytes),
  });
  const path = ["namespaces", namespace, "pods", pod].map(encodeURIComponent).join("/");
  try {
    const text = await cluster.readText(`/api/v1/${path}/log?${query}`);
    return { ...place, lines: text.split("\n").map(plain).filter(Boolean).slice(-most.lines) };
  } catch (error) {
    return { ...place, lines: [], failure: (error as Error).message };
  }
}

/** A line without a terminal's colours and other control characters. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: These are what is taken out.
  return line.replace(/\u001b\[[\d;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, "").slice(0, most.columns);
}
