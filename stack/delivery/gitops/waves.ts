import {
  type KubernetesObject,
  objectId,
  type Plan,
  type PlannedObject,
  type PlannedSecret,
} from "@hearth-platform/hearth/core/plan";
import { inOrder, type OrderedObject } from "@hearth-platform/hearth/core/references";
import type { StackPart } from "../../parts.ts";

/** An object and the wave it is applied in. */
export interface WaveObject {
  readonly planned: PlannedObject;
  /** From 0; a wave begins when everything in the earlier ones is healthy. */
  readonly wave: number;
}

/**
 * The objects of a stack in waves, from the order that the engine creates them in: parts after parts, stages after stages, objects after what
 * they name. Of a generated Secret there is the frame without values.
 */
export function wavesOf(stackParts: readonly StackPart[]): WaveObject[] {
  const ends = new Map<string, number>();
  const objects = stackParts.flatMap((part) => {
    const start = Math.max(0, ...part.after.map((kind) => ends.get(kind) ?? 0));
    const { objects, end } = wavesOfStages(part.stages(), start);
    ends.set(part.kind, Math.max(end, ends.get(part.kind) ?? 0));
    return objects;
  });
  return autoscalersLast(objects, Math.max(0, ...ends.values()));
}

/** An autoscaler counts as failed until its pods are there and say what they use, and fails the sync then; nothing waits for the last wave. */
function autoscalersLast(objects: readonly WaveObject[], last: number): WaveObject[] {
  return objects.map((each) =>
    each.planned.object.kind === "HorizontalPodAutoscaler" ? { ...each, wave: last } : each,
  );
}

/** @returns the objects, and the first wave after theirs */
function wavesOfStages(stages: readonly (readonly Plan[])[], start: number) {
  const objects: WaveObject[] = [];
  let end = start;
  for (const stage of stages) {
    const found = stage.flatMap((plan) => wavesOfPlan(plan, end));
    objects.push(...found);
    end = Math.max(end, ...found.map(({ wave }) => wave + 1));
  }
  return { objects, end };
}

function wavesOfPlan(plan: Plan, start: number): WaveObject[] {
  const ordered = inOrder(plan);
  const waves = new Map<string, number>();
  const frames = plan.secrets.map(frame);
  const isPlanned = (name: string | undefined) =>
    ordered.some(({ planned }) => objectId(planned.object) === `Namespace/${name}`);
  for (const { object } of frames) waves.set(objectId(object), start + (isPlanned(object.metadata.namespace) ? 1 : 0));
  for (const { planned, dependsOn } of ordered) {
    const after = dependsOn.map((id) => (waves.get(id) ?? start - 1) + 1);
    waves.set(objectId(planned.object), Math.max(start, ...after));
  }
  return [...ordered.map(({ planned }) => planned), ...frames].map((planned) => {
    const wave = firstUse(planned.object, ordered, waves) ?? waves.get(objectId(planned.object)) ?? start;
    return { planned, wave };
  });
}

function frame({ name, namespace, type = "Opaque", labels, neverChanges = false }: PlannedSecret): PlannedObject {
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, labels: { ...labels } }, type };
  return { object, holdsData: neverChanges };
}

/** A volume may be bound only when its pod is there, and until then it is not healthy: it comes in the wave of the first that mounts it. */
function firstUse(
  object: KubernetesObject,
  ordered: readonly OrderedObject[],
  waves: ReadonlyMap<string, number>,
): number | undefined {
  if (object.kind !== "PersistentVolumeClaim") return undefined;
  const users = ordered.filter(({ dependsOn }) => dependsOn.includes(objectId(object)));
  const found = users.map(({ planned }) => waves.get(objectId(planned.object)) ?? 0);
  return found.length === 0 ? undefined : Math.min(...found);
}
