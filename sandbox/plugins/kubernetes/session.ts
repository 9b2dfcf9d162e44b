/** The provider's settings and its cluster, from the engine's Configure request. */
import { ApiClient } from "../../kubernetes/api.ts";
import { Discovery } from "../../kubernetes/discovery.ts";
import { connectionOf, loadKubeconfig } from "../../kubernetes/kubeconfig.ts";
import type { ConfigureRequest } from "../grpc.ts";

/** The official provider's settings that are honoured here; each also has its environment variable. */
export interface Settings {
  /** Take fields that another manager owns. @default false */
  enablePatchForce: boolean;
  /** Create applies over an object that exists. @default false */
  upsertExistingObjects: boolean;
  /** A ConfigMap's data may change in place. @default false */
  enableConfigMapMutable: boolean;
  /** A Secret's data may change in place. @default false */
  enableSecretMutable: boolean;
  /** Forget resources whose cluster can't be reached instead of failing. @default false */
  deleteUnreachable: boolean;
}

/** A cluster that answers. */
export interface Cluster {
  api: ApiClient;
  discovery: Discovery;
}

/**
 * What a configured provider works with. `cluster` is undefined when it can't be reached, for the reason in
 * `unreachable`.
 */
export interface Session {
  settings: Settings;
  /** The namespace of objects that name none. */
  namespace: string;
  cluster: Cluster | undefined;
  unreachable: string;
  /** Aborted when the engine cancels. */
  signal: AbortSignal;
}

const VARIABLES: Record<keyof Settings, string> = {
  enablePatchForce: "PULUMI_K8S_ENABLE_PATCH_FORCE",
  upsertExistingObjects: "PULUMI_K8S_UPSERT_EXISTING_OBJECTS",
  enableConfigMapMutable: "PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE",
  enableSecretMutable: "PULUMI_K8S_ENABLE_SECRET_MUTABLE",
  deleteUnreachable: "PULUMI_K8S_DELETE_UNREACHABLE",
};

/** Settings whose official effect is missing here; ignoring them would do something else than asked. */
const UNSUPPORTED = ["renderYamlToDirectory", "skipUpdateUnreachable"];

/**
 * Opens the provider's session. As with the official provider a kubeconfig that leads to no cluster, or a cluster that
 * does not answer, is no error yet: previews show the inputs, and every operation that needs the cluster fails with the
 * reason. Throws on settings the stand-in lacks.
 */
export async function openSession(
  { variables }: ConfigureRequest,
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Session> {
  const setting = (key: string) => variables[`kubernetes:config:${key}`];
  const unsupported = UNSUPPORTED.find((key) => setting(key) && setting(key) !== "false");
  if (unsupported) throw new Error(`the stand-in for the kubernetes provider does not do ${unsupported}`);
  if ((setting("enableServerSideApply") ?? environment.PULUMI_K8S_ENABLE_SERVER_SIDE_APPLY ?? "true") !== "true") {
    throw new Error("the stand-in for the kubernetes provider only does server-side apply");
  }
  const session = { settings: settingsOf(setting, environment), signal };
  try {
    const config = loadKubeconfig(setting("kubeconfig"), environment);
    const connection = connectionOf(config, { context: setting("context"), cluster: setting("cluster") });
    const namespace = setting("namespace") || connection.namespace;
    const api = new ApiClient(connection);
    try {
      await api.get("/version", { signal });
    } catch (error) {
      await api.close();
      return { ...session, namespace, cluster: undefined, unreachable: messageOf(error) };
    }
    return { ...session, namespace, cluster: { api, discovery: new Discovery(api) }, unreachable: "" };
  } catch (error) {
    const reason = `unable to load Kubernetes client configuration from kubeconfig file: ${messageOf(error)}`;
    return { ...session, namespace: setting("namespace") || "default", cluster: undefined, unreachable: reason };
  }
}

/** The session's cluster. Throws the official provider's message when there is none. */
export function reachable({ cluster, unreachable }: Session): Cluster {
  if (cluster) return cluster;
  throw new Error(`configured Kubernetes cluster is unreachable: ${unreachable}`);
}

function settingsOf(setting: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): Settings {
  const entries = Object.entries(VARIABLES).map(([key, variable]) => {
    const value = setting(key) ?? environment[variable];
    return [key, value === "true"];
  });
  return Object.fromEntries(entries) as Settings;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
