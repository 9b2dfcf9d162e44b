import { Agent, type Dispatcher, request } from "undici";
import { readKubeconfig } from "./kubeconfig.ts";

/** What identifies a kind of object to the API server. */
export interface Kind {
  /** For example `apps/v1`, or `v1`. */
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  generation?: number;
  resourceVersion?: string;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

export interface OwnerReference extends Kind {
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** An object as plain JSON, the way the API server gives and takes it. */
export interface KubeObject extends Kind {
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** An answer of the API server that is not a success. */
export class ApiError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.statusCode = statusCode;
  }
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

type Query = Readonly<Record<string, string | boolean>>;

/** One event of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubeObject;
}

/**
 * A small Kubernetes client for objects of any kind as plain JSON, with strict server-side apply. The generated clients
 * offer no field validation on apply, open a connection a watch, and triple the memory of a process.
 */
export class KubeClient {
  readonly #server: string;
  readonly #headers: Record<string, string>;
  readonly #dispatcher: Dispatcher;
  readonly #resources = new Map<string, readonly ApiResource[]>();

  /** @param kubeconfig file; see `readKubeconfig` */
  static async fromKubeconfig(kubeconfig: string): Promise<KubeClient> {
    const { server, token, ...tls } = await readKubeconfig(kubeconfig);
    const dispatcher = new Agent({ connect: tls, bodyTimeout: 0 });
    return new KubeClient(server, dispatcher, token ? { authorization: `Bearer ${token}` } : {});
  }

  private constructor(server: string, dispatcher: Dispatcher, headers: Record<string, string>) {
    this.#server = server;
    this.#headers = headers;
    this.#dispatcher = dispatcher;
  }

  /** @returns undefined when there is no such object */
  async get<T extends KubeObject>(kind: Kind, name: string, namespace?: string): Promise<T | undefined> {
    try {
      return (await this.#send("GET", `${await this.collection(kind, namespace)}/${name}`)) as T;
    } catch (error) {
      if (error instanceof ApiError && error.statusCode === 404) return undefined;
      throw error;
    }
  }

  /** Objects of one namespace, or of all. Lists leave out `apiVersion` and `kind` of their items: they are put back. */
  async list<T extends KubeObject>(
    kind: Kind,
    namespace?: string,
  ): Promise<{ metadata: { resourceVersion?: string }; items: T[] }> {
    const list = (await this.#send("GET", await this.collection(kind, namespace))) as {
      metadata: { resourceVersion?: string };
      items: T[];
    };
    return {
      metadata: list.metadata,
      items: list.items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })),
    };
  }

  /**
   * Server-side apply: the fields given become these, whoever set them before.
   * @param manager field manager; what it applied before and leaves out now is removed
   * @param subresource `status` to write the status alone
   */
  async apply<T extends KubeObject>(object: T, manager: string, subresource?: "status"): Promise<T> {
    const collection = await this.collection(object, object.metadata.namespace);
    const path = [collection, object.metadata.name, ...(subresource ? [subresource] : [])].join("/");
    const query = { fieldManager: manager, force: true, fieldValidation: "Strict" };
    return (await this.#send("PATCH", path, object, query)) as T;
  }

  /** Creates an object; does nothing when one of its name is there. */
  async createIfMissing(object: KubeObject, manager: string): Promise<void> {
    try {
      const path = await this.collection(object, object.metadata.namespace);
      await this.#send("POST", path, object, { fieldManager: manager, fieldValidation: "Strict" });
    } catch (error) {
      if (!(error instanceof ApiError && error.statusCode === 409)) throw error;
    }
  }

  /** Deletes an object; does nothing when it is gone. */
  async delete(object: KubeObject): Promise<void> {
    try {
      await this.#send("DELETE", `${await this.collection(object, object.metadata.namespace)}/${object.metadata.name}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.statusCode === 404)) throw error;
    }
  }

  /** Reads any path of the API, for example `/openapi/v3`. */
  read(path: string): Promise<unknown> {
    return this.#send("GET", path);
  }

  /**
   * Path of all objects of a kind, as the API server's discovery has it.
   * @throws ApiError 404 when the server does not have the kind (yet)
   */
  async collection({ apiVersion, kind }: Kind, namespace?: string): Promise<string> {
    const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let resource = this.#resources.get(apiVersion)?.find((known) => known.kind === kind);
    if (!resource) {
      const { resources } = (await this.#send("GET", base)) as { resources: ApiResource[] };
      const kinds = resources.filter(({ name }) => !name.includes("/"));
      this.#resources.set(apiVersion, kinds);
      resource = kinds.find((known) => known.kind === kind);
    }
    if (!resource) throw new ApiError(404, `The API server has no kind ${kind} in ${apiVersion}.`);
    const scope = resource.namespaced && namespace ? `/namespaces/${namespace}` : "";
    return `${base}${scope}/${resource.name}`;
  }

  /**
   * Events of all objects of a kind after a version, until the server ends the watch, as it does now and then.
   * @throws ApiError 410 when the version is too old: list again
   */
  async *watch(kind: Kind, resourceVersion: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const query = { watch: true, allowWatchBookmarks: true, resourceVersion };
    const response = await this.#request("GET", await this.collection(kind), undefined, query, signal);
    if (response.statusCode >= 300) throw new ApiError(response.statusCode, reason(await response.body.text()));
    for await (const line of lines(response.body)) {
      const event = JSON.parse(line) as WatchEvent | { type: "ERROR"; object: { code: number; message: string } };
      if (event.type === "ERROR") throw new ApiError(event.object.code, event.object.message);
      yield event;
    }
  }

  async #send(method: Dispatcher.HttpMethod, path: string, body?: object, query: Query = {}): Promise<unknown> {
    const response = await this.#request(method, path, body, query);
    const text = await response.body.text();
    if (response.statusCode < 300) return text ? JSON.parse(text) : undefined;
    throw new ApiError(response.statusCode, `${method} ${path}: ${reason(text) || response.statusCode}`);
  }

  #request(method: Dispatcher.HttpMethod, path: string, body: object | undefined, query: Query, signal?: AbortSignal) {
    const contentType = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
    return request(new URL(path, this.#server), {
      method,
      query,
      signal,
      dispatcher: this.#dispatcher,
      headers: { ...this.#headers, accept: "application/json", ...(body && { "content-type": contentType }) },
      body: body && JSON.stringify(body),
    });
  }
}

async function* lines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

/** The message of a `Status` answer, or the text as it came. */
function reason(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}

/** Reference that makes `owner` the controller of an object: it is collected with its owner. */
export function controlledBy(owner: KubeObject): OwnerReference {
  const { apiVersion, kind } = owner;
  const { name, uid } = owner.metadata;
  if (!uid) throw new Error(`${kind} ${name} has no uid: it was not read from the API server.`);
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** An object's kind and name, to which a status is added to apply it. */
export function identity({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace } };
}
