import { type Agent as HttpAgent, request as sendHttp } from "node:http";
import { type RequestOptions, request as sendHttps } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { ClusterChoice } from "../../settings/cluster-choice.ts";
import { type SignedIn, signIn } from "./sign-in.ts";

/** How a cluster serves a kind. */
export interface Kind {
  /** Its word in paths, e.g. `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** An object that may get its name where it is made. */
export type NewObject = Omit<KubernetesObject, "metadata"> & {
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string };
};

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

/** No answer of the API server. */
export class Unreachable extends Error {}

interface Status {
  readonly message?: string;
  readonly details?: { readonly kind?: string } | null;
}

/** The API server's answer at `/version`. */
export interface Version {
  /** e.g. `v1.34.2`. */
  readonly gitVersion: string;
  readonly major: string;
  readonly minor: string;
}

/** How often and how long a busy API server is asked again: 429 and 503, in milliseconds. */
const pauses = [200, 500, 1_000, 2_000];

/** Longest time of a request, in milliseconds. */
const patience = 30_000;

/** The API server of a kubeconfig's context, signed in to as kubectl signs in: certificates, tokens, OIDC, programs. */
export class LiveCluster {
  /** Where it is. */
  readonly server: string;
  readonly #context: string;
  readonly #options: RequestOptions;
  readonly #patience: number;
  readonly #kinds = new Map<string, Promise<Map<string, Kind>>>();
  #version: Version = { gitVersion: "", major: "", minor: "" };
  #date: Date | undefined;

  /**
   * @param limit longest time of a request, in milliseconds
   * @throws Error where there is no such cluster, the sign-in fails, or nothing answers
   */
  static async open(choice: ClusterChoice, environment = process.env, limit = patience): Promise<LiveCluster> {
    const signedIn = await signIn(choice, environment);
    const cluster = new LiveCluster(signedIn, limit);
    try {
      cluster.#version = await cluster.#request<Version>("GET", "/version");
    } catch (error) {
      cluster.close();
      if (error instanceof Refusal && error.code === 401) throw notAccepted(signedIn, error);
      if (error instanceof Unreachable && !error.message.includes("Get the kubeconfig"))
        throw new Unreachable(`${error.message} See whether it runs, and whether this context is the right one.`, {
          cause: error,
        });
      throw error;
    }
    return cluster;
  }

  private constructor({ server, context, options }: SignedIn, limit: number) {
    this.#context = context;
    this.server = server.replace(/\/$/, "");
    this.#patience = limit;
    this.#options = options;
  }

  get version(): Version {
    return this.#version;
  }

  /** The clock of the API server as it last answered. */
  get date(): Date | undefined {
    return this.#date;
  }

  /** How the cluster serves a kind; undefined where it does not. */
  async kind({ apiVersion, kind }: Pick<KubernetesObject, "apiVersion" | "kind">): Promise<Kind | undefined> {
    const known = this.#kinds.get(apiVersion) ?? this.#kindsOf(apiVersion);
    this.#kinds.set(apiVersion, known);
    return (await known).get(kind);
  }

  /** Path at which objects of this one's kind are listed, in its namespace if the kind has them; undefined where the cluster does not serve it. */
  async listPath(object: KubernetesObject): Promise<string | undefined> {
    const kind = await this.kind(object);
    return kind && collectionOf(object, kind);
  }

  /** The live object of the same name, or undefined if there is none. */
  async get(object: KubernetesObject, kind: Kind): Promise<KubernetesObject | undefined> {
    return this.read(pathOf(object, kind));
  }

  /** The object at a path of the API, or undefined if there is none. @throws Refusal of any other kind */
  async read<T>(path: string, accept?: string): Promise<T | undefined> {
    try {
      return await this.#request<T>("GET", path, undefined, accept);
    } catch (error) {
      if (error instanceof Refusal && error.code === 404) return undefined;
      throw error;
    }
  }

  /** The text at a path of the API, such as the log of a container. @throws Refusal where there is none, or the caller may not read it */
  async readText(path: string): Promise<string> {
    return this.#answer("GET", path, undefined, "text/plain, */*");
  }

  /** Asks for a review, which keeps nothing: its answer. */
  async review<T>(review: { readonly apiVersion: string; readonly kind: string; readonly spec: object }): Promise<T> {
    const plural = `${review.kind.toLowerCase()}s`;
    return this.#request<T>("POST", `${groupPath(review.apiVersion)}/${plural}`, review);
  }

