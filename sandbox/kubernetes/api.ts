/** The Kubernetes API over HTTP: requests with bounded retries, and watches. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, request } from "undici";
import type { Connection } from "./kubeconfig.ts";
import type { KubernetesObject, WatchEvent } from "./objects.ts";

/** Why the API server did not do it: the fields of its `Status` object that are read here. */
interface Status {
  message?: string;
  reason?: string;
  details?: { kind?: string; name?: string };
}

/**
 * An answer of the API server that is not a success, with the `Status` object's fields; the message is the server's
 * own.
 */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: NonNullable<Status["details"]>;

  constructor(code: number, status: Status) {
    super(status.message ?? `the API server answered ${code}`);
    this.name = "ApiError";
    this.code = code;
    this.reason = status.reason ?? "";
    this.details = status.details ?? {};
  }
}

/** The API server can't be reached, or not for as long as is waited. */
export class UnreachableError extends Error {}

/** Parameters of one request; `query` values that are undefined are left out. */
export interface RequestOptions {
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** @default "application/json" */
  contentType?: string;
  signal?: AbortSignal;
}

/** A client of one API server. Close it, or the process stays alive for its idle connections. */
export class ApiClient {
  readonly #connection: Connection;
  readonly #requests: Agent;
  // A watch holds its connection, so watches must not use up those of the requests.
  readonly #watches: Agent;

  readonly #unreachableAfter: number;

  /** `unreachableAfter`: for how long a server that can't be reached is tried again, in milliseconds; 0 is not at all. */
  constructor(connection: Connection, { unreachableAfter = 10_000 } = {}) {
    this.#connection = connection;
    this.#unreachableAfter = unreachableAfter;
    // HTTP/1.1: undici ends an idle HTTP/2 session with an error that nothing can catch, and the process with it.
    const common = { connect: connection.tls, allowH2: false };
    this.#requests = new Agent({ ...common, connections: 16 });
    this.#watches = new Agent({ ...common, bodyTimeout: 0 });
  }

  get<T = KubernetesObject>(path: string, options?: RequestOptions): Promise<T> {
    return this.request<T>("GET", path, options);
  }

  /**
   * One request. A refused connection is tried again for a while, as are answers that say «not now»; a connection that
   * broke in between only where doing it twice does no harm. Throws {@link ApiError} or {@link UnreachableError}.
   */
  async request<T = KubernetesObject>(
    method: Dispatcher.HttpMethod,
    path: string,
    options: RequestOptions = {},
  ): Promise<T> {
    const deadline = Date.now() + this.#unreachableAfter;
    for (let pause = 100; ; pause = Math.min(2 * pause, 1_000)) {
      try {
        return await this.#once<T>(method, path, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!isTransient(error, method !== "POST")) throw error;
        if (Date.now() + pause > deadline) throw error instanceof ApiError ? error : this.#unreachable(error);
        await sleep(pause, undefined, { signal: options.signal });
      }
    }
  }

  /**
   * The changes since a list; ends when the server ends the watch. Throws {@link ApiError} when it refuses, with code 410
   * when the list is too old.
   */
  async *watch(path: string, query: Record<string, string>, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const { body, statusCode } = await this.#send(
      "GET",
      path,
      { query: { ...query, watch: "true" }, signal },
      this.#watches,
    );
    if (statusCode >= 300) throw new ApiError(statusCode, await statusOf(body));
    let rest = "";
    for await (const chunk of body.setEncoding("utf8")) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!line) continue;
        const event = JSON.parse(line) as WatchEvent | { type: "ERROR"; object: Status & { code: number } };
        if (event.type === "ERROR") throw new ApiError(event.object.code, event.object);
        yield event;
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#watches.destroy()]);
  }

  async #once<T>(method: Dispatcher.HttpMethod, path: string, options: RequestOptions): Promise<T> {
    const { body, statusCode } = await this.#send(method, path, options, this.#requests);
    if (statusCode >= 300) throw new ApiError(statusCode, await statusOf(body));
    return (await body.json()) as T;
  }

  #send(
    method: Dispatcher.HttpMethod,
    path: string,
    { query = {}, body, contentType, signal }: RequestOptions,
    dispatcher: Agent,
  ) {
    const url = new URL(this.#connection.server.replace(/\/$/, "") + path);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
    return request(url, {
      method,
      dispatcher,
      signal,
      headers: {
        accept: "application/json",
        ...this.#connection.headers,
        ...(body !== undefined && { "content-type": contentType ?? "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  #unreachable(error: unknown): Error {
    const cause = error instanceof Error ? error.message : String(error);
    return new UnreachableError(`the Kubernetes API server ${this.#connection.server} can't be reached: ${cause}`, {
      cause: error,
    });
  }
}

const REFUSED = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];
const BROKEN = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/**
 * Whether trying again may help: the server is not there (yet), or, where repeating is harmless, the connection broke.
 */
export function isTransient(error: unknown, repeatable = true): boolean {
  if (error instanceof ApiError) return error.code === 429 || error.code === 503;
  return REFUSED.includes(codeOf(error)) || (repeatable && isBroken(error));
}

/** Whether the connection broke after the request was sent: it may have been done. */
export function isBroken(error: unknown): boolean {
  return BROKEN.includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

async function statusOf(body: Dispatcher.ResponseData["body"]): Promise<Status> {
  const text = await body.text();
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { message: text.trim() };
  }
}
