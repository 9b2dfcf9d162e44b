import type { Dispatcher } from "undici";
import { ApiClient, ApiError, type RequestOptions } from "./api.ts";
import { Discovery } from "./discovery.ts";
import { connectionOf, loadKubeconfig } from "./kubeconfig.ts";
import type { Kind, KubernetesList, KubernetesObject, WatchEvent } from "./objects.ts";

/**
 * Objects of any kind by their names, with strict server-side apply. The generated clients offer no field validation on
 * apply, open a connection a watch, and triple the memory of a process. It tries nothing again: who uses it comes back
 * to the matter anyway.
 */
export class KubeClient {
  readonly #api: ApiClient;
  readonly #discovery: Discovery;

  /** @param kubeconfig file; its current context is used */
  static fromKubeconfig(kubeconfig: string): KubeClient {
    return new KubeClient(new ApiClient(connectionOf(loadKubeconfig(kubeconfig)), { unreachableAfter: 0 }));
  }

  private constructor(api: ApiClient) {
    this.#api = api;
    this.#discovery = new Discovery(api);
  }

  /** @returns undefined when there is no such object. @throws ApiError of any other kind */
  async get<T extends KubernetesObject>(kind: Kind, name: string, namespace?: string): Promise<T | undefined> {
    try {
      return await this.#send<T>("GET", `${await this.#discovery.collection(kind, namespace)}/${name}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  /** Objects of one namespace, or of all. Lists leave out `apiVersion` and `kind` of their items: they are put back. */
  async list<T extends KubernetesObject>(kind: Kind, namespace?: string): Promise<KubernetesList<T>> {
    const path = namespace
      ? await this.#discovery.collection(kind, namespace)
      : await this.#discovery.allNamespaces(kind);
    const { metadata, items } = await this.#send<KubernetesList<T>>("GET", path);
    return { metadata, items: items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })) };
  }

  /**
   * Server-side apply: the fields given become these, whoever set them before.
   * @param manager field manager; what it applied before and leaves out now is removed
   * @param subresource `status` to write the status alone
   */
  async apply<T extends KubernetesObject>(object: T, manager: string, subresource?: "status"): Promise<T> {
    const path = await this.#discovery.path(object);
    const query = { fieldManager: manager, force: "true", fieldValidation: "Strict" };
    const contentType = "application/apply-patch+yaml";
    return this.#send<T>("PATCH", subresource ? `${path}/${subresource}` : path, { body: object, query, contentType });
  }

  /** Creates an object; does nothing when one of its name is there. @throws ApiError where the server refuses it */
  async createIfMissing(object: KubernetesObject, manager: string): Promise<void> {
    try {
      const path = await this.#discovery.collection(object, object.metadata.namespace);
      await this.#send("POST", path, { body: object, query: { fieldManager: manager, fieldValidation: "Strict" } });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409)) throw error;
    }
  }

  /** Deletes an object; does nothing when it is gone. @throws ApiError where the server refuses it */
  async delete(object: KubernetesObject): Promise<void> {
    try {
      await this.#send("DELETE", await this.#discovery.path(object));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404)) throw error;
    }
  }

  /** Reads any path of the API, for example `/openapi/v3`. */
  read(path: string): Promise<unknown> {
    return this.#send("GET", path);
  }

  /**
   * Events of all objects of a kind after a version, until the server ends the watch, as it does now and then.
   * @throws ApiError 410 when the version is too old: list again
   */
  async *watch(kind: Kind, resourceVersion: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const query = { allowWatchBookmarks: "true", resourceVersion };
    yield* this.#api.watch(await this.#discovery.allNamespaces(kind), query, signal);
  }

  async #send<T>(method: Dispatcher.HttpMethod, path: string, options?: RequestOptions): Promise<T> {
    try {
      return await this.#api.request<T>(method, path, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, reason, details, message } = error;
      throw new ApiError(code, { message: `${method} ${path}: ${message}`, reason, details });
    }
  }
}
