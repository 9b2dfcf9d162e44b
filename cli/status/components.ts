import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { endOfVersion, type Supported, supportProblems } from "@hearth-platform/hearth/catalogue/support";
import { type Day, dayOf } from "@hearth-platform/hearth/core/days";
import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import { dataName } from "@hearth-platform/hearth/core/plan";
import { imagesOf } from "@hearth-platform/hearth/kubernetes/pod-templates";
import { workloadOf } from "@hearth-platform/stack/live/trouble/pods";
import { type LiveWorkload, type PlannedWorkload, type RunningKind, type StatusFacts, standingOf } from "./facts.ts";

/** A component as it runs. */
export interface ComponentState {
  /** Its name in Pulumi's state. */
  readonly name: string;
  /** Its class. */
  readonly component: string;
  readonly workloads: readonly WorkloadState[];
}

export interface WorkloadState {
  readonly kind: RunningKind;
  readonly namespace: string;
  readonly name: string;
  /** `absent`: the cluster does not have it. `unseen`: the caller may not list its kind. */
  readonly state: "present" | "absent" | "unseen";
  /** Pods that are ready. */
  readonly ready: number;
  /** Pods that the cluster is to have. */
  readonly wanted: number;
  /** Pods that the settings ask for; absent where an autoscaler decides. */
  readonly planned?: number;
  /** Restarts of all containers of its pods. */
  readonly restarts: number;
  /** When a container last ended, as RFC 3339. */
  readonly lastRestart?: string;
  /** Image of its last container. */
  readonly image?: string;
  /** Image that the settings ask for there. */
  readonly plannedImage?: string;
  readonly program?: Deployed;
  /** What an operator says of it in its own words; absent where that is sound. */
  readonly phase?: string;
  /** The pod with the primary of a database. */
  readonly primary?: string;
}

/** A program in the table of releases. */
export interface Deployed {
  readonly title: string;
  /** The numbers that its tag starts with. */
  readonly version: string;
  /** Last day of fixes; absent where none is known. */
  readonly fixesUntil?: Day;
}

type ProgramName = keyof typeof programs;

/** The ends of the images' names, which mirrors keep, by the program whose version they have. */
const programImages: readonly (readonly [RegExp, ProgramName])[] = [
  [/(^|\/)(gitaly|gitlab-(webservice|workhorse|sidekiq|toolbox|pages)(-[ce]e)?)$/, "gitlab"],
  [/(^|\/)(harbor-\w+|registry-photon)$/, "harbor"],
  [/(^|\/)nextcloud$/, "nextcloud"],
  [/(^|\/)postgresql$/, "postgresql"],
  [/(^|\/)pgbouncer$/, "pgbouncer"],
  [/(^|\/)valkey$/, "valkey"],
  [/(^|\/)collabora\/code$/, "collabora"],
  [/(^|\/)whiteboard$/, "whiteboard"],
  [/(^|\/)notify_push$/, "notifyPush"],
  [/(^|\/)aio-imaginary$/, "imaginary"],
];

/** Fields of the status that count ready pods, by the kind. */
const readyCounts: Readonly<Record<RunningKind, "readyReplicas" | "readyInstances" | "instances">> = {
  Deployment: "readyReplicas",
  StatefulSet: "readyReplicas",
  Cluster: "readyInstances",
  Pooler: "instances",
};

/** CloudNativePG's word for a sound cluster. (api/v1/cluster_types.go, PhaseHealthy) */
const healthyPhase = "Cluster in healthy state";

/** The components as they run, each with its workloads. */
export function componentStates(facts: StatusFacts): ComponentState[] {
  const restarts = restartsByWorkload(facts);
  return facts.components.map(({ name, component, workloads }) => ({
    name,
    component,
    workloads: workloads.map((planned) => workloadState(planned, facts, restarts)),
  }));
}

