import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";

/** Opens as much of a stack's cluster as a command uses. */
export type OpenCluster<Used> = (choice: ClusterChoice, sandbox: boolean) => Promise<Used>;

/** The cluster of a stack's settings, or the running sandbox's. @throws Error where it does not answer */
export async function openCluster(choice: ClusterChoice, sandbox: boolean): Promise<LiveCluster> {
  const { LiveCluster } = await import("@hearth-platform/stack/live/cluster/cluster");
  if (!sandbox) return LiveCluster.open(choice);
  const [{ openSandbox }, { kubeContext }] = await Promise.all([
    import("@hearth-platform/sandbox/sandbox"),
    import("@hearth-platform/sandbox/paths"),
  ]);
  return LiveCluster.open({ kubeconfig: (await openSandbox()).paths.kubeconfig, context: kubeContext });
}
