import { typeOf } from "@hearth-platform/hearth/core/component";
import * as pulumi from "@pulumi/pulumi";
import type { Area } from "../areas/area.ts";
import { areas } from "../areas/index.ts";

/** The identity of the cluster. */
export interface ClusterIdentity {
  /** UID of its namespace kube-system; undefined where it could not be seen. */
  readonly live: string | undefined;
  /** `hearth:kubernetes.identity`. */
  readonly accepted: string | undefined;
}

/** Name of the input that a part which holds data records the cluster's identity under. */
const input = "clusterIdentity";

/** Why a cluster is not the one that the stack was deployed to; undefined where it is, or nothing is known of one of them. */
export function otherCluster(recorded: string | undefined, { live, accepted }: ClusterIdentity): string | undefined {
  if (recorded === undefined || live === undefined || recorded === live || accepted === live) return undefined;
  return (
    `The stack was deployed to another cluster of this name (kube-system was ${recorded}, and is ${live}). ` +
    "What the state has is not here: an update would change nothing where all is missing, and leave the data in the other cluster.\n" +
    "- Wrong kubeconfig or context: choose the right one.\n" +
    `- The cluster was built anew: set \`hearth:kubernetes.identity: ${live}\`, run \`pulumi refresh\`, then \`up\` (docs/explanation/data.md).`
  );
}

/**
 * Has the parts that hold data record which cluster they are in, and refuse another one at preview. A cluster that can't be
 * seen is passed over, and what is recorded stays.
 */
export function recordsCluster(identity: ClusterIdentity): pulumi.ResourceTransformation {
  const types = Object.values<Area>(areas)
    .filter(({ recordsCluster }) => recordsCluster)
    .map(({ component }) => typeOf(component));
  return ({ type, name, props, opts }) => {
    if (!types.includes(type)) return undefined;
    if (identity.live === undefined) return { props, opts: pulumi.mergeOptions(opts, { ignoreChanges: [input] }) };
    const hook = new pulumi.ResourceHook(
      `${type}/${name}/cluster`,
      ({ oldInputs }) => {
        const refusal = otherCluster(oldInputs?.[input], identity);
        if (refusal !== undefined) throw new Error(refusal);
      },
      { onDryRun: true },
    );
    return {
      props: { ...props, [input]: identity.live },
      opts: pulumi.mergeOptions(opts, { hooks: { beforeUpdate: [hook] } }),
    };
  };
}
