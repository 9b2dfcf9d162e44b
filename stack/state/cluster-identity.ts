import { typeOf } from "@hearth-platform/hearth/core/component";
import { type RecordedResource, recordedState } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import * as pulumi from "@pulumi/pulumi";
import type { Area } from "../areas/area.ts";
import { areas } from "../areas/index.ts";
import { clusterChoice } from "../providers.ts";
import type { Stack } from "../stack-settings.ts";

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
    `The stack was deployed to another cluster (kube-system was ${recorded}, and is ${live}). ` +
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

/** Options of the cluster's provider. @throws pulumi.RunError see `providerOptions` */
export async function clusterOptions(stack: Stack, identity: ClusterIdentity): Promise<pulumi.ResourceOptions> {
  return providerOptions((await recordedState())?.resources ?? [], clusterChoice(stack).context, identity);
}

/**
 * The provider keeps the identifier that the state has, because another one replaces every object. A context of another
 * name may be the same cluster: where both UIDs are known, the parts that hold data refuse another one. Where one is not
 * known, another name means another cluster, to which nothing that holds data can go.
 * @param recorded the stack's state; empty where it can't be read
 * @throws pulumi.RunError where nothing shows that a context of another name is the cluster that has the data
 */
export function providerOptions(
  recorded: readonly RecordedResource[],
  context: string | undefined,
  { live }: ClusterIdentity,
): pulumi.ResourceOptions {
  const kept = { ignoreChanges: ["clusterIdentifier"] };
  const provider = recorded.find((each) => each.urn.endsWith("::pulumi:providers:kubernetes::cluster") && !each.delete);
  if (!provider || provider.inputs?.context === context) return kept;
  const isRecorded = recorded.some(({ inputs }) => inputs?.[input] !== undefined);
  if (isRecorded && live !== undefined) return kept;
  if (!recorded.some(({ protect }) => protect)) return {};
  throw new pulumi.RunError(
    [
      `Nothing was created. The kubeconfig's context was ${named(provider.inputs?.context)}, and is ${named(context)}. Nothing shows that both are the same cluster.`,
      isRecorded
        ? "Its namespace kube-system, whose UID tells clusters apart, can't be read. Make the cluster answer and allow this user to get that namespace, or set `hearth:kubernetes.context` back."
        : "The state does not have the cluster's UID yet. Set `hearth:kubernetes.context` back and run `up`, which records it. Then change the context.",
    ].join("\n"),
  );
}

function named(context: string | undefined): string {
  return context ?? "the current one";
}
