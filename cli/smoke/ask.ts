import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { connect as connectTcp } from "node:net";
import { connect as connectTls, getCACertificates } from "node:tls";

/** Where the hosts' ports are reached. */
export interface Ways {
  /** Address that is connected to for every host; undefined: what DNS says. */
  readonly address: string | undefined;
  readonly https: number;
  readonly http: number;
  readonly ssh: number;
  /** An authority that is trusted beside those of this machine, PEM. */
  readonly authority: string | undefined;
}

/** What came back to a request. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first of it, as text. */
  readonly body: string;
}

/** A host's certificate as a client sees it. */
export interface SeenCertificate {
  /** Why a client refuses it; undefined: it trusts it. */
  readonly refusal: string | undefined;
  /** Last moment of its validity, in milliseconds since the epoch. */
  readonly ends: number;
  readonly issuer: string;
}

/** What could not be sent or was not answered, in a sentence's words. */
export interface Unanswered {
  readonly failure: string;
}

/** Longest time of a request, in milliseconds. */
const patience = 15_000;
/** Most bytes of a body that are read. */
const most = 256 * 1024;

/** Those that this machine trusts anyway, by `NODE_EXTRA_CA_CERTS` too, and the one that is named. */
const authorities = ({ authority }: Ways) =>
  authority === undefined ? undefined : [...getCACertificates("default"), authority];

/** Asks for a host's certificate, as its clients do. */
export async function seeCertificate(host: string, ways: Ways): Promise<SeenCertificate | Unanswered> {
  const socket = connectTls({
    host: ways.address ?? host,
    port: ways.https,
    servername: host,
    ca: authorities(ways),
    rejectUnauthorized: false,
  });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(patience) });
    const { valid_to, issuer } = socket.getPeerCertificate();
    const refusal = socket.authorized ? undefined : wordsOf(socket.authorizationError);
    return { refusal, ends: Date.parse(valid_to), issuer: String(issuer?.CN ?? issuer?.O ?? "") };
  } catch (error) {
    return { failure: reasonOf(error) };
  } finally {
    socket.destroy();
  }
}

/** Sends requests to one host by HTTPS, on one connection; no redirect is followed. */
export function httpsCaller(host: string, ways: Ways, isTrusted: boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (method: string, path: string, headers: Readonly<Record<string, string>>) =>
      answered(() =>
        httpsRequest({
          ...{ agent, method, path, host: ways.address ?? host, port: ways.https, servername: host },
          ...{ ca: authorities(ways), rejectUnauthorized: isTrusted, headers: { host, ...headers } },
          signal: AbortSignal.timeout(patience),
        }),
      ),
    close: () => agent.destroy(),
  };
}

/** The answer of a host by plain HTTP. */
export function askPlainly(host: string, ways: Ways): Promise<Answered | Unanswered> {
  const signal = AbortSignal.timeout(patience);
  return answered(() =>
    httpRequest({ host: ways.address ?? host, port: ways.http, path: "/", headers: { host }, agent: false, signal }),
  );
}

/** The first line that a server says by itself, as SSH servers do. */
export async function greetingOf(host: string, ways: Ways): Promise<string | Unanswered> {
  const socket = connectTcp({ host: ways.address ?? host, port: ways.ssh });
  try {
    const [first] = (await once(socket, "data", { signal: AbortSignal.timeout(patience) })) as [Buffer];
    return first.toString("latin1").split(/\r?\n/)[0] ?? "";
  } catch (error) {
    return { failure: reasonOf(error) };
  } finally {
    socket.destroy();
  }
}

async function answered(open: () => ReturnType<typeof httpRequest>): Promise<Answered | Unanswered> {
  try {
    const request = open();
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > most) break;
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() };
  } catch (error) {
    return { failure: reasonOf(error) };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The reason why nothing came back. If several addresses were tried, that of the first. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { name, message, code } = error as NodeJS.ErrnoException;
  return name === "AbortError" || name === "TimeoutError" ? "it does not answer" : message || String(code);
}
