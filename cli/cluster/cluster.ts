import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { createConfiguration, HttpMethod, type KubeConfig, RequestContext } from "@kubernetes/client-node";

/** How a cluster serves a kind. */
export interface Kind {
  /** Its word in paths, e.g. `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A refusal of the API server. */
export class Refusal extends Error {
  readonly code: number;
  /** Kind that the refusal is about, in the API server's word: `namespaces`. */
  readonly about: string | undefined;

  constructor(code: number, { message, details }: Status) {
    super(message ?? `The API server answered ${code}.`);
    this.code = code;
    this.about = details?.kind;
  }
}

interface Status {
  readonly message?: string;
  readonly details?: { readonly kind?: string } | null;
}

/** How often and how long a busy API server is asked again: 429 and 503, in milliseconds. */
const pauses = [200, 500, 1_000, 2_000];

/** Longest time of a request, in milliseconds. */
const patience = 30_000;

/** The API server of a kubeconfig's current context, signed in to as kubectl signs in: certificates, tokens, OIDC, programs. */
export class Cluster {
  readonly #server: string;
  readonly #signedIn: RequestContext;
  readonly #http = createConfiguration().httpApi;
  readonly #kinds = new Map<string, Promise<Map<string, Kind>>>();

  /** @throws Error where the sign-in fails, or nothing answers */
  static async open(config: KubeConfig): Promise<Cluster> {
    const { server } = config.getCurrentCluster() ?? { server: "" };
    const signedIn = new RequestContext(server, HttpMethod.GET);
    try {
      await config.applySecurityAuthentication(signedIn);
    } catch (error) {
      const user = config.getCurrentUser()?.name;
      throw new Error(`The user "${user}" could not sign in: ${(error as Error).message.trim()}`, { cause: error });
    }
    const cluster = new Cluster(server, signedIn);
    try {
      await cluster.#request(HttpMethod.GET, "/version");
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  private constructor(server: string, signedIn: RequestContext) {
    this.#server = server.replace(/\/$/, "");
    this.#signedIn = signedIn;
  }

  /** How the cluster serves a kind; undefined where it does not. */
  async kind({ apiVersion, kind }: KubernetesObject): Promise<Kind | undefined> {
    const known = this.#kinds.get(apiVersion) ?? this.#kindsOf(apiVersion);
    this.#kinds.set(apiVersion, known);
    return (await known).get(kind);
  }

  /** The object of the same name, as it is in the cluster; undefined where there is none. */
  async get(object: KubernetesObject, kind: Kind): Promise<KubernetesObject | undefined> {
    try {
      return await this.#request<KubernetesObject>(HttpMethod.GET, pathOf(object, kind));
    } catch (error) {
      if (error instanceof Refusal && error.code === 404) return undefined;
      throw error;
    }
  }

  /**
   * A server-side apply with strict fields of which nothing is kept. Fields that another manager owns are taken.
   * @returns the object as it would be
   * @throws Refusal where the API server would not take the object
   */
  async tryApply(object: KubernetesObject, kind: Kind, fieldManager: string): Promise<KubernetesObject> {
    const query = { fieldManager, force: "true", fieldValidation: "Strict", dryRun: "All" };
    return this.#request(HttpMethod.PATCH, `${pathOf(object, kind)}?${new URLSearchParams(query)}`, object);
  }

  async close(): Promise<void> {
    await this.#signedIn.getDispatcher()?.destroy();
  }

  async #kindsOf(apiVersion: string): Promise<Map<string, Kind>> {
    try {
      const { resources } = await this.#request<ResourceList>(HttpMethod.GET, groupPath(apiVersion));
      // A subresource, such as deployments/scale, has a kind of its own.
      const whole = resources.filter(({ name }) => !name.includes("/"));
      return new Map(whole.map(({ kind, name, namespaced }) => [kind, { plural: name, namespaced }]));
    } catch (error) {
      if (error instanceof Refusal && error.code === 404) return new Map();
      throw error;
    }
  }

  async #request<T>(method: HttpMethod, path: string, body?: object): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const { code, text } = await this.#send(method, path, body);
      if (code < 300) return JSON.parse(text) as T;
      const pause = pauses[attempt];
      if (pause === undefined || (code !== 429 && code !== 503)) throw new Refusal(code, statusOf(text));
      await sleep(pause);
    }
  }

  async #send(method: HttpMethod, path: string, body?: object) {
    const request = new RequestContext(this.#server + path, method);
    for (const [name, value] of Object.entries(this.#signedIn.getHeaders())) request.setHeaderParam(name, value);
    const dispatcher = this.#signedIn.getDispatcher();
    if (dispatcher) request.setDispatcher(dispatcher);
    request.setSignal(AbortSignal.timeout(patience));
    request.setHeaderParam("Accept", "application/json");
    if (body) {
      request.setHeaderParam("Content-Type", "application/apply-patch+yaml");
      request.setBody(JSON.stringify(body));
    }
    try {
      const response = await this.#http.send(request).toPromise();
      return { code: response.httpStatusCode, text: await response.body.text() };
    } catch (error) {
      throw new Error(`The Kubernetes API server ${this.#server} can't be reached: ${causeOf(error)}.`, {
        cause: error,
      });
    }
  }
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

function pathOf({ apiVersion, metadata }: KubernetesObject, { plural, namespaced }: Kind): string {
  const { name, namespace } = metadata;
  const parts = [...(namespaced ? ["namespaces", namespace ?? "default"] : []), plural, name];
  return `${groupPath(apiVersion)}/${parts.map(encodeURIComponent).join("/")}`;
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function statusOf(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { message: text.trim() || undefined };
  }
}

/** What stopped a request: `fetch failed` says nothing, its cause does. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}
