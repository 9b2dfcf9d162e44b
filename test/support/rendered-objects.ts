import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { objectId } from "@hearth-platform/hearth/core/plan";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import { settingTables } from "../components/setting-tables.ts";
import { applied, rowName } from "./setting-table.ts";
import { checkFiles, committedStack, type StackFiles, wholePlatform } from "./stack-files.ts";

/** An object as it is rendered. */
export interface RenderedObject {
  readonly object: KubernetesObject;
  /** The first settings that come to it, for people. */
  readonly from: string;
}

/** An object that a row of the setting tables changes in place. */
export interface RenderedUpdate {
  readonly before: KubernetesObject;
  readonly now: KubernetesObject;
  /** The row, for people. */
  readonly by: string;
}

/** What is rendered over all settings. */
export interface Rendered {
  /** The objects of both stacks, of the whole platform and of every row that is not refused, each once. */
  readonly objects: readonly RenderedObject[];
  /** The objects that these rows change in place. */
  readonly updates: readonly RenderedUpdate[];
}

/**
 * What both stacks, the whole platform and every row of the setting tables come to: each setting with more than one value.
 * @param tables default: all
 */
export function renderedObjects(tables = settingTables): Rendered {
  const plan = planner();
  const objects = new Map<string, RenderedObject>();
  const updates = new Map<string, RenderedUpdate>();
  const add = (from: string, files: StackFiles) => {
    const all = plan(from, files);
    for (const [text, object] of all) if (!objects.has(text)) objects.set(text, { object, from });
    return all;
  };
  add("stack prod", committedStack("prod"));
  const whole = wholePlatform();
  const wholeObjects = add("stack dev", whole);
  for (const table of tables)
    for (const row of table.rows) {
      const by = `${table.title}: ${rowName(row)}`;
      const files = applied(whole, table, row.from);
      const before = row.from ? add(`${by}, before`, files) : wholeObjects;
      if (row.refused !== undefined) continue;
      const now = add(by, applied(files, table, row.set));
      for (const update of changedObjects(before, now, by)) updates.set(JSON.stringify(update), update);
    }
  return { objects: [...objects.values()], updates: [...updates.values()] };
}

type Objects = ReadonlyMap<string, KubernetesObject>;

/** Objects by their text; each part of a stack is planned once for the same arguments. */
function planner(): (from: string, files: StackFiles) => Objects {
  const planned = new Map<string, [string, KubernetesObject][]>();
  const objectsOf = (part: StackPart) => {
    const key = JSON.stringify([part.kind, part.name, part.args]);
    const known = planned.get(key);
    if (known) return known;
    const objects = part.plans().flatMap((each) => each.objects.map(({ object }) => object));
    const entries = objects.map((object): [string, KubernetesObject] => [JSON.stringify(object), object]);
    planned.set(key, entries);
    return entries;
  };
  return (from, files) => {
    const { stack, problems } = checkFiles(files);
    if (!stack) throw new Error(`${from}: ${problems.map(({ path, message }) => `${path}: ${message}`).join("\n")}`);
    return new Map(stackParts(stack).flatMap(objectsOf));
  };
}

function changedObjects(before: Objects, now: Objects, by: string): RenderedUpdate[] {
  const place = (object: KubernetesObject) => `${object.metadata.namespace}/${objectId(object)}`;
  const old = new Map([...before].filter(([text]) => !now.has(text)).map(([, object]) => [place(object), object]));
  return [...now].flatMap(([text, object]) => {
    const earlier = before.has(text) ? undefined : old.get(place(object));
    return earlier ? [{ before: earlier, now: object, by }] : [];
  });
}
