/** Delete: removes the object and waits until it is gone. */

import type { KubernetesObject, Reference } from "../../kubernetes/objects.ts";
import { log } from "../engine.ts";
import { type DeleteRequest, InitializationError } from "../grpc.ts";
import { applyObject, isMissing } from "./apply.ts";
import { follow } from "./await/follow.ts";
import { timeoutOf } from "./await/ready.ts";
import { isPatch } from "./check.ts";
import { annotation, isAnnotated, objectOf, parseId } from "./objects.ts";
import { kindOf } from "./read.ts";
import { reachable, type Session } from "./session.ts";
import { fieldManagerOf, liveOf, sentOf, stateOf } from "./state.ts";

const PROPAGATION: Record<string, string> = { orphan: "Orphan", background: "Background" };

/** Kinds whose deletion is not waited for with `pulumi.com/skipAwait`. */
const SKIPPABLE = ["Namespace", "Pod", "ReplicationController", "DaemonSet", "Deployment", "StatefulSet", "Job"];

/**
 * Deletes in the foreground unless `pulumi.com/deletionPropagationPolicy` says otherwise. A patch resource gives up its
 * fields instead. What is gone already, or whose kind is, counts as deleted.
 * @throws Error where the server refuses it, or it does not go
 */
export async function deleteObject(session: Session, request: DeleteRequest): Promise<void> {
  const { id, inputs, state, type, urn } = request;
  if (!session.cluster && session.settings.deleteUnreachable) {
    log(
      "warning",
      urn,
      `configured Kubernetes cluster is unreachable: ${session.unreachable}; forgetting the resource`,
    );
    return;
  }
  const cluster = reachable(session);
  const { api, discovery } = cluster;
  const recorded = [inputs, liveOf(state)].find(({ kind }) => typeof kind === "string");
  const { apiVersion, kind } = recorded ? objectOf(recorded) : kindOf(type);
  const reference = { apiVersion, kind, metadata: parseId(id) };
  if (isPatch(type, kind)) return relinquish(session, reference, fieldManagerOf(inputs, state));

  const propagationPolicy =
    PROPAGATION[annotation(inputs, "pulumi.com/deletionPropagationPolicy")?.toLowerCase() ?? ""] ?? "Foreground";
  let path: string;
  try {
    path = await discovery.path(reference);
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy };
    await api.request("DELETE", path, { body, signal: session.signal });
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if (isAnnotated(inputs, "pulumi.com/skipAwait") && SKIPPABLE.includes(kind)) return;

  const timeout = timeoutOf(request.timeout, inputs);
  const signal = AbortSignal.any([session.signal, AbortSignal.timeout(timeout)]);
  let last: KubernetesObject | undefined;
  log("status", urn, "Resource scheduled for deletion");
  try {
    for await (const live of follow(cluster, reference, signal)) {
      if (!live || (last && live.metadata.uid !== last.metadata.uid)) return;
      last = live;
    }
  } catch (error) {
    if (isMissing(error)) return;
    if (!last || !signal.aborted) throw error;
    const reason = session.signal.aborted ? "was cancelled" : `timed out after ${timeout / 1000} s`;
    const message = `waiting for the deletion of ${kind} "${id}" ${reason}: ${whatHolds(last)}`;
    throw new InitializationError(message, { id, state: stateOf(last, sentOf(state), fieldManagerOf(inputs, state)) });
  } finally {
    log("status", urn, "");
  }
}

function whatHolds({ metadata }: KubernetesObject): string {
  const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== "foregroundDeletion");
  return finalizers.length > 0
    ? `finalizers might be preventing deletion (${finalizers.join(", ")})`
    : "objects that depend on it may still be there";
}

async function relinquish(session: Session, reference: Reference, fieldManager: string) {
  try {
    await applyObject(session, reference, { fieldManager, force: false, preview: false });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
