/**
 * The API server for the drill's steps, by the account of their pod.
 *
 * NAMESPACE: of the database. KUBERNETES_SERVICE_HOST and _PORT: as every pod has them. TOKEN: file of the account's token.
 */
import { readFileSync } from "node:fs";

const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "443", NAMESPACE: namespace } = process.env;
const { TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token" } = process.env;
const server = process.env.API_SERVER ?? `https://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Paths of kinds in the API, each before the name of an object. */
export const kinds = {
  clusters: `/apis/postgresql.cnpg.io/v1/namespaces/${namespace}/clusters`,
  jobs: `/apis/batch/v1/namespaces/${namespace}/jobs`,
  pods: `/api/v1/namespaces/${namespace}/pods`,
  claims: `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  configMaps: `/api/v1/namespaces/${namespace}/configmaps`,
} as const;

/**
 * Calls the API.
 * @returns the answer; undefined where there is no such object
 * @throws Error with the server's reason
 */
export async function api<T>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<T | undefined> {
  const response = await fetch(server + path, {
    method,
    headers: {
      authorization: `Bearer ${readFileSync(TOKEN, "utf8").trim()}`,
      "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.status === 404 && method !== "POST") return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reason(text)}`);
  return JSON.parse(text) as T;
}

function reason(text: string): string {
  try {
    return JSON.parse(text).message;
  } catch {
    return text;
  }
}

/** A cluster of CloudNativePG, as far as a drill reads it. (cloudnative-pg 1.30 api/v1/cluster_types.go) */
export interface ClusterState {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly uid: string }[];
  };
  readonly status?: {
    readonly systemID?: string;
    readonly phase?: string;
    readonly phaseReason?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/**
 * Removes the cluster of a drill and waits until it is gone, with its volume.
 * @param seconds it may take
 * @throws Error where the name is not a drill's, or something is still there
 */
export async function removeCluster({ metadata }: ClusterState, volume: string, seconds: number): Promise<void> {
  const path = `${kinds.clusters}/${metadata.name}`;
  // The name alone is no proof: what is deleted here must be what a drill has made.
  if (!isDrill({ metadata })) throw new Error(`Cluster ${metadata.name} was not made by a drill, and is left alone.`);
  await api("DELETE", path, { propagationPolicy: "Background", preconditions: { uid: metadata.uid } });
  const gone = async () => !(await api("GET", path)) && !(await api("GET", `${kinds.claims}/${volume}`));
  if (!(await waitUntil(gone, seconds)))
    throw new Error(`Cluster ${metadata.name} or its volume is still there after ${seconds} s.`);
}

/** Whether a drill made the cluster: it has a drill's label, and belongs to a pod. */
export function isDrill({ metadata }: Pick<ClusterState, "metadata">): boolean {
  return metadata.labels?.["app.kubernetes.io/part-of"] === "drill" && metadata.ownerReferences?.[0]?.kind === "Pod";
}

/** Whether `holds` gets true in time. */
export async function waitUntil(holds: () => Promise<boolean>, seconds: number): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return true;
}
