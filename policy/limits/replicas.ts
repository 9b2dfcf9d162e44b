import { type CountLimit, clusterKind, keepsLimit, wayOn } from "@hearth-platform/hearth/limits/limit";
import type { Field } from "../core/field.ts";
import { type ResourcePolicy, resourcePolicy, violation } from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import { limitsSetting } from "../core/stack-facts.ts";
import { circumstances, described, fieldAt } from "./suites.ts";

/** Bounds of an autoscaler: field names of Kubernetes' own and of KEDA's ScaledObject. */
const bounds = { least: ["minReplicas", "minReplicaCount"], most: ["maxReplicas", "maxReplicaCount"] } as const;

/** Default bounds of Kubernetes and KEDA. Kubernetes' own autoscaler always has an upper bound. */
const defaults: Readonly<Record<string, number>> = { minReplicas: 1, minReplicaCount: 0, maxReplicaCount: 100 };

/** What KEDA sets beside its bounds: without work, without metrics, and while it pauses. */
const atTimes = [
  ["spec", "idleReplicaCount"],
  ["spec", "fallback", "replicas"],
  ["metadata", "annotations", "autoscaling.keda.sh/paused-replicas"],
] as const;

/** Kinds that have one pod, or one instance, where they say no number. */
const single = /^(?:apps\/(?:Deployment|StatefulSet|ReplicaSet)|ReplicationController|argoproj\.io\/Rollout)$/;

/** A number of pods, and where it is said. */
interface Count {
  readonly field: Field;
  /** NaN: none can be read. */
  readonly number: number;
}

/**
 * The numbers that a resource gives a row's object: a component's at its path, a workload's own, and of whatever has
 * a scale target both bounds. None of any other resource. Kinds are told by their shape, since operators bring more of them.
 */
function countsOf(resource: PolicyResource, { fields, object }: CountLimit): readonly Count[] {
  const own = fieldAt(resource, fields);
  if (own) return resource.groupKind === clusterKind ? standing(resource, own) : counted(own);
  if (resource.apiVersion === "") return [];
  const spec = resource.get("spec");
  const scaled = spec.get("scaleTargetRef");
  if (scaled.exists) return isTarget(scaled, object) ? countsOfScaler(resource, spec) : [];
  const replicas = spec.get("replicas");
  if (object.name === undefined || !(replicas.exists || single.test(resource.groupKind))) return [];
  const names = [resource.name, spec.get("workloadRef", "name").text];
  return names.includes(object.name) ? standing(resource, replicas) : [];
}

/** The number of an object; a patch that says none leaves it as it is. */
function standing({ type }: PolicyResource, field: Field): readonly Count[] {
  if (field.exists) return counted(field);
  return type.endsWith("Patch") ? [] : [{ field, number: 1 }];
}

function countsOfScaler(resource: PolicyResource, spec: Field): readonly Count[] {
  const others = spec.get("triggers").exists ? atTimes.map((path) => resource.get(...path)) : [];
  return [...boundOf(spec, "least"), ...boundOf(spec, "most"), ...others.flatMap(counted)];
}

function isTarget(scaled: Field, { name, kind }: CountLimit["object"]): boolean {
  if (name !== undefined) return scaled.get("name").text === name;
  return `${scaled.get("apiVersion").text?.split("/")[0]}/${scaled.get("kind").text}` === kind;
}

function boundOf(spec: Field, bound: keyof typeof bounds): readonly Count[] {
  const [kubernetes, keda] = bounds[bound];
  const key = spec.get("triggers").exists ? keda : kubernetes;
  const field = spec.get(key);
  const standard = defaults[key];
  return field.exists || standard === undefined ? counted(field) : [{ field, number: standard }];
}

function counted(field: Field): readonly Count[] {
  return field.exists ? [{ field, number: field.number ?? Number.NaN }] : [];
}

/** A workload that a stack under maintenance scales to nothing; a component's number stays, and so does an autoscaler's. */
function isStopped(resource: PolicyResource, { field, number }: Count): boolean {
  return resource.apiVersion !== "" && field.key === "replicas" && number === 0;
}

/** A row of pods or instances as a policy. */
export function countPolicy(limit: CountLimit): ResourcePolicy {
  return resourcePolicy({
    ...described(limit),
    unseen: "Pods that another workload starts, and numbers of scalers that are neither Kubernetes' own nor KEDA's.",
    settings: {},
    kinds: "any",
    *check(resource, _settings, stack) {
      const counts = countsOf(resource, limit);
      if (counts.length === 0) return;
      const of = circumstances(limit, resource, stack);
      for (const count of counts)
        if (!(stack.maintenance && isStopped(resource, count)) && !keepsLimit(limit, count.number, of))
          yield violation(count.field, `${limit.told(of)}${wayOn(limit, String(count.number), limitsSetting)}`);
    },
  });
}
