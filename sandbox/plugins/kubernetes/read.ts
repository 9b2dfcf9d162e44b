/** Read: an object as it is on the server, for a refresh, an import or a `.get`. */

import type { KubernetesObject } from "../../kubernetes/objects.ts";
import { log } from "../engine.ts";
import { InitializationError, isObject, type Properties, type ReadRequest, type ReadResult } from "../grpc.ts";
import { isMissing } from "./apply.ts";
import { judgeNow } from "./await/ready.ts";
import { prune } from "./diff.ts";
import { objectOf, omit, parseId, propertiesOf } from "./objects.ts";
import type { Session } from "./session.ts";
import { fieldManagerOf, initialApiVersion, liveOf, markSecretData, stateOf } from "./state.ts";

const SET_BY_CONTROLLERS = ["deployment.kubernetes.io/revision", "kubectl.kubernetes.io/last-applied-configuration"];

/**
 * The live object. Without recorded inputs (import, `.get`) all of it but its status becomes the inputs; with them,
 * what they name. An object that is gone, or whose kind is, is undefined; one that is not ready is an error that
 * records it as it is.
 * @throws Error where the server can't be reached
 */
export async function read(session: Session, request: ReadRequest): Promise<ReadResult> {
  const { id, state, type, urn } = request;
  if (!session.cluster) {
    log("warning", urn, `configured Kubernetes cluster is unreachable: ${session.unreachable}`);
    if (session.settings.deleteUnreachable) return undefined;
    throw new Error(
      "failed to read resource state due to unreachable cluster. If the cluster was deleted, you can remove this resource from Pulumi state by " +
        'rerunning the operation with the PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"',
    );
  }
  const { api, discovery } = session.cluster;
  const recorded = [request.inputs, liveOf(state)].find(({ kind }) => typeof kind === "string");
  const { apiVersion, kind } = recorded ? objectOf(recorded) : kindOf(type);
  const { namespace, name } = parseId(id);
  let live: KubernetesObject;
  try {
    live = await api.get(await discovery.path({ apiVersion, kind, metadata: { name, namespace } }), {
      signal: session.signal,
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const isRefresh = Object.keys(request.inputs).length > 0;
  const inputs = isRefresh ? (prune(live, objectOf(request.inputs)) as KubernetesObject) : importedInputs(live);
  const result = {
    id,
    inputs: markSecretData(propertiesOf(inputs)),
    state: stateOf(live, inputs, fieldManagerOf(inputs, state), initialApiVersion(state)),
  };
  const reasons = isRefresh ? await judgeNow(session, objectOf(request.inputs), live) : [];
  if (reasons.length > 0)
    throw new InitializationError(`Resource "${id}" was created but failed to initialize`, { ...result, reasons });
  return result;
}

/** The API's version and kind in a resource's type: `kubernetes:core/v1:Pod` is `v1`, `Pod`. */
export function kindOf(type: string): { apiVersion: string; kind: string } {
  const [, module = "", kind = ""] = type.split(":");
  return { apiVersion: module.replace(/^core\//, ""), kind: kind.replace(/Patch$/, "") };
}

function importedInputs(live: KubernetesObject): KubernetesObject {
  const { status, ...object } = objectOf(live);
  const { annotations, ...metadata } = object.metadata as Properties;
  const kept = isObject(annotations) ? omit(annotations, SET_BY_CONTROLLERS) : {};
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(kept).length > 0 && { annotations: kept }) },
  } as KubernetesObject;
}
