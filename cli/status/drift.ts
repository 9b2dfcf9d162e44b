import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject, PlannedObject } from "@hearth-platform/hearth/core/plan";
import { pulumiManager } from "@hearth-platform/stack/live/preflight/taken";
import type { ManagedFieldsEntry } from "kubernetes-types/meta/v1.d.ts";

/** A field that the last update wrote, and that somebody else changed since. */
export interface HandChange {
  /** Where it is, e.g. `spec.template.spec.containers[name=web].image`. */
  readonly path: string;
  /** Who has it now, as the API server notes it, e.g. `kubectl-edit`, and since when, as RFC 3339; absent: it is gone. */
  readonly by?: { readonly manager: string; readonly time?: string };
}

/** A step to a field: a key, or what an item of a list is known by. */
type Step = string | Readonly<Record<string, unknown>>;

/** The API server's notes on who owns which fields: `f:key`, `k:{keys of an item}`, `v:item of a set`. (k8s.io/apimachinery, FieldsV1) */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Fields that the settings ask for, and that have another value since somebody else took them: pure. What operators add is none, nor what
 * an autoscaler or operator has by design. Nothing is known of an object that Pulumi did not apply.
 */
export function handChanges(planned: PlannedObject, live: KubernetesObject): HandChange[] {
  const { object, ignoreChanges = [] } = planned;
  const manager = pulumiManager(live);
  if (manager === undefined) return [];
  const entries = live.metadata.managedFields ?? [];
  // An object that was never updated has its fields by the request that made it.
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager;
  const ours = new Set(entries.filter(isOurs).flatMap((entry) => ownedFields(entry).map(textOf)));
  const taken = entries
    .filter((entry) => !isOurs(entry) && entry.subresource !== "status")
    .flatMap((entry) =>
      ownedFields(entry).flatMap((steps): HandChange[] => {
        const wanted = valueAt(object, steps);
        const path = textOf(steps);
        if (wanted === undefined || ours.has(path) || isDeepStrictEqual(wanted, valueAt(live, steps))) return [];
        const { manager = "", time } = entry;
        return [{ path, by: { manager, ...(time !== undefined && { time: String(time) }) } }];
      }),
    );
  // A list's items don't say what they are.
  const { apiVersion: _, kind: __, ...fields } = object;
  const gone = [...missing(fields, live)].map((path) => ({ path }));
  return [...taken, ...gone].filter(({ path }) => !ignoreChanges.some((each) => path.startsWith(each)));
}

const ownedFields = ({ fieldsV1 }: ManagedFieldsEntry) => [...leaves(fieldsV1 as Fields | undefined)];

function* leaves(fields: Fields | undefined, above: readonly Step[] = []): Generator<readonly Step[]> {
  for (const [key, below] of Object.entries(fields ?? {})) {
    if (key === ".") continue;
    const steps = [...above, stepOf(key)];
    const inner = Object.keys(below as Fields).filter((each) => each !== ".");
    if (inner.length === 0) yield steps;
    else yield* leaves(below as Fields, steps);
  }
}

function stepOf(key: string): Step {
  const rest = key.slice(2);
  if (key.startsWith("f:")) return rest;
  return key.startsWith("k:") ? (JSON.parse(rest) as Step) : { "": JSON.parse(rest) };
}

function valueAt(value: unknown, steps: readonly Step[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    if (typeof at !== "object" || at === null) return undefined;
    if (typeof step === "string") return (at as Readonly<Record<string, unknown>>)[step];
    return Array.isArray(at) ? at.find((item) => isItem(item, step)) : undefined;
  }, value);
}

/** Whether an item of a list is meant: what it leaves out has its default. */
function isItem(item: unknown, step: Exclude<Step, string>): boolean {
  if ("" in step) return item === step[""];
  const keys = item as Readonly<Record<string, unknown>>;
  return Object.entries(step).every(([key, value]) => keys[key] === undefined || keys[key] === value);
}

/** Keys of maps that are asked for and that the object lacks. Go leaves out what is empty, and lists are the API server's to sort. */
function* missing(wanted: unknown, live: unknown, above: readonly string[] = []): Generator<string> {
  if (!isMap(wanted) || !isMap(live)) return;
  for (const [key, value] of Object.entries(wanted)) {
    const path = [...above, key];
    if (key in live) yield* missing(value, live[key], path);
    else if (!isEmpty(value)) yield textOf(path);
  }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isEmpty(value: unknown): boolean {
  if (!value) return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

function textOf(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      if (typeof step === "string") return /^[\w-]+$/.test(step) ? `.${step}` : `["${step}"]`;
      return `[${Object.entries(step)
        .map(([key, value]) => (key === "" ? String(value) : `${key}=${value}`))
        .join()}]`;
    })
    .join("")
    .replace(/^\./, "");
}
