import type { KubernetesObject, Plan, PlannedSecret } from "@hearth-platform/hearth/core/plan";
import { composeSecret } from "@hearth-platform/hearth/core/secrets";
import { stringify } from "yaml";

/** Placeholder of a secret value. */
const mask = "(generated)";

/** Folder of objects that belong to no namespace; no namespace can have this name. */
const clusterFolder = "_cluster";

/**
 * Every Kubernetes object of the plans as plain data, by its path `<namespace>/<kind>-<name>.yaml`, in the order of the paths.
 * A namespace itself lies in the folder of its name.
 * @throws Error where two objects have one path
 */
export function manifests(plans: readonly Plan[]): Map<string, KubernetesObject> {
  return byPath(
    plans.flatMap((plan) => [...plan.secrets.map(maskedSecret), ...plan.objects.map(({ object }) => object)]),
  );
}

function byPath(objects: readonly KubernetesObject[]): Map<string, KubernetesObject> {
  const files = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const path = objectPath(object);
    if (files.has(path)) throw new Error(`Two objects of the stack would be written to ${path}.`);
    files.set(path, JSON.parse(JSON.stringify(object)));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The {@link manifests} as YAML, by their paths. */
export function renderObjects(plans: readonly Plan[]): Map<string, string> {
  return new Map([...manifests(plans)].map(([path, object]) => [path, asYaml(object)]));
}

/** Objects as YAML, by the same paths. @throws Error where two objects have one path */
export function objectFiles(objects: readonly KubernetesObject[]): Map<string, string> {
  return new Map([...byPath(objects)].map(([path, object]) => [path, asYaml(object)]));
}

function objectPath({ kind, metadata }: KubernetesObject): string {
  const folder = kind === "Namespace" ? metadata.name : (metadata.namespace ?? clusterFolder);
  return `${folder}/${kind.toLowerCase()}-${metadata.name}.yaml`;
}

/** A generated Secret. Its parts that are not secret, such as a user name or the layout of a file, are shown. */
function maskedSecret({ name, namespace, type, labels, data }: PlannedSecret): KubernetesObject {
  const stringData = composeSecret(data, Object.fromEntries(Object.keys(data).map((key) => [key, mask])));
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels },
    type: type ?? "Opaque",
    stringData,
  };
  return secret as KubernetesObject;
}

/** Keys sorted, so that the text depends on the content alone; in YAML 1.1, which kubectl reads: there `on` is no text. */
export function asYaml(object: object): string {
  // No object stands in it twice: to look for that takes a third of the time.
  return stringify(object, { sortMapEntries: true, version: "1.1", lineWidth: 0, aliasDuplicateObjects: false });
}
