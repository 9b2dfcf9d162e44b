import { type LiveCluster, Refusal, Unreachable } from "../cluster/cluster.ts";
import { type Finding, findings } from "../preflight/finding.ts";

/** How long an API server may take for an answer, in milliseconds. */
export const serverPatience = 15_000;

/**
 * Whether the API server answers from its store: Pulumi's Kubernetes provider waits for one that does not, and says nothing.
 * @param namespace whose object is asked for; that it is not there, or may not be read, is an answer
 */
export async function storeFindings(cluster: Pick<LiveCluster, "read">, namespace: string): Promise<Finding[]> {
  try {
    await cluster.read(`/api/v1/namespaces/${namespace}`);
    return [];
  } catch (error) {
    return outageFindings(error);
  }
}

/** What an error says of the API server; nothing where it answered. */
export function outageFindings(error: unknown): Finding[] {
  const isOutage = error instanceof Unreachable || (error instanceof Refusal && error.code >= 500);
  if (!isOutage) return [];
  const message = error instanceof Refusal ? `It answers ${error.code}: ${error.message}` : error.message;
  return [
    findings("api-server").problem(
      "the Kubernetes API server",
      message,
      "The update waits for it. Bring the API server and its etcd back. If the update fails then, run `./hearth heal` before the next one.",
    ),
  ];
}
