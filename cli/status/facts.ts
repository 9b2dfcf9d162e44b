import type { KubernetesObject, PlannedObject } from "@hearth-platform/hearth/core/plan";
import { type Conditioned, type Looked, placeOf } from "@hearth-platform/stack/live/preflight/facts";
import type { Needs } from "@hearth-platform/stack/live/preflight/needs";
import type { Live } from "@hearth-platform/stack/live/trouble/live";
import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";
import type { KitFacts } from "../doctor/kit.ts";

/** All that a look at a live stack sees, and what the settings ask for. What the caller may not read is `unseen`. */
export interface StatusFacts {
  readonly stack: string;
  /** URL of the API server. */
  readonly server: string;
  readonly now: Date;
  readonly components: readonly PlannedComponent[];
  /** Every object that the settings ask for. */
  readonly objects: readonly KubernetesObject[];
  /** The same without Secrets, with what creation knows of them. */
  readonly planned: readonly PlannedObject[];
  /** What the cluster has of those, by their `placeOf`. */
  readonly standing: ReadonlyMap<string, Looked>;
  readonly needs: Needs;
  readonly live: Live;
  readonly backups: readonly DatabaseBackup[] | "unseen";
  /** Names of the Secrets by namespace. */
  readonly secrets: ReadonlyMap<string, ReadonlySet<string> | "unseen">;
  /** Bytes of the newest base backup by the `namespace/name` of its database; one that can't be seen is not there. */
  readonly backupSizes: ReadonlyMap<string, number>;
  readonly volumes: readonly VolumeUse[];
  readonly kit: KitFacts;
  /** What Prometheus says; absent: none was named. */
  readonly alerts?: readonly FiringAlert[] | { readonly failure: string };
}

/** A planned object as the cluster shows it; `T` is what is read of one of its kind. */
export function standingOf<T = KubernetesObject>(
  { standing }: Pick<StatusFacts, "standing">,
  { kind, metadata: { namespace, name } }: Pick<KubernetesObject, "kind" | "metadata">,
): Looked<T> {
  return (standing.get(placeOf({ kind, namespace, name })) ?? "absent") as Looked<T>;
}

/** Kinds of what keeps pods running. */
export const runningKinds = ["Deployment", "StatefulSet", "Cluster", "Pooler"] as const;
export type RunningKind = (typeof runningKinds)[number];

/** A component of the stack with what it asks for. */
export interface PlannedComponent {
  /** Its name in Pulumi's state, e.g. `team-db`. */
  readonly name: string;
  /** Its class, e.g. `Database`. */
  readonly component: string;
  readonly workloads: readonly PlannedWorkload[];
  /** All of its objects, the workloads among them. */
  readonly objects: readonly KubernetesObject[];
}

export interface PlannedWorkload {
  readonly object: KubernetesObject & { readonly kind: RunningKind };
  /** Its number of pods; absent where an autoscaler has it. */
  readonly pods?: number;
}

/** As much as is read of a Deployment, StatefulSet, Cluster or Pooler. */
export interface LiveWorkload extends Conditioned {
  readonly spec?: { readonly replicas?: number; readonly instances?: number; readonly imageName?: string };
  readonly status?: Conditioned["status"] & {
    readonly readyReplicas?: number;
    readonly readyInstances?: number;
    readonly instances?: number;
    readonly phase?: string;
    readonly phaseReason?: string;
    readonly currentPrimary?: string;
    readonly certificates?: { readonly expirations?: Readonly<Record<string, string>> };
  };
}

/** A Backup of CloudNativePG. (api/v1/backup_types.go) */
export interface DatabaseBackup {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly cluster: { readonly name: string } };
  readonly status?: {
    readonly phase?: string;
    readonly startedAt?: string;
    readonly stoppedAt?: string;
    readonly backupId?: string;
    readonly error?: string;
  };
}

/** A volume as the kubelet of its node measures it. */
export interface VolumeUse {
  readonly namespace: string;
  /** Of the claim. */
  readonly name: string;
  readonly usedBytes: number;
  readonly capacityBytes: number;
}

/** An alert of Prometheus that fires. */
export interface FiringAlert {
  readonly name: string;
  readonly namespace: string;
  readonly severity: string;
  /** The sentence of its annotation, or empty. */
  readonly summary: string;
  /** When it began to be active, as RFC 3339. */
  readonly since: string;
}
