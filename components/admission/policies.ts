import { limits, storageClasses } from "../catalogue/limits.ts";
import { names } from "../catalogue/names.ts";
import { partOf as suitePart } from "../cloudsuite/metadata.ts";
import { Severity } from "../core/problems.ts";
import type { ResourceRule } from "../kubernetes/admission-rule.ts";
import { staticSiteResource } from "../site-webhook/webhook-names.ts";
import { keystoreClaim } from "../stores/keystore/plan.ts";
import { namespaceLimits, sharedLimits } from "./parameters.ts";

const creationAndChange = { operations: ["CREATE", "UPDATE"], scope: "Namespaced" as const };

/** A row of the table "Limits" as the API server judges it: one expression over one object and the parameters. */
export interface LimitPolicy {
  /** Name of the rule. */
  readonly id: string;
  /** Errors are refused with action `deny`; of warnings, which the table only recommends, people are told with every action. */
  readonly severity: Severity;
  /** Which objects it is about. */
  readonly resources: ResourceRule;
  /** Labels of those objects. @default any */
  readonly labels?: Readonly<Record<string, string>>;
  /** CEL by name; later ones may use earlier ones. */
  readonly variables: Readonly<Record<string, string>>;
  /** CEL, true for what keeps the limit, or is no worse than it was: whatever else is changed meanwhile is admitted. */
  readonly expression: string;
  /** CEL of the message: the path and what is allowed, never what was found. */
  readonly message: string;
}

const shared = (key: keyof typeof sharedLimits) => `params.data.${sharedLimits[key]}`;
const own = (key: keyof typeof namespaceLimits) => `params.data['${namespaceLimits[key]}.' + request.namespace]`;

type Workloads = "deployments" | "statefulsets";

const workload = (resource: Workloads, name: string): ResourceRule => ({
  ...creationAndChange,
  apiGroups: ["apps"],
  apiVersions: ["v1"],
  resources: [resource],
  resourceNames: [name],
});

const scaled = (resource: Workloads, name: string): ResourceRule => ({
  ...workload(resource, name),
  resources: [resource, `${resource}/scale`],
});

const cluster = (...resources: string[]): ResourceRule => ({
  ...creationAndChange,
  apiGroups: ["postgresql.cnpg.io"],
  apiVersions: ["v1"],
  resources,
});

const claim = (name: string): ResourceRule => ({
  ...creationAndChange,
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["persistentvolumeclaims"],
  resourceNames: [name],
});

/** A Scale of 0 pods has no such field. */
const replicas = (limit: string) => ({
  limit: `int(${limit})`,
  wanted: "object.spec.?replicas.orValue(0)",
  before: "oldObject.spec.?replicas.orValue(0)",
});

const atMost = "variables.wanted <= variables.limit || (oldObject != null && variables.wanted <= variables.before)";

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

/** A size that is not said is the operator's to ask for. */
const atLeast = `string(variables.wanted) == '' || ${enough()}`;

/** Where the resources of a part of a suite stand: in its object, and in CEL the owners of a field `resources` in that object. */
interface ResourcesOf {
  readonly resources: ResourceRule;
  readonly path: string;
  readonly owners: (object: string) => string;
}

const ofContainer = (resource: Workloads, name: string): ResourcesOf => ({
  resources: workload(resource, name),
  path: `spec.template.spec.containers[${name}].resources`,
  owners: (object) => `${object}.spec.template.spec.containers.filter(container, container.name == '${name}')`,
});

const ofDatabase: ResourcesOf = {
  resources: cluster("clusters"),
  path: "spec.resources",
  owners: (object) => `[${object}.spec]`,
};

/** The amounts as in the parameters. A missing request equals the limit, as the API server sets it. */
function amounts(owners: string): string {
  const given = `${owners}[?0].?resources`;
  const amount = (end: string, kind: string) => `${given}.?${end}.?${kind}`;
  const request = (kind: string) => `${amount("requests", kind)}.or(${amount("limits", kind)})`;
  const all = [request("cpu"), request("memory"), amount("limits", "cpu"), amount("limits", "memory")];
  return `[${all.map((each) => `string(${each}.orValue(''))`).join(", ")}]`;
}

/** The recommended resources of a part of a suite. The platform's own stores have other sizes. */
function recommended(id: string, { resources, path, owners }: ResourcesOf, limit: string): LimitPolicy {
  return {
    id,
    severity: Severity.warning,
    resources,
    labels: { "app.kubernetes.io/part-of": suitePart },
    variables: {
      limit: `${limit}.split(' ')`,
      owners: owners("object"),
      ownersBefore: owners("oldObject"),
      wanted: amounts("variables.owners"),
      before: amounts("variables.ownersBefore"),
    },
    expression: `variables.owners.size() == 0 || [0, 1, 2, 3].all(i, ${enough("[i]")})`,
    message: `'${path}: requests ' + variables.limit[0] + ' and ' + variables.limit[1] + ', limits ' + variables.limit[2] + ' and ' + variables.limit[3] + ', or more, are recommended.'`,
  };
}

const sites = staticSiteResource({});

