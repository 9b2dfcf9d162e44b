/**
 * Reads kubeconfig files: which server, and who we are there. `KubeConfig` of @kubernetes/client-node does the same but
 * takes 0.4 s to load (every API class comes with it), once for each process.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parse } from "yaml";

/** The parts of a kubeconfig that are read here; paths in it are absolute after {@link loadKubeconfig}. */
export interface Kubeconfig {
  clusters: { name: string; cluster: Cluster }[];
  contexts: { name: string; context: { cluster: string; user: string; namespace?: string } }[];
  users: { name: string; user: User }[];
  "current-context"?: string;
}

interface Cluster {
  server: string;
  "certificate-authority"?: string;
  "certificate-authority-data"?: string;
  "insecure-skip-tls-verify"?: boolean;
  "tls-server-name"?: string;
}

interface User {
  "client-certificate"?: string;
  "client-certificate-data"?: string;
  "client-key"?: string;
  "client-key-data"?: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  exec?: unknown;
  "auth-provider"?: unknown;
}

/** Everything needed to talk to one API server as one user. `headers` carry the user's token or password. */
export interface Connection {
  server: string;
  namespace: string;
  tls: { ca?: Buffer; cert?: Buffer; key?: Buffer; rejectUnauthorized: boolean; servername?: string };
  headers: Record<string, string>;
}

/** The context and cluster to use instead of the kubeconfig's own choice. */
export interface Overrides {
  context?: string;
  cluster?: string;
}

/**
 * The kubeconfig in `pathOrContent`, or, without it, the files of `KUBECONFIG` merged (the first to say something
 * wins), or `~/.kube/config`. Throws on content that is no kubeconfig; a missing file of `KUBECONFIG` is passed over,
 * as kubectl does.
 */
export function loadKubeconfig(
  pathOrContent: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Kubeconfig {
  if (pathOrContent) {
    const path = pathOrContent.replace(/^~(?=\/)/, homedir());
    return existsSync(path) ? read(path) : parseKubeconfig(pathOrContent);
  }
  const files = environment.KUBECONFIG?.split(delimiter).filter(Boolean) ?? [join(homedir(), ".kube", "config")];
  const configs = files.filter((file) => existsSync(file)).map(read);
  return {
    clusters: configs.flatMap(({ clusters }) => clusters),
    contexts: configs.flatMap(({ contexts }) => contexts),
    users: configs.flatMap(({ users }) => users),
    "current-context": configs.map((config) => config["current-context"]).find(Boolean),
  };
}

/** A kubeconfig from YAML or JSON text. */
function parseKubeconfig(text: string): Kubeconfig {
  const config: unknown = parse(text);
  if (typeof config !== "object" || config === null) {
    throw new Error("it is neither a file that exists nor the content of a kubeconfig");
  }
  return { clusters: [], contexts: [], users: [], ...config };
}

/** The cluster's settings that the kubeconfig and the overrides lead to; undefined when they lead nowhere. */
export function activeCluster(config: Kubeconfig, { context, cluster }: Overrides): Cluster | undefined {
  const chosen = config.contexts.find(({ name }) => name === (context || config["current-context"]))?.context;
  return config.clusters.find(({ name }) => name === (cluster || chosen?.cluster))?.cluster;
}

/**
 * How to reach the server. Throws when the context, cluster or user is not in the kubeconfig, or needs what is
 * not done here.
 */
export function connectionOf(config: Kubeconfig, overrides: Overrides = {}): Connection {
  const contextName = overrides.context || config["current-context"];
  if (!contextName)
    throw new Error("no kubeconfig with a current context was found: set KUBECONFIG or the provider's kubeconfig");
  const context = config.contexts.find(({ name }) => name === contextName)?.context;
  if (!context) throw new Error(`context "${contextName}" does not exist`);
  const cluster = activeCluster(config, overrides);
  if (!cluster?.server) throw new Error(`cluster "${overrides.cluster || context.cluster}" does not exist`);
  const user = config.users.find(({ name }) => name === context.user)?.user ?? {};
  if (user.exec || user["auth-provider"]) {
    throw new Error(`user "${context.user}" signs in through another program, which the sandbox does not do`);
  }
  return {
    server: cluster.server,
    namespace: context.namespace || "default",
    tls: {
      ca: content(cluster["certificate-authority-data"], cluster["certificate-authority"]),
      cert: content(user["client-certificate-data"], user["client-certificate"]),
      key: content(user["client-key-data"], user["client-key"]),
      rejectUnauthorized: !cluster["insecure-skip-tls-verify"],
      ...(cluster["tls-server-name"] && { servername: cluster["tls-server-name"] }),
    },
    headers: authorization(user),
  };
}

function read(file: string): Kubeconfig {
  const config = parseKubeconfig(readFileSync(file, "utf8"));
  const absolute = <T extends object>(value: T, ...keys: string[]): T =>
    Object.fromEntries(
      Object.entries(value).map(([key, path]) => [
        key,
        path && keys.includes(key) ? resolve(dirname(file), path) : path,
      ]),
    ) as T;
  return {
    ...config,
    clusters: config.clusters.map(({ name, cluster }) => ({
      name,
      cluster: absolute(cluster, "certificate-authority"),
    })),
    users: config.users.map(({ name, user }) => ({
      name,
      user: absolute(user ?? {}, "client-certificate", "client-key", "tokenFile"),
    })),
  };
}

function content(base64: string | undefined, file: string | undefined): Buffer | undefined {
  if (base64) return Buffer.from(base64, "base64");
  return file ? readFileSync(file) : undefined;
}

function authorization({ token, tokenFile, username, password }: User): Record<string, string> {
  const bearer = token ?? (tokenFile && readFileSync(tokenFile, "utf8").trim());
  if (bearer) return { authorization: `Bearer ${bearer}` };
  if (username === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}` };
}
