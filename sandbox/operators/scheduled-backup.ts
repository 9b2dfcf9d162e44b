/**
 * Stands in for CloudNativePG 1.30's ScheduledBackup: makes the first Backup at once when `immediate` asks for it.
 *
 * Not simulated: the schedule (no later backup is made), and the data: the Backup completes by a KWOK Stage, empty.
 */

import type { KubeClient } from "../kubernetes/client.ts";
import { controlledBy, identity, type KubernetesObject } from "../kubernetes/objects.ts";
import { apiVersion, type Cluster, manager } from "./cloudnative-pg.ts";
import { timestamp } from "./conditions.ts";
import type { Operator } from "./controller.ts";

export interface ScheduledBackup extends KubernetesObject {
  spec: {
    cluster: { name: string };
    schedule: string;
    immediate?: boolean;
    suspend?: boolean;
    backupOwnerReference?: "none" | "self" | "cluster";
    method?: string;
    target?: string;
    online?: boolean;
    onlineConfiguration?: object;
    pluginConfiguration?: object;
  };
  status?: { lastCheckTime?: string; lastScheduleTime?: string };
}

/** The Backup made at once; undefined when there is none to make. `clusterObject` owns it if the ScheduledBackup says so. */
export function immediateBackup(
  scheduled: ScheduledBackup,
  clusterObject: KubernetesObject | undefined,
  now = new Date(),
): KubernetesObject | undefined {
  const { spec, status, metadata } = scheduled;
  if (!spec.immediate || spec.suspend || status?.lastCheckTime) return undefined;
  const { cluster, method, target, online, onlineConfiguration, pluginConfiguration } = spec;
  const inherited =
    spec.backupOwnerReference === "cluster"
      ? (clusterObject as Cluster | undefined)?.spec.inheritedMetadata
      : undefined;
  const owner = { none: undefined, self: scheduled, cluster: clusterObject }[spec.backupOwnerReference ?? "none"];
  return {
    apiVersion,
    kind: "Backup",
    metadata: {
      name: `${metadata.name}-${timestamp(now).replace(/[-:TZ]/g, "")}`,
      namespace: metadata.namespace,
      labels: {
        ...inherited?.labels,
        "cnpg.io/cluster": cluster.name,
        "cnpg.io/immediateBackup": "true",
        "cnpg.io/scheduled-backup": metadata.name,
      },
      ...(owner && { ownerReferences: [controlledBy(owner)] }),
    },
    spec: { cluster, method, target, online, onlineConfiguration, pluginConfiguration },
  };
}

/** The operator for ScheduledBackups. */
export function scheduledBackups(client: KubeClient): Operator {
  return {
    reconciles: { apiVersion, kind: "ScheduledBackup" },
    async reconcile(object) {
      const scheduled = object as ScheduledBackup;
      if (scheduled.status?.lastCheckTime) return;
      const { namespace } = scheduled.metadata;
      const cluster = await client.get({ apiVersion, kind: "Cluster" }, scheduled.spec.cluster.name, namespace);
      const backup = immediateBackup(scheduled, cluster);
      if (backup) await client.createIfMissing(backup, manager);
      const now = timestamp();
      const status = { lastCheckTime: now, ...(backup && { lastScheduleTime: now }) };
      await client.apply({ ...identity(scheduled), status }, manager, "status");
    },
  };
}
