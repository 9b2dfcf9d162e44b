/** Update: a server-side apply of the new inputs. */

import { ApiError } from "../../kubernetes/api.ts";
import { NoMatchError } from "../../kubernetes/discovery.ts";
import { type KubernetesObject, keyOf } from "../../kubernetes/objects.ts";
import { containsUnknown, InitializationError, isObject, type Properties, type UpdateRequest } from "../grpc.ts";
import { applyObject, isForced } from "./apply.ts";
import { awaitReady, NotReadyError } from "./await/ready.ts";
import { isPatch } from "./check.ts";
import { isCreateOwned, isOthersField, takeOverFields } from "./managed-fields.ts";
import { objectOf, omit, valueAt } from "./objects.ts";
import { type Path, parsePath } from "./paths.ts";
import { reachable, type Session } from "./session.ts";
import { fieldManagerOf, initialApiVersion, stateOf } from "./state.ts";

/**
 * Applies the inputs and waits until the object is ready; a preview applies without keeping it. Returns the new state.
 * @throws Error where the server refuses it, or it does not get ready
 */
export async function update(session: Session, request: UpdateRequest): Promise<Properties> {
  const { news, preview, oldState, urn } = request;
  if (preview && (containsUnknown(news) || !session.cluster)) return news;
  const cluster = reachable(session);
  const inputs = objectOf(news);
  const fieldManager = fieldManagerOf(news, oldState);
  const state = (live: KubernetesObject) => stateOf(live, inputs, fieldManager, initialApiVersion(oldState));
  let previous: KubernetesObject | undefined;
  let applied: KubernetesObject;
  try {
    let live = await cluster.api.get(await cluster.discovery.path(inputs), { signal: session.signal });
    previous = live;
    let force = isForced(session, inputs) || (preview && isCreateOwned(live));
    if (!preview && !isPatch(request.type, inputs.kind)) {
      live = await takeOverFields(cluster, live, fieldManager, session.signal);
      previous = live;
      force ||= (live.metadata.managedFields ?? []).length === 0;
    }
    const object = keepIgnored(inputs, live, request.ignoreChanges, fieldManager);
    applied = await applyObject(session, object, { fieldManager, preview, force });
  } catch (error) {
    const isUnpreviewable = error instanceof NoMatchError || (error instanceof ApiError && error.code === 403);
    if (preview && isUnpreviewable) return news;
    const message = error instanceof Error ? error.message : String(error);
    if (!previous || error instanceof NoMatchError) throw new Error(`update of resource "${urn}" failed: ${message}`);
    // As the official provider has it: the object exists, so what was asked for is recorded, and tried again by the next update.
    throw unfinished(keyOf(previous), state(previous), message);
  }
  if (preview) return omit(state(applied), ["status"]);
  try {
    return state(await awaitReady(session, request, { inputs, live: applied, previous }));
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    throw unfinished(keyOf(applied), state(error.live ?? applied), error.message, error.reasons);
  }
}

function unfinished(
  id: string,
  state: Properties,
  cause: string,
  reasons: readonly string[] = [],
): InitializationError {
  const message = `the Kubernetes API server reported that "${id}" failed to fully initialize or become live: ${cause}`;
  return new InitializationError(message, { id, state, reasons: [message, ...reasons] });
}

/**
 * The inputs with ignored fields as they are on the server; those that another manager owns are left out, so that they
 * stay its own.
 */
export function keepIgnored(
  inputs: KubernetesObject,
  live: KubernetesObject,
  ignoreChanges: readonly string[],
  fieldManager: string,
): KubernetesObject {
  return ignoreChanges.map(parsePath).reduce<KubernetesObject>((object, path) => {
    if (path.some((part) => typeof part === "number" || part === "*")) return object;
    if (isOthersField(live, path, fieldManager)) return withValue(object, path, undefined) as KubernetesObject;
    const value = valueAt(live, path);
    return value === undefined ? object : (withValue(object, path, value) as KubernetesObject);
  }, inputs);
}

function withValue(parent: Properties, [key, ...rest]: Path, value: unknown): Properties {
  if (typeof key !== "string") return parent;
  if (rest.length > 0) {
    const child = parent[key];
    if (!isObject(child) && value === undefined) return parent;
    return { ...parent, [key]: withValue(isObject(child) ? child : {}, rest, value) };
  }
  return value === undefined ? omit(parent, [key]) : { ...parent, [key]: value };
}
