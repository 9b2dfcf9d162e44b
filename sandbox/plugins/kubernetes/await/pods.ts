/** Pods and Jobs, and what keeps pods from being ready. */
import { type KubernetesObject, keyOf } from "../../../kubernetes/objects.ts";
import { valueAt } from "../objects.ts";
import { type Awaiter, conditionOf, count, explain, READY } from "./readiness.ts";

/** Ready, or ended well. */
export const pod: Awaiter = {
  judge({ live }) {
    if (conditionOf(live, "Ready")?.status === "True" || valueAt(live, ["status", "phase"]) === "Succeeded")
      return READY;
    const stage = (["PodScheduled", "Initialized"] as const).find((type) => conditionOf(live, type)?.status !== "True");
    const waiting = { PodScheduled: "scheduled", Initialized: "initialized", Ready: "ready" }[stage ?? "Ready"];
    return {
      ready: false,
      message: `Waiting for Pod "${keyOf(live)}" to be ${waiting}`,
      reasons: podProblems(live),
    };
  },
};

/** Complete. A Job that has failed ends the wait. */
export const job: Awaiter = {
  podLabels: ({ metadata }) => ({ "batch.kubernetes.io/job-name": metadata.name }),
  judge({ live }) {
    if (conditionOf(live, "Complete")?.status === "True") return READY;
    const failure = conditionOf(live, "Failed");
    if (failure?.status === "True")
      return { ready: false, failed: true, message: explain(failure), reasons: [explain(failure)] };
    const [active, succeeded, failed] = ["active", "succeeded", "failed"].map((field) => count(live, "status", field));
    const progress = `(Active: ${active} | Succeeded: ${succeeded} | Failed: ${failed})`;
    return { ready: false, message: `Waiting for Job "${keyOf(live)}" to succeed ${progress}` };
  },
};

/** What is wrong with a pod that is not ready, in the words of the scheduler and the container runtime. */
export function podProblems(live: KubernetesObject): string[] {
  if (conditionOf(live, "Ready")?.status === "True" || valueAt(live, ["status", "phase"]) === "Succeeded") return [];
  const unmet = ["PodScheduled", "Initialized", "Ready"]
    .map((type) => conditionOf(live, type))
    .find((condition) => condition?.status === "False");
  const statuses = ["initContainerStatuses", "containerStatuses"].flatMap((field) => {
    const list = valueAt(live, ["status", field]);
    return Array.isArray(list) ? (list as ContainerStatus[]) : [];
  });
  const problems = [unmet?.message, ...statuses.flatMap(containerProblems)].filter(Boolean);
  return problems.length > 0 ? [`[Pod ${keyOf(live)}]: ${problems.join("; ")}`] : [];
}

interface ContainerStatus {
  name: string;
  ready: boolean;
  state?: { waiting?: { reason?: string; message?: string }; terminated?: Terminated };
  lastState?: { terminated?: Terminated };
}

interface Terminated {
  reason?: string;
  message?: string;
  exitCode: number;
  finishedAt?: string;
}

function containerProblems({ name, ready, state, lastState }: ContainerStatus): string[] {
  if (ready) return [];
  const problems: string[] = [];
  const { waiting, terminated } = state ?? {};
  if (waiting?.reason && waiting.reason !== "ContainerCreating" && waiting.reason !== "PodInitializing") {
    problems.push(`[${waiting.reason}] ${waiting.message ?? ""}`.trim());
  }
  if (terminated?.reason && terminated.exitCode !== 0) {
    problems.push(terminated.message ? `[${terminated.reason}] ${terminated.message}` : exited(name, terminated));
  }
  if (lastState?.terminated) problems.push(exited(name, lastState.terminated));
  return problems;
}

function exited(name: string, { exitCode, reason = "", finishedAt = "" }: Terminated): string {
  return `container "${name}" terminated at ${finishedAt} (${reason}: exit code ${exitCode})`;
}