  /**
   * A server-side apply with strict fields of which nothing is kept. Fields that another manager owns are taken.
   * @returns the object as it would be
   * @throws Refusal where the API server would not take the object
   */
  async tryApply(object: KubernetesObject, kind: Kind, fieldManager: string): Promise<KubernetesObject> {
    return this.#apply(object, kind, { fieldManager, dryRun: "All" });
  }

  /** The same, and the object is kept: made where there is none. @throws Refusal where the API server does not take it */
  async apply(object: KubernetesObject, kind: Kind, fieldManager: string): Promise<KubernetesObject> {
    return this.#apply(object, kind, { fieldManager });
  }

  /** A create with strict fields of which nothing is kept. @throws Refusal where the API server would not take the object */
  async tryCreate(object: KubernetesObject, kind: Kind, fieldManager: string): Promise<KubernetesObject> {
    const query = new URLSearchParams({ fieldManager, dryRun: "All", fieldValidation: "Strict" });
    return this.#request("POST", `${collectionOf(object, kind)}?${query}`, object);
  }

  close(): void {
    (this.#options.agent as HttpAgent).destroy();
  }

  /** Makes an object; a `generateName` gets its name. @throws Refusal where the API server does not take it */
  async create(object: NewObject, kind: Kind): Promise<KubernetesObject> {
    return this.#request("POST", collectionOf(object, kind), object);
  }

  async #apply(object: KubernetesObject, kind: Kind, query: Record<string, string>): Promise<KubernetesObject> {
    const all = new URLSearchParams({ ...query, force: "true", fieldValidation: "Strict" });
    return this.#request("PATCH", `${pathOf(object, kind)}?${all}`, object);
  }

  async #kindsOf(apiVersion: string): Promise<Map<string, Kind>> {
    const list = await this.read<ResourceList>(groupPath(apiVersion));
    // A subresource, such as deployments/scale, has a kind of its own.
    const whole = (list?.resources ?? []).filter(({ name }) => !name.includes("/"));
    return new Map(whole.map(({ kind, name, namespaced }) => [kind, { plural: name, namespaced }]));
  }

  async #request<T>(method: string, path: string, body?: object, accept = "application/json"): Promise<T> {
    return JSON.parse(await this.#answer(method, path, body, accept)) as T;
  }

  async #answer(method: string, path: string, body: object | undefined, accept: string): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const { code, text } = await this.#send(method, path, body, accept);
      if (code < 300) return text;
      const pause = pauses[attempt];
      if (pause === undefined || (code !== 429 && code !== 503)) throw new Refusal(code, statusOf(text));
      await sleep(pause);
    }
  }

  async #send(method: string, path: string, body: object | undefined, accept: string) {
    const url = new URL(this.server + path);
    const type = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
    const options: RequestOptions = {
      ...this.#options,
      method,
      headers: { ...this.#options.headers, accept, ...(body && { "content-type": type }) },
      signal: AbortSignal.timeout(this.#patience),
    };
    try {
      return await new Promise<{ code: number; text: string }>((resolve, reject) => {
        const send = url.protocol === "http:" ? sendHttp : sendHttps;
        const sent = send(url, options, (response) => {
          this.#date = response.headers.date === undefined ? undefined : new Date(response.headers.date);
          text(response).then((answer) => resolve({ code: response.statusCode ?? 0, text: answer }), reject);
        });
        sent.on("error", reject).end(body && JSON.stringify(body));
      });
    } catch (error) {
      const where = `The Kubernetes API server ${this.server} of context "${this.#context}"`;
      throw new Unreachable(`${where} can't be reached: ${reasonOf(error)}.`, { cause: error });
    }
  }
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

function pathOf(object: KubernetesObject, kind: Kind): string {
  return `${collectionOf(object, kind)}/${encodeURIComponent(object.metadata.name)}`;
}

function collectionOf(
  { apiVersion, metadata: { namespace = "default" } }: NewObject,
  { plural, namespaced }: Kind,
): string {
  const parts = [...(namespaced ? ["namespaces", namespace] : []), plural];
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

function notAccepted({ server, context, user }: SignedIn, { message }: Refusal): Error {
  const said = message.replace(/\.$/, "");
  return new Error(
    `The Kubernetes API server ${server} does not accept the user "${user}" of context "${context}": ${said}. Sign in again, or choose another context.`,
  );
}

/** What OpenSSL finds where nobody that is trusted has signed a certificate: Node's words for it advise on Node alone. */
const untrusted = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF).*)$/;

/** The reason why a request failed. If several addresses were tried, the reason of the first. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (untrusted.test(code ?? ""))
    return "the kubeconfig's certificate authority has not signed its certificate. Get the kubeconfig of this cluster again";
  return name === "AbortError" || name === "TimeoutError" ? "it does not answer" : message || String(code);
}
