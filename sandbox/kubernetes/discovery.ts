/** Which REST resource a kind is. */
import { type ApiClient, ApiError } from "./api.ts";
import type { Kind, KubernetesObject, Reference } from "./objects.ts";

/** A kind is not served: its CustomResourceDefinition is missing, or not there yet. */
export class NoMatchError extends ApiError {
  constructor({ apiVersion, kind }: Kind) {
    super(404, { message: `no matches for kind "${kind}" in version "${apiVersion}"` });
    this.name = "NoMatchError";
  }
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
  async resource({ apiVersion, kind }: Kind): Promise<Resource> {
    const cached = this.#resources.has(apiVersion);
    const find = async () => (await this.#list(apiVersion)).find((resource) => resource.kind === kind);
    let found = await find();
    if (!found && cached) {
      this.#resources.delete(apiVersion);
      found = await find();
    }
    if (!found) {
      this.#resources.delete(apiVersion);
      throw new NoMatchError({ apiVersion, kind });
    }
    return found;
  }

  /** The path of a kind's objects in a namespace, or in the cluster if the kind has none. */
  async collection(kind: Kind, namespace?: string): Promise<string> {
    const { name, namespaced } = await this.resource(kind);
    return `${groupVersionPath(kind)}${namespaced ? `/namespaces/${namespace || "default"}` : ""}/${name}`;
  }

  /** The path of all objects of a kind. */
  async allNamespaces(kind: Kind): Promise<string> {
    return `${groupVersionPath(kind)}/${(await this.resource(kind)).name}`;
  }

  /** The path of one object. */
  async path(object: Reference | KubernetesObject): Promise<string> {
    return `${await this.collection(object, object.metadata.namespace)}/${object.metadata.name}`;
  }

  #list(apiVersion: string): Promise<Resource[]> {
    const known = this.#resources.get(apiVersion);
    if (known) return known;
    const listed = this.#api.get<{ resources: Resource[] }>(groupVersionPath({ apiVersion })).then(
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

function groupVersionPath({ apiVersion }: Pick<Kind, "apiVersion">): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
