import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { Area } from "@hearth-platform/stack/areas/area";
import { areas } from "@hearth-platform/stack/areas/index";
import { needsOf, objectsOf, scheduledBackupsOf } from "@hearth-platform/stack/live/preflight/needs";
import { referencesIn } from "@hearth-platform/stack/live/preflight/references";
import { stackPlans } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";

/** Who makes an object that a kit keeps. In a kit its name is that of a folder. */
export type Origin =
  /** The stack generates it. */
  | "stack"
  /** External Secrets syncs it from a store. */
  | "store"
  /** A person, or a program in the cluster. */
  | "existing"
  /** The database operator. */
  | "operator";

/** A Secret that a kit keeps, or the ConfigMap of a private authority. */
export interface Kept {
  readonly kind: "Secret" | "ConfigMap";
  readonly namespace: string;
  readonly name: string;
  readonly origin: Origin;
  /** Another value would lose data, or nobody would read it. */
  readonly neverChanges: boolean;
  /** No kit is made without it. */
  readonly isNeeded: boolean;
}

/** All that a kit of the stack keeps of its cluster: every Secret that its objects read but those that certificates are issued into. */
export function keptOf(stack: Stack): Kept[] {
  const objects = objectsOf(stackPlans(stack));
  const constant = constantNames(stack);
  const kept = (origin: Origin, isNeeded = true) => {
    return (namespace: string, name: string, kind: Kept["kind"] = "Secret"): Kept => {
      const neverChanges = kind === "Secret" && constant.has(name);
      return { kind, namespace, name, origin, neverChanges, isNeeded };
    };
  };
  const of = (kind: string) => objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata);
  const own = [
    ...of("Secret").map(({ namespace = "", name }) => kept("stack")(namespace, name)),
    ...of("ExternalSecret").map(({ namespace = "", name }) => kept("store")(namespace, name)),
  ];
  const awaited = needsOf(objects, stack.settings).awaited.map(({ kind, namespace, name }) =>
    kept("existing")(namespace, name, kind),
  );
  const issued = new Set(objects.flatMap(issuedSecret));
  const read = objects.flatMap((object) =>
    [...referencesIn(object)]
      .filter(({ kind, name }) => kind === "Secret" && !issued.has(dataName(name, object.metadata.namespace)))
      .map(({ name }) => kept("existing", false)(object.metadata.namespace ?? "", name)),
  );
  const authorities = presentClusters(objects).map(({ namespace, cluster }) =>
    // CloudNativePG's own authority of the cluster: docs/src/certificates.md
    kept("operator", false)(namespace, `${cluster}-ca`),
  );
  // Of an object that is found in several ways the first counts.
  const all = new Map(
    [...own, ...awaited, ...read, ...authorities].reverse().map((each) => [keptKey(each), each] as const),
  );
  return [...all.values()].reverse();
}

/** Those of which another value would lose data, or that nobody would read. */
export function constantSecrets(stack: Stack): Kept[] {
  return keptOf(stack).filter(({ neverChanges }) => neverChanges);
}

/** The present cluster of each database that has backups. */
export function presentClusters(objects: readonly KubernetesObject[]): { namespace: string; cluster: string }[] {
  return scheduledBackupsOf(objects).map(({ metadata: { namespace = "" }, spec }) => ({
    namespace,
    cluster: spec.cluster.name,
  }));
}

/** Identifies an object among those of a stack. */
export const keptKey = ({ kind, namespace, name }: Pick<Kept, "kind" | "namespace" | "name">) =>
  `${kind} ${dataName(name, namespace)}`;

/** Names of the Secrets that never change, also of existing ones in their place. */
function constantNames({ settings }: Stack): ReadonlySet<string> {
  const names = Object.values<Area>(areas)
    .flatMap((area) => area.secrets?.(settings) ?? [])
    .flatMap(({ constant = [], firstPasswords = [] }) => [...constant, ...firstPasswords]);
  return new Set(names.map((name) => settings.secrets?.existing?.[name] ?? name));
}

function issuedSecret({ kind, metadata: { namespace }, ...object }: KubernetesObject): string[] {
  const { secretName } = (object as { spec?: { secretName?: string } }).spec ?? {};
  return kind === "Certificate" && secretName ? [dataName(secretName, namespace)] : [];
}
