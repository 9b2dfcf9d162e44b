import { containerKeys, podTemplatePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import type { Field } from "./field.ts";
import type { PolicyResource } from "./resource.ts";

/** In a policy's kinds: every operator's kind that describes a whole pod, such as Argo's Rollout. */
export const otherPodKinds = "custom resources with a pod template";

/** All kinds that have pods. */
export const workloadKinds: readonly string[] = [...Object.keys(podTemplatePaths), otherPodKinds];

/** Kinds whose pods are replaced and scaled: the long-running ones. */
export const servingKinds: readonly string[] = ["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet"];

/** Operators that complete what a pod template leaves out, by API group: what is absent there is theirs to set. */
const completing = /^(?:postgresql\.cnpg\.io|monitoring\.coreos\.com)\//;

/** The pod a workload starts, with `metadata` and `spec`. @returns undefined for a resource that is no workload */
export function podTemplateOf(resource: PolicyResource): Field | undefined {
  const path = Object.hasOwn(podTemplatePaths, resource.groupKind) ? podTemplatePaths[resource.groupKind] : undefined;
  return path ? resource.get(...path) : templateByShape(resource);
}

/** Nobody can list the kinds of all operators; whatever holds a `spec` with containers is a pod. */
function templateByShape(resource: PolicyResource): Field | undefined {
  if (!resource.isCustom || completing.test(resource.groupKind)) return undefined;
  return resource.inputs.walk().find(isTemplate);
}

function isTemplate(place: Field): boolean {
  const list = place.glance?.get("spec").glance?.get("containers");
  return (list?.isUnknown || list?.glance?.items.some((container) => hasName(container))) ?? false;
}

function hasName(container: Field): boolean {
  const name = container.glance?.get("name");
  return container.isUnknown || name?.isUnknown || name?.glance?.text !== undefined;
}

/** All pods that a resource describes: of an operator's kind there may be several. */
export function podTemplatesOf(resource: PolicyResource): readonly Field[] {
  const first = podTemplateOf(resource);
  if (!first || !resource.isCustom) return first ? [first] : [];
  return [...resource.inputs.walk()].filter(isTemplate);
}

/** Containers of a workload's pods: those that run first, the others, and those a person adds to look into a pod. */
export function containers(resource: PolicyResource): readonly Field[] {
  return podTemplatesOf(resource).flatMap((pod) => containerKeys.flatMap((key) => pod.get("spec", key).items));
}