function workloadState(
  { object: planned, pods }: PlannedWorkload,
  facts: StatusFacts,
  restarts: ReadonlyMap<string, Restarts>,
): WorkloadState {
  const { kind } = planned;
  const { namespace = "", name } = planned.metadata;
  const plannedImage = imagesOf(planned).at(-1);
  const own = {
    kind,
    namespace,
    name,
    ...(pods !== undefined && { planned: pods }),
    ...(plannedImage && { plannedImage }),
  };
  const none = { ready: 0, wanted: pods ?? 1, restarts: 0 };
  const live = standingOf<LiveWorkload>(facts, planned);
  if (typeof live === "string") return { ...own, ...none, state: live };
  const { spec = {}, status = {} } = live;
  // Lists do not say what their items are.
  const image = imagesOf({ ...live, apiVersion: planned.apiVersion, kind }).at(-1);
  const { count = 0, last } = restarts.get(dataName(name, namespace)) ?? {};
  return {
    ...own,
    state: "present",
    ready: status[readyCounts[kind]] ?? 0,
    wanted: spec.replicas ?? spec.instances ?? 1,
    restarts: count,
    ...(last && { lastRestart: last }),
    ...(image && { image, ...deployedBy(image) }),
    ...phaseOf(kind, live),
    ...(status.currentPrimary && { primary: status.currentPrimary }),
  };
}

/** What keeps a database from being as it should, in the operator's words. */
function phaseOf(kind: RunningKind, { metadata, status = {} }: LiveWorkload): Pick<WorkloadState, "phase"> {
  if (kind !== "Cluster") return {};
  const { annotations = {} } = metadata;
  if (annotations["cnpg.io/hibernation"] === "on") return { phase: "It hibernates" };
  const fenced = annotations["cnpg.io/fencedInstances"];
  if (fenced !== undefined && fenced !== "[]") return { phase: `Fenced: ${fenced}` };
  const { phase, phaseReason } = status;
  if (phase === undefined || phase === healthyPhase) return {};
  return { phase: phaseReason ? `${phase} (${phaseReason})` : phase };
}

function deployedBy(image: string): { program?: Deployed } {
  const { path = "", tag } = parseImage(image) ?? {};
  const [, name] = programImages.find(([pattern]) => pattern.test(path)) ?? [];
  const [, version] = /^v?(\d+(?:\.\d+)*)/.exec(tag ?? "") ?? [];
  if (name === undefined || version === undefined) return {};
  const program: Supported = programs[name];
  const fixesUntil = endOfVersion(program, version);
  return { program: { title: program.title, version, ...(fixesUntil && { fixesUntil }) } };
}

/** The programs of a component, each once, in the order of its workloads. */
export function programsOf({ workloads }: Pick<ComponentState, "workloads">): Deployed[] {
  const all = workloads.flatMap(({ program }) => program ?? []);
  return [...new Map(all.map((each) => [`${each.title} ${each.version}`, each])).values()];
}

/** What is to be said of the support of what runs, once for each version. @param now of which the day in UTC counts */
export function supportOf(states: readonly ComponentState[], now: Date) {
  const all = programsOf({ workloads: states.flatMap(({ workloads }) => workloads) });
  return all.flatMap(({ title, version }) => {
    const program: Supported | undefined = Object.values(programs).find((each) => each.title === title);
    if (!program) return [];
    return supportProblems("", program, version, dayOf(now)).map(({ message, remedy }) => ({ title, message, remedy }));
  });
}

interface Restarts {
  readonly count: number;
  readonly last?: string;
}

function restartsByWorkload({ live }: StatusFacts): Map<string, Restarts> {
  const found = new Map<string, Restarts>();
  for (const pod of live.pods) {
    const workload = workloadOf(pod);
    if (workload === undefined) continue;
    const name = dataName(workload, pod.metadata?.namespace);
    const { count = 0, last } = found.get(name) ?? {};
    const containers = pod.status?.containerStatuses ?? [];
    const ends = containers.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []).map(String);
    const newest = [...(last ? [last] : []), ...ends].sort().at(-1);
    const more = containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
    found.set(name, { count: count + more, ...(newest && { last: newest }) });
  }
  return found;
}
