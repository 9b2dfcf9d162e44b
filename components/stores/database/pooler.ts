import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.d.ts";
import { poolerImage } from "../../catalogue/images.ts";
import { databaseNames } from "../../catalogue/names.ts";
import type { KubernetesObject } from "../../core/plan.ts";
import { mirrored, workloadSettings } from "../../core/platform.ts";
import type { Pooler } from "../../kubernetes/custom-resources/pooler.ts";
import type { ResolvedDatabase } from "./defaults.ts";
import { databaseLabels, podLabels } from "./labels.ts";
import { connectionSizes } from "./sizing.ts";

/** Of each container; the operator gives its own no others. */
const resources = { requests: { cpu: "50m", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } };

/**
 * The pooler of `cluster`, the one address applications use. Session mode: applications take advisory locks and prepare
 * statements, which a pooler that changes the server connection between transactions breaks.
 */
export function pooler(args: ResolvedDatabase, cluster: string): Pooler {
  const { platform } = args;
  const name = databaseNames(args.name).pooler;
  const settings = workloadSettings(platform, name);
  const { instances } = args;
  const sizes = connectionSizes(args.clients, instances);
  const pullSecrets = platform.images?.pullSecrets ?? [];
  return {
    apiVersion: "postgresql.cnpg.io/v1",
    kind: "Pooler",
    metadata: {
      name,
      namespace: args.namespace,
      labels: databaseLabels(args),
      annotations: { "pulumi.com/waitFor": `jsonpath={.status.instances}=${instances}` },
    },
    spec: {
      cluster: { name: cluster },
      type: "rw",
      instances,
      pgbouncer: {
        poolMode: "session",
        image: mirrored(poolerImage, platform.images),
        parameters: {
          default_pool_size: String(sizes.defaultPoolSize),
          max_client_conn: String(sizes.maxClientConnections),
        },
      },
      template: {
        metadata: {
          labels: podLabels(args, name),
          ...(Object.keys(settings.annotations ?? {}).length > 0 && { annotations: settings.annotations }),
        },
        spec: {
          // The operator fills in the rest of the containers of these names; the first has only its program to copy.
          initContainers: [{ name: "bootstrap-controller", resources }],
          containers: [{ name: "pgbouncer", resources }],
          ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map((secret) => ({ name: secret })) }),
          ...(settings.nodeSelector && { nodeSelector: settings.nodeSelector }),
          ...(settings.tolerations?.length && { tolerations: settings.tolerations }),
          ...(settings.priorityClassName && { priorityClassName: settings.priorityClassName }),
          ...(instances > 1 && {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: "kubernetes.io/hostname",
                whenUnsatisfiable: "ScheduleAnyway",
                labelSelector: { matchLabels: poolerPods(name) },
              },
            ],
          }),
        },
      },
    },
  };
}

/**
 * Keeps one of two pooler pods while nodes are drained: the operator makes budgets for its databases only. `up` waits here for ready pods,
 * also of a pooler of one pod: a Pooler's `status.instances` counts pods before they are ready, a budget those that are. After a
 * recovery it names another cluster, so that it is an update, and is waited for again.
 */
export function poolerBudget(args: ResolvedDatabase, cluster: string): PodDisruptionBudget & KubernetesObject {
  const name = databaseNames(args.name).pooler;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: {
      name,
      namespace: args.namespace,
      labels: databaseLabels(args),
      annotations: {
        "hearth/cluster": cluster,
        "pulumi.com/waitFor": `jsonpath={.status.currentHealthy}=${args.instances}`,
      },
    },
    spec: { maxUnavailable: 1, selector: { matchLabels: poolerPods(name) } },
  };
}

/** The operator's own label of a pooler's pods. */
function poolerPods(name: string) {
  return { "cnpg.io/poolerName": name };
}
