import type { KubeClient } from "../kubernetes/client.ts";
import type { KubernetesObject } from "../kubernetes/objects.ts";
import type { Operator } from "./controller.ts";

/** The ConfigMap in which `cluster-setup.ts` remembers what it applied, and the code of the operators that belongs to it. */
export const setupMark = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "hearth-sandbox-setup", namespace: "kube-system" },
} as const;

export interface SetupMark extends KubernetesObject {
  data?: { hash?: string };
}

/** The hash of the set-up that is in the cluster. */
export async function setupHash(client: KubeClient): Promise<string | undefined> {
  const mark = await client.get<SetupMark>(setupMark, setupMark.metadata.name, setupMark.metadata.namespace);
  return mark?.data?.hash;
}

/**
 * Notices that the cluster was set up anew, so that operators which run on do not stay behind the Stages they work with.
 * @param hash of the set-up that was in the cluster when this process began
 * @param restart is called once another one is there
 */
export function reload(hash: string | undefined, restart: () => void): Operator {
  return {
    reconciles: { apiVersion: "v1", kind: "ConfigMap" },
    async reconcile(object) {
      const { name, namespace } = object.metadata;
      if (name !== setupMark.metadata.name || namespace !== setupMark.metadata.namespace) return;
      if ((object as SetupMark).data?.hash !== hash) restart();
    },
  };
}
