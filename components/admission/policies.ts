import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import { partOf as suitePart } from "../cloudsuite/metadata.ts";
import { Severity } from "../core/problems.ts";
import type { ResourceRule } from "../kubernetes/admission-rule.ts";
import {
  type CountLimit,
  type IntervalLimit,
  type MeasuredLimit,
  type ObjectKind,
  type ResourcesLimit,
  type SizeLimit,
  withValues,
} from "../limits/limit.ts";
import { staticSiteNames } from "../site-webhook/webhook-names.ts";
import { judgedLimits, parameter } from "./parameters.ts";

/** A row of the table "Limits" as the API server judges it: one expression over one object and the parameters. */
export interface LimitPolicy extends Judgement {
  /** Name of the row. */
  readonly id: string;
  /** Errors are refused with action `deny`; of warnings, which the table only recommends, people are told with every action. */
  readonly severity: Severity;
  /** Which objects it is about. */
  readonly resources: ResourceRule;
  /** Which of those objects, by their labels. @default all */
  readonly selector?: LabelSelector;
}

interface Judgement {
  /** CEL by name; later ones may use earlier ones. */
  readonly variables: Readonly<Record<string, string>>;
  /** CEL, true for what keeps the limit, or is no worse than it was: whatever else is changed meanwhile is admitted. */
  readonly expression: string;
  /** CEL of the message: the path and what is allowed, never what was found. */
  readonly message: string;
}

const sites = staticSiteNames({});

/** Group, version and plural of the kinds that rows are about. */
const kinds: Readonly<Record<ObjectKind, readonly [group: string, version: string, plural: string]>> = {
  "apps/Deployment": ["apps", "v1", "deployments"],
  "apps/StatefulSet": ["apps", "v1", "statefulsets"],
  "postgresql.cnpg.io/Cluster": ["postgresql.cnpg.io", "v1", "clusters"],
  PersistentVolumeClaim: ["", "v1", "persistentvolumeclaims"],
  StaticSite: [sites.group, sites.version, sites.plural],
};

/** Objects of a row, and their scale where a number of them is judged. */
function resourcesOf({ measure, object: { kind, name } }: MeasuredLimit): ResourceRule {
  const [group, version, plural] = kinds[kind];
  return {
    operations: ["CREATE", "UPDATE"],
    scope: "Namespaced",
    apiGroups: [group],
    apiVersions: [version],
    resources: measure === "pods" || measure === "instances" ? [plural, `${plural}/scale`] : [plural],
    ...(name !== undefined && { resourceNames: [name] }),
  };
}

/** CEL of a message. @param named CEL of the numbers, by their names in the row */
function message(field: string, text: string, named: Readonly<Record<string, string>> | readonly string[]): string {
  return `'${field}: ${withValues(text, (name) => `' + ${Object(named)[name]} + '`)}'`;
}

const atMost = "variables.wanted <= variables.limit || (oldObject != null && variables.wanted <= variables.before)";

/** A number of pods. A Scale of 0 has no such field. */
function pods(key: string, limit: CountLimit): Judgement {
  const bounded = Number.isFinite(limit.most());
  return {
    variables: {
      limit: `int(${parameter(key, limit)})`,
      wanted: "object.spec.?replicas.orValue(0)",
      before: "oldObject.spec.?replicas.orValue(0)",
    },
    expression: bounded
      ? atMost
      : "variables.wanted == 0 || variables.wanted >= variables.limit || (oldObject != null && variables.wanted >= variables.before && variables.before > 0)",
    message: message("spec.replicas", limit.inCluster, {
      [bounded ? "most" : "least"]: "string(variables.limit)",
    }),
  };
}

/** A number of instances. */
function instances(key: string, limit: CountLimit): Judgement {
  return {
    variables: {
      least: `int(${parameter(key, limit, "Min")})`,
      limit: `int(${parameter(key, limit, "Max")})`,
      field: "request.?subResource.orValue('') == 'scale' ? 'replicas' : 'instances'",
      wanted: "dyn(object.spec)[?variables.field].orValue(0)",
      before: "dyn(oldObject.spec)[?variables.field].orValue(0)",
    },
    expression: `(${atMost}) && (variables.wanted >= variables.least || (oldObject != null && variables.wanted >= variables.before))`,
    message: message("spec.instances", limit.inCluster, {
      range: "(variables.least == variables.limit ? '' : string(variables.least) + ' or ') + string(variables.limit)",
    }),
  };
}

/** A major version, which the image's tag or the catalogue's entry names. */
function major(key: string, limit: CountLimit): Judgement {
  return {
    variables: {
      min: `int(${parameter(key, limit, "Min")})`,
      max: `int(${parameter(key, limit, "Max")})`,
      image: "object.spec.?imageName.orValue('').split('@')[0].split('/')",
      tag: "variables.image[variables.image.size() - 1].find(':[0-9]+')",
      major: "object.spec.?imageCatalogRef.?major.orValue(variables.tag == '' ? 0 : int(variables.tag.substring(1)))",
    },
    expression:
      "(variables.major >= variables.min && variables.major <= variables.max) || (oldObject != null && object.spec.?imageName == oldObject.spec.?imageName && object.spec.?imageCatalogRef == oldObject.spec.?imageCatalogRef)",
    message: message("spec.imageName", limit.inCluster, {
      least: "string(variables.min)",
      most: "string(variables.max)",
    }),
  };
}

