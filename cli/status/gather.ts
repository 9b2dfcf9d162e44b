import type { KubernetesObject, PlannedObject } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { dataNeedsOf } from "@hearth-platform/stack/live/preflight/data-needs";
import { look, placeOf, secretNames } from "@hearth-platform/stack/live/preflight/facts";
import { namespacesOf, needsOf, objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { type Live, listIn, lookAtLive } from "@hearth-platform/stack/live/trouble/live";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { lookForKit } from "../doctor/kit.ts";
import { backupSizes } from "./backup-size.ts";
import type { DatabaseBackup, LiveWorkload, PlannedComponent, RunningKind, StatusFacts, VolumeUse } from "./facts.ts";
import { runningKinds } from "./facts.ts";
import { firingAlerts } from "./prometheus.ts";

/** How the world is reached. */
export interface StatusMeans {
  readonly cluster: Pick<LiveCluster, "server" | "read" | "listPath">;
  readonly environment: NodeJS.ProcessEnv;
  /** URL of a Prometheus; undefined: none is asked. */
  readonly prometheus: string | undefined;
  readonly now: Date;
}

/** Looks at a live stack; every request reads. @throws Error where the API server can't be reached */
export async function gatherStatus(name: string, stack: Stack, means: StatusMeans): Promise<StatusFacts> {
  const { cluster, environment, now } = means;
  const parts = stackParts(stack);
  const plans = parts.flatMap(({ plans }) => plans());
  const objects = objectsOf(plans);
  const planned = plans.flatMap((plan) => plan.objects);
  const needs = needsOf(objects, stack.settings);
  const namespaces = namespacesOf(needs);
  const [standing, live, backups, secrets, kit, alerts] = await Promise.all([
    lookAtObjects(cluster, planned),
    lookAtLive(cluster, namespaces),
    backupsIn(cluster, namespaces),
    Promise.all(namespaces.map(async (each) => [each, await secretNames(cluster, each)] as const)),
    lookForKit(stack, cluster),
    means.prometheus === undefined ? undefined : firingAlerts(means.prometheus, namespaces),
  ]);
  const [volumes, sizes] = await Promise.all([
    volumeUse(cluster, live),
    backups === "unseen" ? new Map<string, number>() : backupSizes(dataNeedsOf(stack, objects), backups, environment),
  ]);
  return {
    ...{
      stack: name,
      server: cluster.server,
      now,
      objects,
      planned,
      standing,
      needs,
      live,
      backups,
      kit,
    },
    components: plannedComponents(parts),
    secrets: new Map(secrets),
    backupSizes: sizes,
    volumes,
    ...(alerts && { alerts }),
  };
}

/** The stack's objects as they are, by their place: a request for each kind in each namespace. */
async function lookAtObjects(
  cluster: StatusMeans["cluster"],
  planned: readonly PlannedObject[],
): Promise<StatusFacts["standing"]> {
  const objects = planned.map(({ object }) => object);
  const groups = Map.groupBy(
    objects,
    ({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.namespace}`,
  );
  const found = await Promise.all(
    [...groups.values()].map(async ([first, ...more]) => {
      if (!first) return [];
      const path = await cluster.listPath(first);
      const list = path === undefined ? "absent" : await look<{ items: KubernetesObject[] }>(cluster, path);
      return [first, ...more].map(({ kind, metadata: { namespace, name } }) => {
        const live = typeof list === "string" ? list : list.items.find(({ metadata }) => metadata.name === name);
        return [placeOf({ kind, namespace, name }), live ?? "absent"] as const;
      });
    }),
  );
  return new Map(found.flat());
}

async function backupsIn(
  cluster: StatusMeans["cluster"],
  namespaces: readonly string[],
): Promise<StatusFacts["backups"]> {
  const found = await Promise.all(
    namespaces.map((each) => listIn<DatabaseBackup>(cluster, each, ["/apis/postgresql.cnpg.io/v1", "backups"])),
  );
  return found.includes("unseen") ? "unseen" : found.flatMap((each) => (each === "unseen" ? [] : each));
}

/** The components that keep pods running, in the order of creation, each with its own workloads. */
function plannedComponents(parts: readonly StackPart[]): PlannedComponent[] {
  const classes = new Map(parts.flatMap(({ all }) => all().map(({ name, component }) => [name, component.name])));
  const plans = parts.flatMap(({ named }) => named());
  const byName = Map.groupBy(plans, ({ name }) => name);
  return [...byName].flatMap(([name, own]) => {
    const planned = own.flatMap(({ plan }) => plan.objects);
    const workloads = planned.flatMap(plannedWorkload);
    if (workloads.length === 0) return [];
    return [{ name, component: classes.get(name) ?? "", workloads, objects: planned.map(({ object }) => object) }];
  });
}

function plannedWorkload({ object, ignoreChanges = [] }: PlannedObject) {
  if (!isWorkload(object)) return [];
  const { spec = {} } = object as { spec?: LiveWorkload["spec"] };
  const pods = spec?.replicas ?? spec?.instances;
  return [{ object, ...(pods !== undefined && !ignoreChanges.includes("spec.replicas") && { pods }) }];
}

function isWorkload(object: KubernetesObject): object is KubernetesObject & { readonly kind: RunningKind } {
  return runningKinds.some((kind) => kind === object.kind);
}

/** The kubelet's summary, of k8s.io/kubelet pkg/apis/stats/v1alpha1/types.go. */
interface Summary {
  readonly pods?: readonly {
    readonly volume?: readonly {
      readonly pvcRef?: { readonly name: string; readonly namespace: string };
      readonly usedBytes?: number;
      readonly capacityBytes?: number;
    }[];
  }[];
}

/** Use of the stack's volumes, from the kubelets that let the caller ask. */
async function volumeUse(cluster: StatusMeans["cluster"], { pods, claims }: Live): Promise<VolumeUse[]> {
  const own = new Set(claims.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`));
  const nodes = new Set(
    pods
      .filter(({ spec }) => spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim))
      .flatMap(({ spec }) => spec?.nodeName ?? []),
  );
  const found = await Promise.all(
    [...nodes].map((node) => look<Summary>(cluster, `/api/v1/nodes/${node}/proxy/stats/summary`)),
  );
  const seen = new Map<string, VolumeUse>();
  for (const summary of found)
    for (const { volume = [] } of typeof summary === "string" ? [] : (summary.pods ?? []))
      for (const { pvcRef, usedBytes, capacityBytes } of volume) {
        const claim = `${pvcRef?.namespace}/${pvcRef?.name}`;
        if (pvcRef && own.has(claim) && usedBytes !== undefined && capacityBytes)
          seen.set(claim, { namespace: pvcRef.namespace, name: pvcRef.name, usedBytes, capacityBytes });
      }
  return [...seen.values()];
}
