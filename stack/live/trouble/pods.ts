import type { ContainerStatus, Pod } from "kubernetes-types/core/v1.d.ts";
import { type Finding, findings } from "../preflight/finding.ts";
import { type Live, newestEvent } from "./live.ts";

const { problem } = findings("pods");

/** Causes that keep pods from starting, once for all pods of a workload. */
export function podFindings(live: Live): Finding[] {
  const waiting = live.pods.filter(({ metadata, status }) => {
    const isReady = status?.conditions?.some((each) => each.type === "Ready" && each.status === "True");
    return metadata?.deletionTimestamp === undefined && status?.phase !== "Succeeded" && !isReady;
  });
  const found = waiting.flatMap((pod) => [...unscheduled(pod), ...unmounted(pod, live), ...faultyContainers(pod)]);
  return [...new Map(found.map((each) => [`${each.subject} ${each.remedy}`, each])).values()];
}

function unscheduled(pod: Pod): Finding[] {
  const condition = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  const message = condition?.message ?? "";
  // The claim itself is reported, with the reason why it has no volume.
  if (condition?.reason !== "Unschedulable" || message.includes("unbound immediate PersistentVolumeClaims")) return [];
  return [
    problem(
      subjectOf(pod),
      `No node takes pod ${pod.metadata?.name}: ${ended(message)}`,
      "Add nodes, or lower what the pods request.",
    ),
  ];
}

/** Events of a kubelet that can't prepare a pod. */
const preparing = ["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"];

function unmounted(pod: Pod, live: Live): Finding[] {
  const { reason = "", message = "" } = newestEvent(live, pod.metadata?.uid) ?? {};
  if (!preparing.includes(reason)) return [];
  return [
    problem(
      subjectOf(pod),
      `Pod ${pod.metadata?.name} can't be prepared: ${ended(message)}`,
      "Mend what the message names: a volume, a Secret, or the node's network.",
    ),
  ];
}

/** Reasons why a container waits, each with what to say and to do. */
const waits: readonly (readonly [RegExp, (image: string, message: string) => string, string])[] = [
  [
    /^(ErrImage\w*|ImagePullBackOff|InvalidImageName|ImageInspectError|RegistryUnavailable)$/,
    (image, message) => `image ${image} can't be pulled: ${message}`,
    "Correct the image's name or tag in the settings, or let the nodes reach its registry.",
  ],
  [
    /^(CreateContainer\w*|RunContainerError)$/,
    (_, message) => `it can't be started: ${message}`,
    "Mend what the message names, often a Secret or a ConfigMap that is missing.",
  ],
  [
    /^CrashLoopBackOff$/,
    (_, message) => `it ends again and again: ${message}`,
    "Read why with kubectl logs --previous.",
  ],
];

function faultyContainers(pod: Pod): Finding[] {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  return [...initContainerStatuses, ...containerStatuses].flatMap((container) => {
    const { reason = "", message } = container.state?.waiting ?? {};
    const [, say, remedy] = waits.find(([reasons]) => reasons.test(reason)) ?? [];
    if (!say || !remedy) return [];
    const where = `Container ${container.name} of pod ${pod.metadata?.name}`;
    const cause = exitOf(container) ?? message ?? reason;
    return [problem(subjectOf(pod), ended(`${where}: ${say(imageOf(pod, container), cause)}`), remedy)];
  });
}

/** Status shows an image as the runtime resolved it, or not at all before that; the pod's own text is the one to look for in the settings. */
function imageOf({ spec }: Pod, { name, image }: ContainerStatus): string {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return containers.find((each) => each.name === name)?.image ?? image;
}

function exitOf({ lastState }: ContainerStatus): string | undefined {
  if (!lastState?.terminated) return undefined;
  const { exitCode, reason, message } = lastState.terminated;
  return `exit code ${exitCode}${reason ? ` (${reason})` : ""}${message ? `, ${message.trim()}` : ""}`;
}

/** All pods of a workload as one. */
function subjectOf(pod: Pod): string {
  const { namespace, name } = pod.metadata ?? {};
  const workload = workloadOf(pod);
  return workload === undefined ? `pod ${namespace}/${name}` : `pods of ${namespace}/${workload}`;
}

/** Name of the workload that a pod belongs to: a Deployment's ReplicaSet has the template's hash in its name. */
export function workloadOf({ metadata }: Pod): string | undefined {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  const hash = metadata?.labels?.["pod-template-hash"];
  return owner && hash && owner.name.endsWith(`-${hash}`) ? owner.name.slice(0, -hash.length - 1) : owner?.name;
}

/** The text as a sentence. */
export function ended(text: string): string {
  return `${text.trim().replace(/[.\s]+$/, "")}.`;
}
