/** Server-side apply. */
import { ApiError } from "../../kubernetes/api.ts";
import type { KubernetesObject, Reference } from "../../kubernetes/objects.ts";
import { isAnnotated } from "./objects.ts";
import { reachable, type Session } from "./session.ts";

/**
 * How an object is applied: under which manager's name, over the heads of other managers or not, kept or only tried.
 */
export interface ApplyOptions {
  fieldManager: string;
  force: boolean;
  preview: boolean;
}

/** The official provider's page on conflicts, as its errors name it. */
const guide =
  "https://www.pulumi.com/registry/packages/kubernetes/how-to-guides/" +
  "managing-resources-with-server-side-apply/#handle-field-conflicts-on-existing-resources";

/**
 * Applies an object with strict validation. A conflict over a field that another manager owns is told in the official provider's words.
 * @throws Error with what the server says
 */
export async function applyObject(
  session: Session,
  object: KubernetesObject | Reference,
  { fieldManager, force, preview }: ApplyOptions,
): Promise<KubernetesObject> {
  const { api, discovery } = reachable(session);
  const query = { fieldManager, force: String(force), fieldValidation: "Strict", dryRun: preview ? "All" : undefined };
  const contentType = "application/apply-patch+yaml";
  try {
    return await api.request("PATCH", await discovery.path(object), {
      query,
      body: object,
      contentType,
      signal: session.signal,
    });
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === "Conflict")) throw error;
    throw new Error(
      `server-side apply field conflict detected, see ${guide} for troubleshooting help\n` +
        `The resource managed by field manager "${fieldManager}" had an apply conflict: ${error.message}`,
    );
  }
}

/** Whether a resource takes fields from other managers. */
export function isForced({ settings }: Session, object: KubernetesObject): boolean {
  return settings.enablePatchForce || isAnnotated(object, "pulumi.com/patchForce");
}

/** Whether an error says that the object, its namespace or its kind is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404;
}
