/** Waiting until an object is ready, and judging whether it is. */

import type { KubernetesList, KubernetesObject, Reference } from "../../../kubernetes/objects.ts";
import { log } from "../../engine.ts";
import type { Properties } from "../../grpc.ts";
import { annotation, isAnnotated } from "../objects.ts";
import { type Cluster, reachable, type Session } from "../session.ts";
import { follow } from "./follow.ts";
import { ingress, service } from "./network.ts";
import { job, pod, podProblems } from "./pods.ts";
import type { Awaiter, Judgement, Situation } from "./readiness.ts";
import { persistentVolume, persistentVolumeClaim, resourceQuota, secret } from "./storage.ts";
import { daemonSet, deployment, statefulSet } from "./workloads.ts";

/** The kinds that take time to become ready; all others are ready once they exist. */
const AWAITERS: Record<string, Awaiter> = {
  "apps/v1/DaemonSet": daemonSet,
  "apps/v1/Deployment": deployment,
  "apps/v1/StatefulSet": statefulSet,
  "batch/v1/Job": job,
  "networking.k8s.io/v1/Ingress": ingress,
  "v1/PersistentVolume": persistentVolume,
  "v1/PersistentVolumeClaim": persistentVolumeClaim,
  "v1/Pod": pod,
  "v1/ResourceQuota": resourceQuota,
  "v1/Secret": secret,
  "v1/Service": service,
};

/** As long as is waited when nothing else is said, in seconds: the official provider's. */
const DEFAULT_TIMEOUT = 600;

/** The object exists but is not ready. `live` is its last known form, `reasons` say what is wrong. */
export class NotReadyError extends Error {
  readonly live: KubernetesObject;
  readonly reasons: string[];

  constructor(message: string, live: KubernetesObject, reasons: string[]) {
    super(message);
    this.name = "NotReadyError";
    this.live = live;
    this.reasons = reasons;
  }
}

/**
 * How long to wait, in milliseconds: the resource's `customTimeouts`, its `pulumi.com/timeoutSeconds`, or ten minutes.
 */
export function timeoutOf(customTimeout: number, inputs: Properties): number {
  const annotated = Number.parseInt(annotation(inputs, "pulumi.com/timeoutSeconds") ?? "", 10);
  return (customTimeout || annotated || DEFAULT_TIMEOUT) * 1000;
}

/**
 * Waits until the object is ready and returns it then: as its `pulumi.com/waitFor` says, as its kind needs, or not at
 * all with `pulumi.com/skipAwait`. Throws {@link NotReadyError} when it fails, the time is up, or the engine cancels.
 */
export async function awaitReady(
  session: Session,
  { urn, timeout }: { urn: string; timeout: number },
  { inputs, live, previous }: { inputs: KubernetesObject; live: KubernetesObject; previous?: KubernetesObject },
): Promise<KubernetesObject> {
  const awaiter = await awaiterOf(inputs, live);
  if (!awaiter) return live;
  const cluster = reachable(session);
  const done = new AbortController();
  const deadline = AbortSignal.timeout(timeoutOf(timeout, inputs));
  const signal = AbortSignal.any([session.signal, deadline, done.signal]);
  const situation: Situation = { live, previous, related: {} };
  let last: Judgement = { ready: false, message: "Waiting for readiness" };

  const outcome = Promise.withResolvers<KubernetesObject>();
  const related = Object.entries(awaiter.related?.(live) ?? {});
  const unseen = new Set(["live", ...related.map(([name]) => name)]);
  const judge = () => {
    if (unseen.size > 0) return;
    const judgement = awaiter.judge(situation);
    if (judgement.message && judgement.message !== last.message) log("status", urn, judgement.message);
    last = judgement;
    if (judgement.ready) outcome.resolve(situation.live);
    else if (judgement.failed)
      outcome.reject(new Error(`Resource '${live.metadata.name}' was created but failed to initialize`));
  };
  const watch = async (name: string, reference: Reference, take: (object: KubernetesObject | undefined) => void) => {
    for await (const object of follow(cluster, reference, signal)) {
      unseen.delete(name);
      take(object);
      judge();
    }
  };
  const watches = [
    watch("live", live, (object) => {
      if (!object)
        outcome.reject(new Error(`Resource '${live.metadata.name}' was deleted while waiting for it to be Ready`));
      else situation.live = object;
    }),
    ...related.map(([name, reference]) =>
      watch(name, reference, (object) => {
        situation.related[name] = object;
      }),
    ),
  ];
  for (const watched of watches) watched.catch(outcome.reject);
  try {
    return await outcome.promise;
  } catch (error) {
    const message = session.signal.aborted
      ? `Resource operation was cancelled for "${live.metadata.name}"`
      : deadline.aborted
        ? `'${live.metadata.name}' timed out waiting to be Ready`
        : error instanceof Error
          ? error.message
          : String(error);
    throw new NotReadyError(message, situation.live, await reasonsOf(cluster, awaiter, situation.live, last));
  } finally {
    done.abort();
    log("status", urn, "");
  }
}

/** Why an object that was read is not ready; nothing when it is, or when its kind is not judged on reading. */
export async function judgeNow(session: Session, inputs: KubernetesObject, live: KubernetesObject): Promise<string[]> {
  const awaiter = AWAITERS[`${live.apiVersion}/${live.kind}`];
  if (!awaiter || awaiter.onRead === false || isAnnotated(inputs, "pulumi.com/skipAwait")) return [];
  const cluster = reachable(session);
  const related = await Promise.all(
    Object.entries(awaiter.related?.(live) ?? {}).map(async ([name, reference]) => {
      const object = await cluster.api.get(await cluster.discovery.path(reference)).catch(() => undefined);
      return [name, object] as const;
    }),
  );
  const judgement = awaiter.judge({ live, related: Object.fromEntries(related) });
  return judgement.ready ? [] : reasonsOf(cluster, awaiter, live, judgement);
}

async function awaiterOf(inputs: KubernetesObject, live: KubernetesObject): Promise<Awaiter | undefined> {
  if (isAnnotated(inputs, "pulumi.com/skipAwait")) return undefined;
  const waitFor = annotation(live, "pulumi.com/waitFor");
  if (!waitFor) return AWAITERS[`${live.apiVersion}/${live.kind}`];
  // Few objects need it, and its parser takes a while to load.
  const { parseWaitFor } = await import("./wait-for.ts");
  const test = parseWaitFor(waitFor);
  return { judge: ({ live: current }) => test(current) };
}

async function reasonsOf(
  cluster: Cluster,
  awaiter: Awaiter,
  live: KubernetesObject,
  judgement: Judgement,
): Promise<string[]> {
  const reasons = judgement.reasons?.length ? judgement.reasons : [judgement.message];
  const labels = awaiter.podLabels?.(live);
  if (!labels) return reasons;
  try {
    const labelSelector = Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(",");
    const path = await cluster.discovery.collection({ apiVersion: "v1", kind: "Pod" }, live.metadata.namespace);
    const { items } = await cluster.api.get<KubernetesList>(path, { query: { labelSelector } });
    return [...reasons, ...items.flatMap(podProblems)];
  } catch {
    return reasons;
  }
}
