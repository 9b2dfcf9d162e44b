import { existsSync, readFileSync } from "node:fs";
import { Agent, type RequestOptions } from "node:https";
import { dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { type ClusterChoice, kubeconfigFiles } from "../../settings/cluster-choice.ts";

/** An API server, and what its requests carry. */
export interface SignedIn {
  readonly server: string;
  /** Names of the kubeconfig's context and of its user. */
  readonly context: string;
  readonly user: string;
  /** With an agent. */
  readonly options: RequestOptions;
}

/**
 * Signs in as kubectl does. Where certificates or a token stand in the kubeconfig they are read here; all else
 * (programs, OIDC, proxies, and whatever is wrong) is left to the client library, which takes 0.7 s to load.
 * @throws Error where there is no kubeconfig, or it has no such context, cluster or user, or the user could not sign in
 */
export async function signIn(choice: ClusterChoice, environment = process.env): Promise<SignedIn> {
  const known = signInFromFile(choice, environment);
  if (known) return known;
  const { loadKubeconfig } = await import("./kubeconfig.ts");
  const config = loadKubeconfig(choice, environment);
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    const user = config.getCurrentUser()?.name;
    throw new Error(`The user "${user}" could not sign in: ${(error as Error).message.trim()}`, { cause: error });
  }
  const { server = "", proxyUrl } = config.getCurrentCluster() ?? {};
  // A proxy of the kubeconfig comes first; the library knows none of the environment's.
  if (!proxyUrl && options.agent instanceof Agent)
    options.agent = new Agent({ ...options.agent.options, proxyEnv: environment });
  return { server, context: config.getCurrentContext(), user: config.getCurrentUser()?.name ?? "", options };
}

/** Keys of a user and a cluster that are understood here. */
const userKeys = ["client-certificate", "client-certificate-data", "client-key", "client-key-data", "token"];
const clusterKeys = ["server", "certificate-authority", "certificate-authority-data", "tls-server-name"];

type Entry = Readonly<Record<string, unknown>>;
interface Kubeconfig {
  readonly clusters?: readonly { readonly name: string; readonly cluster?: Entry }[];
  readonly contexts?: readonly { readonly name: string; readonly context?: Entry }[];
  readonly users?: readonly { readonly name: string; readonly user?: Entry }[];
  readonly "current-context"?: string;
}

/** Signs in with a single kubeconfig file; undefined if signing in takes more than that file. */
function signInFromFile(choice: ClusterChoice, environment: NodeJS.ProcessEnv): SignedIn | undefined {
  const [file, ...more] = kubeconfigFiles(choice, environment);
  if (file === undefined || more.length > 0 || !existsSync(file)) return undefined;
  try {
    const config = parse(readFileSync(file, "utf8")) as Kubeconfig;
    const named = <T extends { readonly name: string }>(list: readonly T[] = [], name: unknown) =>
      list.find((each) => each.name === name);
    const chosen = named(config.contexts, choice.context ?? config["current-context"]);
    const context = chosen?.context;
    const cluster = named(config.clusters, context?.cluster)?.cluster;
    const user = named(config.users, context?.user)?.user;
    if (!String(cluster?.server).startsWith("https:")) return undefined;
    if (!cluster || !user || !isPlain(cluster, clusterKeys) || !isPlain(user, userKeys)) return undefined;
    const signedIn = optionsOf(
      dirname(file),
      cluster as Record<string, string>,
      user as Record<string, string>,
      environment,
    );
    return { ...signedIn, context: chosen?.name ?? "", user: String(context?.user) };
  } catch {
    return undefined;
  }
}

function isPlain(entry: Entry, keys: readonly string[]): boolean {
  return Object.entries(entry).every(([key, value]) => keys.includes(key) && typeof value === "string");
}

function optionsOf(
  folder: string,
  cluster: Record<string, string>,
  user: Record<string, string>,
  environment: NodeJS.ProcessEnv,
): Pick<SignedIn, "server" | "options"> {
  const content = (entry: Record<string, string>, key: string): Buffer | undefined => {
    const { [key]: path, [`${key}-data`]: data } = entry;
    if (data) return Buffer.from(data, "base64");
    return path ? readFileSync(isAbsolute(path) ? path : join(folder, path)) : undefined;
  };
  const { server = "", "tls-server-name": servername } = cluster;
  const tls = {
    ca: content(cluster, "certificate-authority"),
    cert: content(user, "client-certificate"),
    key: content(user, "client-key"),
    ...(servername && { servername }),
  };
  const headers = user.token ? { authorization: `Bearer ${user.token}` } : {};
  // Proxies as kubectl takes them: HTTPS_PROXY and NO_PROXY, in either case.
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ...tls, proxyEnv: environment });
  return { server, options: { headers, agent } };
}