/** Quantities are compared as numbers; what is none is below everything. */
const notBelow = (wanted: string, other: string) =>
  `isQuantity(string(${wanted})) && isQuantity(string(${other})) && quantity(string(${wanted})).compareTo(quantity(string(${other}))) >= 0`;

/** The quantity is the limit's or more, or no less than it was. @param index `[i]` where the variables are lists */
function enough(index = ""): string {
  const wanted = `variables.wanted${index}`;
  const before = `variables.before${index}`;
  return [
    `(${notBelow(wanted, `variables.limit${index}`)})`,
    `(oldObject != null && (${wanted} == ${before} || (${notBelow(wanted, before)})))`,
  ].join(" || ");
}

/** A volume's size. One that is not said is the operator's to ask for. */
function size(key: string, limit: SizeLimit): Judgement {
  const isClaim = limit.object.kind === "PersistentVolumeClaim";
  const path = isClaim ? "spec.resources.requests.storage" : "spec.storage.size";
  const read = (object: string) => {
    if (isClaim) return `${object}.spec.resources.requests.storage`;
    const storage = `${object}.spec.?storage`;
    return `${storage}.?size.or(${storage}.?pvcTemplate.?resources.?requests.?storage).orValue('')`;
  };
  return {
    variables: { limit: parameter(key, limit), wanted: read("object"), before: read("oldObject") },
    expression: `string(variables.wanted) == '' || ${enough()}`,
    message: message(path, limit.inCluster, { least: "variables.limit" }),
  };
}

/** The amounts as in the parameters. A missing request equals the limit, as the API server sets it. */
function amounts(owners: string): string {
  const given = `${owners}[?0].?resources`;
  const amount = (end: string, kind: string) => `${given}.?${end}.?${kind}`;
  const request = (kind: string) => `${amount("requests", kind)}.or(${amount("limits", kind)})`;
  const all = [request("cpu"), request("memory"), amount("limits", "cpu"), amount("limits", "memory")];
  return `[${all.map((each) => `string(${each}.orValue(''))`).join(", ")}]`;
}

/** Resources of a workload's container of its name, or of an object without containers. */
function resources(key: string, limit: ResourcesLimit): Judgement {
  const { name } = limit.object;
  const owners = (object: string) =>
    name === undefined
      ? `[${object}.spec]`
      : `${object}.spec.template.spec.containers.filter(container, container.name == '${name}')`;
  const path = name === undefined ? "spec.resources" : `spec.template.spec.containers[${name}].resources`;
  return {
    variables: {
      limit: `${parameter(key, limit)}.split(' ')`,
      owners: owners("object"),
      ownersBefore: owners("oldObject"),
      wanted: amounts("variables.owners"),
      before: amounts("variables.ownersBefore"),
    },
    expression: `variables.owners.size() == 0 || [0, 1, 2, 3].all(i, ${enough("[i]")})`,
    message: message(
      path,
      "requests {0} and {1}, limits {2} and {3}, or more, are recommended.",
      ["0", "1", "2", "3"].map((index) => `variables.limit[${index}]`),
    ),
  };
}

/** A time between two syncs: Go's durations, in which CEL's `duration` reads a text; of any other it would give an error. */
function interval(key: string, limit: IntervalLimit): Judgement {
  return {
    variables: { limit: parameter(key, limit), wanted: "object.spec.?syncInterval.orValue('')" },
    expression: `variables.wanted == '' || (oldObject != null && oldObject.spec.?syncInterval.orValue('') == variables.wanted) || (variables.wanted.matches('^([0-9]+([.][0-9]+)?(ns|us|ms|s|m|h))+$') && duration(variables.wanted) >= duration(variables.limit))`,
    message: message("spec.syncInterval", limit.inCluster, { least: "variables.limit" }),
  };
}

function judgement(key: string, limit: MeasuredLimit): Judgement {
  switch (limit.measure) {
    case "size":
      return size(key, limit);
    case "resources":
      return resources(key, limit);
    case "interval":
      return interval(key, limit);
    default:
      return { pods, instances, major }[limit.measure](key, limit);
  }
}

const partOf = "app.kubernetes.io/part-of";

/** Labels of a suite's objects, and of all others. */
const owners: Readonly<Record<"suite" | "platform", LabelSelector>> = {
  suite: { matchLabels: { [partOf]: suitePart } },
  platform: { matchExpressions: [{ key: partOf, operator: "NotIn", values: [suitePart] }] },
};

/** Every policy, in the order of the specification's table. */
export const limitPolicies: readonly LimitPolicy[] = judgedLimits.map(([key, limit]) => ({
  id: limit.id,
  severity: limit.required ? Severity.error : Severity.warning,
  resources: resourcesOf(limit),
  ...(limit.owner && { selector: owners[limit.owner] }),
  ...judgement(key, limit),
}));
