/** Which REST resource a kind is. */
import { type ApiClient, ApiError } from "./api.ts";
import type { KubernetesObject } from "./objects.ts";

/** A kind is not served: its CustomResourceDefinition is missing, or not there yet. */
export class NoMatchError extends Error {
  constructor(apiVersion: string, kind: string) {
    super(`no matches for kind "${kind}" in version "${apiVersion}"`);
    this.name = "NoMatchError";
  }
}

/** Names an object without saying anything about it. */
export interface Reference {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

interface Resource {
  name: string;
  kind: string;
  namespaced: boolean;
}

/**
 * The API server's resources, asked for once per group and version, and again when a kind is missing (its definition
 * may be new).
 */
export class Discovery {
  readonly #api: ApiClient;
  readonly #resources = new Map<string, Promise<Resource[]>>();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** The resource of a kind. Throws {@link NoMatchError}. */
  async resource(apiVersion: string, kind: string): Promise<Resource> {
    const cached = this.#resources.has(apiVersion);
    const find = async () => (await this.#list(apiVersion)).find((resource) => resource.kind === kind);
    let found = await find();
    if (!found && cached) {
      this.#resources.delete(apiVersion);
      found = await find();
    }
    if (!found) {
      this.#resources.delete(apiVersion);
      throw new NoMatchError(apiVersion, kind);
    }
    return found;
  }

  /** The path of a kind's objects in a namespace, or in the cluster. */
  async collection(apiVersion: string, kind: string, namespace?: string): Promise<string> {
    const { name, namespaced } = await this.resource(apiVersion, kind);
    return `${groupVersionPath(apiVersion)}${namespaced ? `/namespaces/${namespace || "default"}` : ""}/${name}`;
  }

  /** The path of one object. */
  async path({ apiVersion, kind, metadata }: Reference | KubernetesObject): Promise<string> {
    return `${await this.collection(apiVersion, kind, metadata.namespace)}/${metadata.name}`;
  }

  #list(apiVersion: string): Promise<Resource[]> {
    const known = this.#resources.get(apiVersion);
    if (known) return known;
    const listed = this.#api.get<{ resources: Resource[] }>(groupVersionPath(apiVersion)).then(
      ({ resources }) => resources.filter(({ name }) => !name.includes("/")),
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 404) return [];
        this.#resources.delete(apiVersion);
        throw error;
      },
    );
    this.#resources.set(apiVersion, listed);
    return listed;
  }
}

function groupVersionPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
