/** Types of the readiness checks in this folder. */

import type { KubernetesObject, Reference } from "../../../kubernetes/objects.ts";
import { isObject, type Properties } from "../../grpc.ts";
import { valueAt } from "../objects.ts";

/** Input of a readiness check: the object now, the object before the update, and the related objects. */
export interface Situation {
  live: KubernetesObject;
  previous?: KubernetesObject;
  related: Record<string, KubernetesObject | undefined>;
}

/** `failed` ends the wait at once. `message` says what is waited for; `reasons` what is wrong, one a line. */
export interface Judgement {
  ready: boolean;
  failed?: boolean;
  message: string;
  reasons?: string[];
}

/** How one kind becomes ready. */
export interface Awaiter {
  judge(situation: Situation): Judgement;
  /** Other objects that the judgement needs, followed too. @default none */
  related?(live: KubernetesObject): Record<string, Reference>;
  /** Labels of the pods whose problems explain why it is not ready. @default none */
  podLabels?(live: KubernetesObject): Record<string, string> | undefined;
  /** Whether a refresh reports it when it is not ready. @default true */
  onRead?: boolean;
}

/** A `status.conditions` entry. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

/** Ready, with nothing to say. */
export const READY: Judgement = { ready: true, message: "" };

/** The condition of a type, whatever its case. */
export function conditionOf(object: KubernetesObject, type: string): Condition | undefined {
  const conditions = valueAt(object, ["status", "conditions"]);
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as Condition[]).find((condition) => condition.type.toLowerCase() === type.toLowerCase());
}

/** `[Reason] message` of a condition. */
export function explain({ reason, message }: Condition): string {
  return `[${reason ?? ""}] ${message ?? ""}`;
}

/** The number at a path, or 0. */
export function count(object: KubernetesObject, ...path: string[]): number {
  const value = valueAt(object, path);
  return typeof value === "number" ? value : 0;
}

/** The replicas a workload asks for: 1 when it does not say. */
export function replicas(object: KubernetesObject): number {
  const value = valueAt(object, ["spec", "replicas"]);
  return typeof value === "number" ? value : 1;
}

/** Whether the controller has seen the newest form of the object, so that the status is about that. */
export function isObserved(object: KubernetesObject): boolean {
  return count(object, "status", "observedGeneration") >= (object.metadata.generation ?? 0);
}

/** The labels that a workload's pods have. */
export function selectedLabels(object: KubernetesObject): Record<string, string> | undefined {
  const labels = valueAt(object, ["spec", "selector", "matchLabels"]);
  return isObject(labels) ? (labels as Properties & Record<string, string>) : undefined;
}