/** Every policy, in the order of the specification's table. */
export const limitPolicies: readonly LimitPolicy[] = [
  {
    id: "database-major",
    severity: Severity.error,
    resources: cluster("clusters"),
    variables: {
      min: `int(${shared("databaseMajorMin")})`,
      max: `int(${shared("databaseMajorMax")})`,
      image: "object.spec.?imageName.orValue('').split('@')[0].split('/')",
      tag: "variables.image[variables.image.size() - 1].find(':[0-9]+')",
      major: "object.spec.?imageCatalogRef.?major.orValue(variables.tag == '' ? 0 : int(variables.tag.substring(1)))",
    },
    expression:
      "(variables.major >= variables.min && variables.major <= variables.max) || (oldObject != null && object.spec.?imageName == oldObject.spec.?imageName && object.spec.?imageCatalogRef == oldObject.spec.?imageCatalogRef)",
    message:
      "'spec.imageName: the major version of PostgreSQL has to be from ' + string(variables.min) + ' to ' + string(variables.max) + '.'",
  },
  {
    id: "cloudsuite-replicas",
    severity: Severity.error,
    resources: scaled("deployments", names.cloudsuite.web),
    variables: replicas(own("cloudsuiteReplicas")),
    expression: atMost,
    message: `'spec.replicas: the storage class of the web volume allows ' + string(variables.limit) + ' at most, or 0 for maintenance; ${storageClasses.replicatedBlock} has a single writer.'`,
  },
  {
    id: "database-replicas",
    severity: Severity.error,
    resources: cluster("clusters", "clusters/scale"),
    variables: {
      least: `int(${shared("databaseInstancesMin")})`,
      limit: `int(${shared("databaseInstancesMax")})`,
      field: "request.?subResource.orValue('') == 'scale' ? 'replicas' : 'instances'",
      wanted: "dyn(object.spec)[?variables.field].orValue(0)",
      before: "dyn(oldObject.spec)[?variables.field].orValue(0)",
    },
    expression: `(${atMost}) && (variables.wanted >= variables.least || (oldObject != null && variables.wanted >= variables.before))`,
    message: `'spec.instances: ' + (variables.least == variables.limit ? '' : string(variables.least) + ' or ') + string(variables.limit) + '; ${limits.databaseReplicas.production} are a primary and a standby.'`,
  },
  {
    id: "keystore-replicas",
    severity: Severity.error,
    resources: scaled("statefulsets", names.keystore),
    variables: replicas(shared("keystoreReplicas")),
    expression: atMost,
    message: "'spec.replicas: ' + string(variables.limit) + ', or 0 for maintenance.'",
  },
  {
    id: "sync-interval",
    severity: Severity.warning,
    resources: {
      ...creationAndChange,
      apiGroups: [sites.group],
      apiVersions: [sites.version],
      resources: [sites.plural],
    },
    variables: {
      limit: shared("syncInterval"),
      wanted: "object.spec.?syncInterval.orValue('')",
    },
    // Go's durations, in which CEL's `duration` reads a text; of any other it would give an error.
    expression: `variables.wanted == '' || (oldObject != null && oldObject.spec.?syncInterval.orValue('') == variables.wanted) || (variables.wanted.matches('^([0-9]+([.][0-9]+)?(ns|us|ms|s|m|h))+$') && duration(variables.wanted) >= duration(variables.limit))`,
    message: "'spec.syncInterval: a duration of ' + variables.limit + ' or more, such as 5m.'",
  },
  {
    id: "database-volume",
    severity: Severity.warning,
    resources: cluster("clusters"),
    variables: {
      limit: own("databaseSize"),
      wanted: "object.spec.?storage.?size.orValue('')",
      before: "oldObject.spec.?storage.?size.orValue('')",
    },
    expression: atLeast,
    message: "'spec.storage.size: ' + variables.limit + ' or more for the number of files.'",
  },
  {
    id: "keystore-volume",
    severity: Severity.warning,
    resources: claim(keystoreClaim),
    variables: {
      limit: shared("keystoreSize"),
      wanted: "object.spec.resources.requests.storage",
      before: "oldObject.spec.resources.requests.storage",
    },
    expression: atLeast,
    message: "'spec.resources.requests.storage: ' + variables.limit + ' is sufficient, and less is not.'",
  },
  recommended("cloudsuite-resources", ofContainer("deployments", names.cloudsuite.web), own("cloudsuiteResources")),
  recommended("database-resources", ofDatabase, shared("databaseResources")),
  recommended("keystore-resources", ofContainer("statefulsets", names.keystore), shared("keystoreResources")),
  recommended("office-resources", ofContainer("deployments", names.cloudsuite.office), shared("officeResources")),
  recommended(
    "whiteboard-resources",
    ofContainer("deployments", names.cloudsuite.whiteboard),
    shared("whiteboardResources"),
  ),
  {
    id: "forge-web-replicas",
    severity: Severity.warning,
    resources: scaled("deployments", names.forge.webservice),
    variables: replicas(shared("forgeWebReplicas")),
    expression:
      "variables.wanted == 0 || variables.wanted >= variables.limit || (oldObject != null && variables.wanted >= variables.before && variables.before > 0)",
    message: "'spec.replicas: ' + string(variables.limit) + ' or more in normal operation, or 0 for maintenance.'",
  },
];
