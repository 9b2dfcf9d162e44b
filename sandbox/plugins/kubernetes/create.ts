/** Create: a new object, never one that exists. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, isBroken } from "../../kubernetes/api.ts";
import { NoMatchError } from "../../kubernetes/discovery.ts";
import { type KubernetesObject, keyOf } from "../../kubernetes/objects.ts";
import { type CreateRequest, containsUnknown, InitializationError, type Properties } from "../grpc.ts";
import { applyObject, isForced, isMissing } from "./apply.ts";
import { awaitReady, NotReadyError } from "./await/ready.ts";
import { isPatch } from "./check.ts";
import { isCreateOwned } from "./managed-fields.ts";
import { objectOf, omit } from "./objects.ts";
import { type Cluster, reachable, type Session } from "./session.ts";
import { CREATE_MANAGER, fieldManagerOf, stateOf } from "./state.ts";

/**
 * How long to wait before trying again when the namespace or the kind is not there yet, in milliseconds: half a minute
 * in all.
 */
const RETRY_AFTER = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000];

/**
 * Creates the object and waits until it is ready. A preview asks the server to do it without keeping it, and shows the
 * inputs where that can't work: values are unknown, the cluster, the kind or the namespace is missing, or the object
 * exists (it will be replaced).
 * @throws Error where the server refuses it, or it does not get ready
 */
export async function create(session: Session, request: CreateRequest): Promise<{ id: string; state: Properties }> {
  const { inputs, preview, type, urn } = request;
  const object = objectOf(inputs);
  const patch = isPatch(type, object.kind);
  if (preview && (containsUnknown(inputs) || patch || !session.cluster)) {
    return { id: "", state: inputs };
  }
  const cluster = reachable(session);
  const fieldManager = fieldManagerOf(inputs);
  const submit =
    patch || session.settings.upsertExistingObjects
      ? () => applyObject(session, object, { fieldManager, preview, force: preview || isForced(session, object) })
      : () => post(cluster, object, preview, session.signal);
  let created: KubernetesObject;
  try {
    created = await (preview ? submit() : retryMissing(submit, session.signal));
  } catch (error) {
    if (preview && isPreviewLimit(error)) return { id: "", state: inputs };
    throw createError(urn, object, error);
  }
  if (preview) return { id: "", state: omit(stateOf(created, object, fieldManager), ["status"]) };
  try {
    const live = await awaitReady(session, request, { inputs: object, live: created });
    return { id: keyOf(live), state: stateOf(live, object, fieldManager) };
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    const state = stateOf(error.live ?? created, object, fieldManager);
    throw new InitializationError(
      `resource "${urn}" was successfully created, but the Kubernetes API server reported that it failed to fully initialize or become live: ${error.message}`,
      { id: keyOf(created), state, reasons: [error.message, ...error.reasons] },
    );
  }
}

async function post(
  cluster: Cluster,
  object: KubernetesObject,
  preview: boolean,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const { api, discovery } = cluster;
  const { namespaced } = await discovery.resource(object);
  const { namespace, ...metadata } = object.metadata;
  const body = namespaced ? object : { ...object, metadata };
  const query = { fieldManager: CREATE_MANAGER, fieldValidation: "Strict", dryRun: preview ? "All" : undefined };
  const path = await discovery.collection(object, namespace);
  const submit = () => api.request("POST", path, { query, body, signal });
  const started = Date.now();
  try {
    return await submit();
  } catch (error) {
    if (!isBroken(error)) throw error;
    // The server may have made the object before the connection broke; then the next run would find that it exists.
    const made = await api.get(`${path}/${metadata.name}`, { signal }).catch((missing: unknown) => {
      if (isMissing(missing)) return undefined;
      throw missing;
    });
    if (!made) return submit();
    if (isCreateOwned(made) && Date.parse(String(made.metadata.creationTimestamp)) > started - 1_000) return made;
    throw error;
  }
}

async function retryMissing<T>(submit: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of RETRY_AFTER) {
    try {
      return await submit();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
  return submit();
}

/** Errors that a preview can't rely on: the same run may create or remove an object first, or this user may not try it. */
function isPreviewLimit(error: unknown): boolean {
  if (error instanceof NoMatchError) return true;
  if (!(error instanceof ApiError)) return false;
  const namespaceMissing = error.code === 404 && error.details.kind === "namespaces";
  const noDryRun = error.code === 400 && error.message.includes("does not support dry run");
  return namespaceMissing || noDryRun || error.reason === "AlreadyExists" || error.code === 403;
}

function createError(urn: string, { apiVersion, kind }: KubernetesObject, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoMatchError) {
    return new Error(
      `creation of resource "${urn}" with kind ${apiVersion}/${kind} failed because the Kubernetes API server reported that the apiVersion for this ` +
        `resource does not exist. Verify that any required CRDs have been created: ${message}`,
    );
  }
  const advice =
    error instanceof ApiError && error.reason === "AlreadyExists"
      ? "\n\nThe resource already exists in the cluster. When a Pulumi resource was renamed, give it an alias; to manage some fields of an object that " +
        "belongs to another, use a Patch resource; to take the object over, use `pulumi import`."
      : "";
  return new Error(`resource "${urn}" was not successfully created by the Kubernetes API server: ${message}${advice}`);
}
