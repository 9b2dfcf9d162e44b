import type { Answerer, PublicRequest } from "@hearth-platform/cli/smoke/requests";

/**
 * Requests from outside and what becomes of them. A row says nothing of what routes it: the same rows go through every proxy that a
 * stack can be rendered for.
 */

/** Backends by what smoke's table calls them. */
type Backends = Readonly<Partial<Record<Answerer, string>>>;

/** A request as it leaves the caller. */
export interface Ask {
  /** `https://host/path`: taken to the letter, so dots and doubled slashes of the path arrive. */
  readonly url: string;
  /** @default GET */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of a body. @default none */
  readonly body?: number;
  /** Whether the body is sent in chunks, without its length. @default false */
  readonly chunked?: boolean;
  /** Address of the caller. @default 127.0.0.1 */
  readonly from?: string;
  /** Name the caller asks a certificate for. @default the host */
  readonly serverName?: string;
  /** Entry point. @default websecure, by HTTP web */
  readonly entry?: string;
  /** @default "1.1" */
  readonly http?: "1.1" | "2";
  /** Asks for a WebSocket, and says a word in it that comes back. @default false */
  readonly webSocket?: boolean;
}

/** What must become of it. What is not said is not looked at, but for `backend`. */
export interface Fate {
  /** Namespace, Service and port that get it, `team/office:9980`. @default none gets it */
  readonly backend?: string;
  /** @default 200; 101 of a WebSocket; 404 without backend */
  readonly status?: number;
  /** Path and query as the backend gets them. @default as asked */
  readonly path?: string;
  /** Headers the backend gets; an expression, or undefined for one that must not come. */
  readonly sees?: Readonly<Record<string, RegExp | string | undefined>>;
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, RegExp | string | undefined>>;
  /** A name of the certificate; false: none that the caller trusts. @default the host's or its wildcard */
  readonly certificate?: string | false;
}

/** What stacks can be rendered for. */
export const kinds = ["traefik", "gateway"] as const;
export type Kind = (typeof kinds)[number];

/** Kinds of rendering that can't do what a row wants: why, and what becomes of the request instead. */
export type Exceptions = Readonly<Partial<Record<Kind, { readonly why: string; readonly fate: Fate }>>>;

/** A request and its fate. */
export interface Row {
  readonly name: string;
  readonly ask: Ask;
  readonly fate: Fate;
  readonly except?: Exceptions;
}

/** A wildcard of the Gateway API, which no certificate of ours covers as far. */
export const anyLabels = { why: "A wildcard is any number of labels." };

/** A redirect of the Gateway API, whose status is the same for every method. */
export function redirectedOnce(location: string): Exceptions {
  return {
    gateway: { why: "A redirect has one status for all methods.", fate: { status: 301, headers: { location } } },
  };
}

/** A row named by its request, and by `more` where that does not tell it from another. */
export function row(ask: Ask, fate: Fate, more?: string, except?: Exceptions): Row {
  const { method = "GET", url, webSocket, entry, http } = ask;
  const words = [method, url, webSocket && "as a WebSocket", http === "2" && "by HTTP/2", entry && `at ${entry}`, more];
  return { name: words.filter(Boolean).join(" "), ask, fate, ...(except && { except }) };
}

/** A rule of the Gateway API without a backend. */
export const unanswered: Exceptions = {
  gateway: { why: "Traefik answers a rule without a backend with 503.", fate: { status: 503 } },
};

/** Rows of one host, by HTTPS. */
export function host(name: string) {
  const url = (path: string) => `https://${name}${path}`;
  return {
    /** Each path goes to the backend as it is. */
    to: (backend: string, ...paths: string[]) => paths.map((path) => row({ url: url(path) }, { backend })),
    /** What smoke asks of the host, without a password, goes to these backends; what has no way in is answered as it says. */
    asked: (requests: readonly PublicRequest[], backends: Backends, more: Partial<Ask> = {}) =>
      requests
        .filter(({ signedIn }) => !signedIn)
        .map(({ path, method, headers, to, status, header }) => {
          const ask = { url: url(path), ...(method && { method }), ...(headers && { headers }), ...more };
          if (to !== undefined) return row(ask, { backend: backends[to] ?? `no backend for ${to}` });
          const [own, value] = header?.(name) ?? [];
          const fate = { ...(own && { status: status?.[0], headers: { [own]: value } }) } as Fate;
          return row(ask, fate, undefined, status?.includes(503) ? unanswered : undefined);
        }),
    /** Each first path goes to the backend as the second. */
    as: (backend: string, paths: Readonly<Record<string, string>>) =>
      Object.entries(paths).map(([path, seen]) => row({ url: url(path) }, { backend, path: seen })),
    /** No backend gets any of them. */
    nowhere: (...paths: string[]) => paths.map((path) => row({ url: url(path) }, {})),
    /** One row. */
    row: (path: string, ask: Partial<Ask>, fate: Fate, more?: string, except?: Exceptions) =>
      row({ url: url(path), ...ask }, fate, more, except),
  };
}
