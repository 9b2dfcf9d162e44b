import { Agent, request } from "node:https";
import { json } from "node:stream/consumers";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { ApiClient, ApiError } from "@hearth-platform/sandbox/kubernetes/api";
import { Discovery } from "@hearth-platform/sandbox/kubernetes/discovery";
import { type Connection, connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import type { Reference } from "@hearth-platform/sandbox/kubernetes/objects";

/** What an API server says of an object. */
export interface Trial {
  /** As it would be stored; nothing where it is refused. */
  readonly stored?: KubernetesObject & { readonly spec?: unknown };
  readonly refusal?: string;
  readonly warnings: readonly string[];
}

type Answer = KubernetesObject & { message?: string };

const fieldManager = "hearth-test";

/** The tests' API server, with the warnings that clients else drop. */
export class TestCluster {
  readonly #connection: Connection;
  readonly #agent: Agent;
  readonly #api: ApiClient;
  readonly #discovery: Discovery;

  /** @param kubeconfig file; its current context is used */
  constructor(kubeconfig: string) {
    this.#connection = connectionOf(loadKubeconfig(kubeconfig));
    this.#agent = new Agent({ ...this.#connection.tls, keepAlive: true, maxSockets: 8 });
    this.#api = new ApiClient(this.#connection);
    this.#discovery = new Discovery(this.#api);
  }

  /** A dry run of a server-side apply with strict fields, through all admission. @param dryRun false: it is stored */
  async apply(object: KubernetesObject, { dryRun = true } = {}): Promise<Trial> {
    const url = new URL(this.#connection.server + (await this.#discovery.path(object as Reference)));
    const query = { fieldManager, force: "true", fieldValidation: "Strict", ...(dryRun && { dryRun: "All" }) };
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const { status, warnings, answer } = await this.#patch(url, JSON.stringify(object));
    return status < 300 ? { stored: answer, warnings } : { refusal: answer.message ?? String(status), warnings };
  }

  #patch(url: URL, body: string): Promise<{ status: number; warnings: string[]; answer: Answer }> {
    const headers = { "content-type": "application/apply-patch+yaml", ...this.#connection.headers };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: "PATCH", agent: this.#agent, headers }, (response) => {
        const { statusCode: status = 0, headers } = response;
        const warnings = [headers.warning ?? []].flat();
        json(response).then((answer) => resolve({ status, warnings, answer: answer as Answer }), reject);
      });
      sent.on("error", reject).end(body);
    });
  }

  /** Stores an object; does nothing where one of its name is there. */
  async create(object: KubernetesObject): Promise<void> {
    const collection = await this.#discovery.collection(object, object.metadata.namespace);
    await this.#api.request("POST", collection, { body: object }).catch(unless(409));
  }

  /** Deletes an object; does nothing where it is gone. */
  async delete(object: KubernetesObject): Promise<void> {
    await this.#api.request("DELETE", await this.#discovery.path(object as Reference)).catch(unless(404));
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.#api.close();
  }
}

function unless(code: number) {
  return (error: unknown) => {
    if (!(error instanceof ApiError && error.code === code)) throw error;
  };
}
