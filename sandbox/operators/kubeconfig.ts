import { readFile } from "node:fs/promises";
import { parse } from "yaml";

/** How to reach a cluster and as whom. PEM texts. */
export interface ClusterAccess {
  readonly server: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

interface Kubeconfig {
  "current-context"?: string;
  contexts?: { name: string; context: { cluster: string; user: string } }[];
  clusters?: { name: string; cluster: { server: string; "certificate-authority-data"?: string } }[];
  users?: {
    name: string;
    user: { "client-certificate-data"?: string; "client-key-data"?: string; token?: string };
  }[];
}

/**
 * Reads the current context of a kubeconfig that holds its certificates itself, as the sandbox's does; files beside it
 * and credential programs are not read.
 * @throws when it names no cluster
 */
export async function readKubeconfig(file: string): Promise<ClusterAccess> {
  const config = parse(await readFile(file, "utf8")) as Kubeconfig;
  const context = config.contexts?.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user;
  if (!cluster) throw new Error(`${file} has no current context with a cluster.`);
  const decode = (base64?: string) => base64 && Buffer.from(base64, "base64").toString();
  return {
    server: cluster.server,
    ca: decode(cluster["certificate-authority-data"]),
    cert: decode(user?.["client-certificate-data"]),
    key: decode(user?.["client-key-data"]),
    token: user?.token,
  };
}
