/** When a change of the provider's own settings means another cluster, and with it new resources. */
import { isDeepStrictEqual } from "node:util";
import { activeCluster, type Kubeconfig, loadKubeconfig } from "../../kubernetes/kubeconfig.ts";
import { type DiffResult, type Properties, UNKNOWN } from "../grpc.ts";

const CLUSTER_SETTINGS = ["kubeconfig", "context", "cluster"];

/**
 * Compares the provider's recorded settings with the new ones: everything is replaced when the active cluster's
 * settings changed, when they can't be known yet, or when `clusterIdentifier` changed; never while `clusterIdentifier`
 * stays what it was.
 */
export function diffConfig(olds: Properties, news: Properties): DiffResult {
  const keys = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  const changed = keys.filter((key) => !isDeepStrictEqual(olds[key], news[key]));
  if (changed.length === 0) return { changes: false };
  if (news.clusterIdentifier !== undefined && !changed.includes("clusterIdentifier")) return { changes: true };

  const replaces: string[] = [];
  if (
    changed.includes("clusterIdentifier") &&
    olds.clusterIdentifier !== undefined &&
    news.clusterIdentifier !== undefined
  ) {
    replaces.push("clusterIdentifier");
  }
  const unknown = CLUSTER_SETTINGS.find((key) => news[key] === UNKNOWN);
  if (unknown) return { changes: true, replaces: [...replaces, unknown] };
  if (changed.includes("renderYamlToDirectory")) replaces.push("renderYamlToDirectory");

  const [before, after] = [clusterOf(olds), clusterOf(news)];
  if (before && after && !isDeepStrictEqual(before, after)) {
    replaces.push(...CLUSTER_SETTINGS.filter((key) => changed.includes(key)));
  }
  return { changes: true, replaces };
}

function clusterOf(settings: Properties): unknown {
  const text = (key: string) => (typeof settings[key] === "string" ? settings[key] : undefined);
  const kubeconfig = text("kubeconfig");
  if (!kubeconfig) return undefined;
  let config: Kubeconfig;
  try {
    config = loadKubeconfig(kubeconfig);
  } catch {
    return undefined;
  }
  return activeCluster(config, { context: text("context"), cluster: text("cluster") });
}
