import { type KubernetesObject, objectId, type Plan, type PlannedObject } from "./plan.ts";

/** Fields by which objects of any kind name other objects: the field's name → ids of the objects that its value names. */
const namedBy: Readonly<Record<string, (value: unknown) => (string | undefined)[]>> = {
  secretName: (value) => [id("Secret", value)],
  secretRef: (value) => [id("Secret", field(value, "name"))],
  secretKeyRef: (value) => [id("Secret", field(value, "name"))],
  secret: (value) => [id("Secret", field(value, "name"))],
  passwordSecret: (value) => [id("Secret", field(value, "name"))],
  accessKeyId: (value) => [id("Secret", field(value, "name"))],
  secretAccessKey: (value) => [id("Secret", field(value, "name"))],
  imagePullSecrets: (value) => each(value).map((entry) => id("Secret", field(entry, "name"))),
  configMap: (value) => [id("ConfigMap", field(value, "name"))],
  configMapRef: (value) => [id("ConfigMap", field(value, "name"))],
  configMapKeyRef: (value) => [id("ConfigMap", field(value, "name"))],
  claimName: (value) => [id("PersistentVolumeClaim", value)],
  serviceAccountName: (value) => [id("ServiceAccount", value)],
  subjects: (value) => each(value).map((entry) => id(field(entry, "kind"), field(entry, "name"))),
  roleRef: (value) => [id(field(value, "kind"), field(value, "name"))],
  cluster: (value) => [id("Cluster", field(value, "name"))],
  barmanObjectName: (value) => [id("ObjectStore", value)],
  destinationPath: (value) => [id("Bucket", /^s3:\/\/([^/]+)/.exec(String(value))?.[1])],
  middlewares: (value) => each(value).map((entry) => id("Middleware", field(entry, "name"))),
  serversTransport: (value) => [id("ServersTransport", value)],
};

/** Objects whose controller makes a Secret: who names the Secret waits for them. */
const secretMadeBy: Readonly<Record<string, (object: KubernetesObject) => unknown>> = {
  Certificate: (object) => field(field(object, "spec"), "secretName"),
  ExternalSecret: (object) => field(field(field(object, "spec"), "target"), "name"),
};

/** Ids (`Kind/name`) of all objects that `object` names, in its plan or outside it; its namespace included. */
export function references(object: KubernetesObject): string[] {
  const found = new Set<string>();
  const own = new Set([objectId(object), id("Secret", secretMadeBy[object.kind]?.(object))]);
  const { metadata, ...content } = object;
  if (metadata.namespace) found.add(`Namespace/${metadata.namespace}`);
  walk(content, (key, value) => {
    for (const reference of namedBy[key]?.(value) ?? []) if (reference && !own.has(reference)) found.add(reference);
  });
  return [...found];
}

/** An object of a plan with the ids of everything in the plan that comes before it. */
export interface OrderedObject {
  readonly planned: PlannedObject;
  /** Ids of objects, Secrets (`Secret/name`) and buckets (`Bucket/name`) of the same plan. */
  readonly dependsOn: readonly string[];
}

/**
 * The objects of a plan, each after everything it names or comes `after`.
 * @throws Error where an `after` is not in the plan, an id stands twice, or objects wait for each other
 */
export function inOrder(plan: Plan): OrderedObject[] {
  const objects = new Map<string, PlannedObject>();
  for (const planned of plan.objects) {
    const key = objectId(planned.object);
    if (objects.has(key)) throw new Error(`The plan has ${key} twice.`);
    objects.set(key, planned);
  }
  const known = new Map<string, string>();
  for (const secret of plan.secrets) known.set(`Secret/${secret.name}`, `Secret/${secret.name}`);
  for (const { bucket } of plan.buckets) known.set(`Bucket/${bucket}`, `Bucket/${bucket}`);
  for (const [key, { object }] of objects) {
    const made = id("Secret", secretMadeBy[object.kind]?.(object));
    if (made) known.set(made, key);
    known.set(key, key);
  }

  const ordered = new Map<string, OrderedObject>();
  const place = (key: string, waiting: readonly string[]): void => {
    const planned = objects.get(key);
    if (!planned || ordered.has(key)) return;
    if (waiting.includes(key)) throw new Error(`Objects wait for each other: ${[...waiting, key].join(" → ")}.`);
    const unknown = planned.after?.filter((wanted) => !known.has(wanted)) ?? [];
    if (unknown.length > 0) throw new Error(`${key} comes after ${unknown.join(", ")}, which the plan does not have.`);
    const dependsOn = [...references(planned.object), ...(planned.after ?? [])]
      .map((reference) => known.get(reference))
      .filter((reference) => reference !== undefined && reference !== key) as string[];
    for (const dependency of dependsOn) place(dependency, [...waiting, key]);
    ordered.set(key, { planned, dependsOn: [...new Set(dependsOn)] });
  };
  for (const key of objects.keys()) place(key, []);
  return [...ordered.values()];
}

function walk(value: unknown, visit: (key: string, value: unknown) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    visit(key, child);
    walk(child, visit);
  }
}

function id(kind: unknown, name: unknown): string | undefined {
  return typeof kind === "string" && typeof name === "string" && name !== "" ? `${kind}/${name}` : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function each(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
