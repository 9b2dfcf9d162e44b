import { existsSync } from "node:fs";
import { ApiClient } from "@hearth-platform/sandbox/kubernetes/api";
import { Discovery } from "@hearth-platform/sandbox/kubernetes/discovery";
import { connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import { kubeContext } from "@hearth-platform/sandbox/paths";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";

/** The cluster of a dry run. Without either field: the sandbox's. */
export interface ClusterChoice {
  /** Path of a kubeconfig. @default that of `KUBECONFIG`, then `~/.kube/config` */
  readonly kubeconfig?: string;
  /** Context in it. @default its current one */
  readonly context?: string;
}

/** A cluster that answered. */
export interface Cluster {
  /** What a person calls it. */
  readonly name: string;
  readonly api: ApiClient;
  readonly discovery: Discovery;
}

/** How long a cluster that can't be reached is tried again. */
const patienceMs = 3_000;

/**
 * Opens a cluster; close its `api` when done.
 * @throws Error that says why it can't be used: the sandbox is not running, the kubeconfig leads nowhere, nothing answers
 */
export async function openCluster({ kubeconfig, context }: ClusterChoice): Promise<Cluster> {
  const own = kubeconfig === undefined && context === undefined;
  const file = own ? (await openSandbox()).paths.kubeconfig : kubeconfig;
  const chosen = own ? kubeContext : context;
  if (file !== undefined && !existsSync(file)) throw new Error(`${file} does not exist.`);
  const config = loadKubeconfig(file);
  const api = new ApiClient(connectionOf(config, { context: chosen }), { unreachableAfter: patienceMs });
  try {
    await api.get("/version");
  } catch (error) {
    await api.close();
    throw error;
  }
  const name = own ? "the sandbox" : `context ${chosen ?? config["current-context"]}`;
  return { name, api, discovery: new Discovery(api) };
}
