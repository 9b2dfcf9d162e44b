import { dataName } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings, Status } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";
import { type ComponentState, type Deployed, programsOf, supportOf, type WorkloadState } from "./components.ts";
import { comeBack, momentText, type StatusRow } from "./row.ts";

const isAbsent = ({ state }: WorkloadState) => state === "absent";

/** Said instead of all else where the cluster has nothing of the stack; none where it has something. */
export function strangeCluster(states: readonly ComponentState[]): StatusRow[] {
  const all = states.flatMap(({ workloads }) => workloads);
  if (all.length === 0 || !all.every(isAbsent)) return [];
  return [
    findings("components").problem(
      "the stack",
      "Nothing of it is in this cluster.",
      "Check that it is the right one. Before a first update this is as it should be. If the cluster was lost, see docs/how-to/lost-cluster.md.",
    ),
  ];
}

/** A row for each component: its versions, its pods, and what of it is not as it should be. */
export function componentChecks(states: readonly ComponentState[]): StatusRow[] {
  return states.map((state) => {
    const { name, workloads } = state;
    if (workloads.every(isAbsent))
      return findings("components").problem(name, "Nothing of it is in the cluster.", comeBack);
    const faults = workloads.flatMap(faultOf);
    const sum = (of: (workload: WorkloadState) => number) => workloads.reduce((total, each) => total + of(each), 0);
    const numbers = {
      readyPods: sum(({ ready }) => ready),
      wantedPods: sum(({ wanted }) => wanted),
      restarts: sum(({ restarts }) => restarts),
    };
    const versions = programsOf(state).map(versionText).join(", ");
    const counts = `${numbers.readyPods} of ${numbers.wantedPods} pods ready, ${restartText(numbers.restarts, workloads)}`;
    const primaries = workloads.flatMap(({ primary }) => (primary ? [`primary ${primary}`] : []));
    const message = [
      ...faults.map(({ message }) => message),
      `${[...(versions ? [versions] : []), counts, ...primaries].join("; ")}.`,
    ].join(" ");
    const worst = faults.find(({ status }) => status === Status.problem) ?? faults[0];
    const finding: Finding = worst
      ? { status: worst.status, code: "components", subject: name, message, remedy: worst.remedy }
      : findings("components").ok(name, message);
    return { ...finding, numbers };
  });
}

function versionText({ title, version, fixesUntil }: Deployed): string {
  return `${title} ${version}${fixesUntil ? ` (fixes until ${fixesUntil})` : ""}`;
}

function restartText(count: number, workloads: readonly WorkloadState[]): string {
  if (count === 0) return "no restarts";
  const last = workloads
    .flatMap(({ lastRestart }) => lastRestart ?? [])
    .sort()
    .at(-1);
  const since = last ? `, the last ${momentText(last)}` : "";
  return `${counted(count, "restart")}${since}`;
}

/** What is wrong with a workload as a whole; why a pod does not start is told by what its pods say. */
function faultOf(workload: WorkloadState): Pick<Finding, "status" | "message" | "remedy">[] {
  const { kind, namespace, name, state, ready, wanted, planned, phase } = workload;
  const what = `${kind} ${dataName(name, namespace)}`;
  const look = `Look at it: kubectl -n ${namespace} describe ${kind.toLowerCase()} ${name}.`;
  const problem = (message: string, remedy = look) => [{ status: Status.problem, message, remedy }];
  if (state === "unseen")
    return [
      { status: Status.unknown, message: `You may not list ${kind}s.`, remedy: "Ask for the rights to list it." },
    ];
  if (state === "absent") return problem(`${what} is not in the cluster.`, comeBack);
  if (wanted === 0 && planned !== 0)
    return problem(
      `${what} is scaled to 0${planned === undefined ? "" : `, and the settings ask for ${planned}`}.`,
      `If that is over: kubectl -n ${namespace} scale ${kind.toLowerCase()} ${name} --replicas=${planned ?? 1}.`,
    );
  if (phase !== undefined && ready < wanted) return problem(`${what}: ${phase}.`);
  if (ready === 0 && wanted > 0) return problem(`${what} has no ready pod.`);
  if (ready < wanted)
    return [{ status: Status.warning, message: `${what} has ${ready} of ${wanted} pods ready.`, remedy: look }];
  if (phase !== undefined) return [{ status: Status.warning, message: `${what}: ${phase}.`, remedy: look }];
  return [];
}

/** Versions that get no fixes any more, or soon. */
export function versionChecks(states: readonly ComponentState[], now: Date): StatusRow[] {
  const { warning } = findings("versions");
  return supportOf(states, now).map(({ title, message, remedy }) => warning(title, message, remedy));
}

/** Where what runs is not what the settings say: an update is due, or somebody changed it by hand. */
export function settingsChecks(states: readonly ComponentState[]): StatusRow[] {
  const { ok, warning } = findings("settings");
  const present = states.flatMap(({ workloads }) => workloads).filter(({ state }) => state === "present");
  const rows = present.flatMap((workload) => {
    const { kind, namespace, name, image, plannedImage, wanted, planned } = workload;
    const differences = [
      ...(image !== undefined && plannedImage !== undefined && image !== plannedImage
        ? [`runs ${image}, and the settings say ${plannedImage}`]
        : []),
      // That none is wanted is said of the component.
      ...(planned !== undefined && wanted !== planned && wanted !== 0
        ? [`has ${wanted} pods, and the settings say ${planned}`]
        : []),
    ];
    if (differences.length === 0) return [];
    const message = `It ${differences.join("; it ")}.`;
    return warning(
      `${kind} ${dataName(name, namespace)}`,
      message,
      "An update is due, or somebody changed it by hand: `pulumi preview --refresh --diff` shows it.",
    );
  });
  if (rows.length > 0 || present.length === 0) return rows;
  return [ok("settings", "Images and numbers of pods are those of the settings.")];
}
