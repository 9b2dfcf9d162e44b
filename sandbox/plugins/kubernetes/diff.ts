/** Diff: what changed between what is recorded and what the program says now, and whether that replaces the object. */
import { isDeepStrictEqual } from "node:util";
import {
  type DiffRequest,
  type DiffResult,
  isObject,
  type Properties,
  type PropertyDifference,
  UNKNOWN,
} from "../grpc.ts";
import { isAutonamed, isPatch } from "./check.ts";
import { isAnnotated, objectOf, valueAt } from "./objects.ts";
import { contains, formatPath, overlaps, type Path, parsePath } from "./paths.ts";
import { replacingFields } from "./replacements.ts";
import { isBuiltIn, isNamespaced } from "./scopes.ts";
import type { Session } from "./session.ts";
import { liveOf, sentOf } from "./state.ts";

/**
 * Compares a resource's recorded form with its new inputs. For custom resources that is, as with the official provider,
 * the live object cut to the shape of the old inputs, so that values which the server or an operator changed show up at
 * each run. For Kubernetes' own kinds the official provider first brings both sides into the typed API's form; here the
 * old inputs stand for that.
 */
export async function diff(session: Session, request: DiffRequest): Promise<DiffResult> {
  const news = objectOf(request.news);
  const oldInputs = objectOf(sentOf(request.oldState));
  const live = objectOf(liveOf(request.oldState));
  const base = isBuiltIn(news.apiVersion) ? oldInputs : objectOf(prune(live, oldInputs) as Properties);

  const namespaced = await isNamespaced(session, news.apiVersion, news.kind);
  const before = identified(base, namespaced, valueAt(live, ["metadata", "name"]));
  const after = identified(news, namespaced);

  const ignored = request.ignoreChanges.map(parsePath);
  const detailed = Object.fromEntries(
    differences(before, after, replacingFields(news, session.settings, isPatch(request.type, news.kind)))
      .filter(([path]) => !ignored.some((pattern) => contains(pattern, path)))
      .map(([path, difference]) => [formatPath(path), difference]),
  );
  const replaces = Object.keys(detailed).filter((path) => detailed[path]?.replace);
  if (await isUnfinishedJob(session, request)) replaces.push('metadata.annotations["pulumi.com/replaceUnready"]');
  const place = (object: Properties) => [
    valueAt(object, ["metadata", "name"]),
    valueAt(object, ["metadata", "namespace"]),
  ];
  return {
    changes: Object.keys(detailed).length > 0 || replaces.length > 0,
    replaces,
    detailed,
    // Two objects can't have one name; only for a name Pulumi chose, the new object gets another one.
    deleteBeforeReplace: replaces.length > 0 && !isAutonamed(news) && isDeepStrictEqual(place(before), place(after)),
  };
}

/**
 * Every place where two values differ, smallest parts first: keys of objects one by one, elements of arrays by their
 * index.
 */
export function differences(
  before: unknown,
  after: unknown,
  replacing: readonly string[],
): [Path, PropertyDifference][] {
  const patterns = replacing.map(parsePath);
  const found: [Path, PropertyDifference][] = [];
  const visit = (path: Path, old: unknown, now: unknown): void => {
    if (isDeepStrictEqual(old ?? undefined, now ?? undefined)) return;
    if (isObject(old) && isObject(now)) {
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) visit([...path, key], old[key], now[key]);
    } else if (Array.isArray(old) && Array.isArray(now)) {
      for (let index = 0; index < Math.max(old.length, now.length); index++)
        visit([...path, index], old[index], now[index]);
    } else {
      const kind = (now ?? undefined) === undefined ? "delete" : (old ?? undefined) === undefined ? "add" : "update";
      found.push([
        path,
        { kind, replace: patterns.some((pattern) => touches(pattern, path, kind === "delete" ? old : now)) },
      ]);
    }
  };
  visit([], before, after);
  return found;
}

/** Keeps of `live` what `shape` has too: its keys and as many elements of its arrays. */
export function prune(live: unknown, shape: unknown): unknown {
  if (isObject(live) && isObject(shape)) {
    const kept = Object.keys(live).filter((key) => key in shape);
    return Object.fromEntries(kept.map((key) => [key, prune(live[key], shape[key])]));
  }
  if (Array.isArray(live) && Array.isArray(shape)) {
    if (typeof live[0] !== typeof shape[0]) return shape.length === 0 ? [] : live;
    return live.slice(0, shape.length).map((element, index) => prune(element, shape[index]));
  }
  return live;
}

/**
 * Whether a change at `path` changes a field that `pattern` names: it is inside that field, or its value holds the
 * field.
 */
function touches(pattern: Path, path: Path, value: unknown): boolean {
  if (!overlaps(pattern, path)) return false;
  if (pattern.length <= path.length) return true;
  const holds = (inner: unknown, rest: Path): boolean => {
    const [key, ...deeper] = rest;
    if (key === undefined || inner === UNKNOWN) return true;
    if (key === "*") return Array.isArray(inner) && inner.some((element) => holds(element, deeper));
    return isObject(inner) && inner[key] !== undefined && holds(inner[key], deeper);
  };
  return holds(value, pattern.slice(path.length));
}

/**
 * The object with the namespace it really has, and with its real name where the inputs' one may have been left to
 * Kubernetes.
 */
function identified(object: Properties, namespaced: boolean, name?: unknown): Properties {
  if (!isObject(object.metadata)) return object;
  const { namespace, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(name !== undefined && { name }),
      ...(namespaced && { namespace: namespace || "default" }),
    },
  };
}

async function isUnfinishedJob({ cluster }: Session, { news, id }: DiffRequest): Promise<boolean> {
  if (!cluster || news.kind !== "Job" || !isAnnotated(news, "pulumi.com/replaceUnready")) return false;
  const [namespace = "default", name = ""] = id.split("/");
  const job = await cluster.api
    .get(await cluster.discovery.path({ apiVersion: "batch/v1", kind: "Job", metadata: { namespace, name } }))
    .catch(() => undefined);
  const conditions = valueAt(job, ["status", "conditions"]);
  return (
    job !== undefined &&
    !(Array.isArray(conditions) && conditions.some(({ type, status }) => type === "Complete" && status === "True"))
  );
}
