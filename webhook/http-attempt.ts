import { type Agent, type IncomingHttpHeaders, type RequestOptions, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";

/** How long one attempt may take, in milliseconds. */
export interface AttemptTimes {
  readonly connect: number;
  readonly headers: number;
  readonly total: number;
}

/** `unsent` and `reset`: the connection could not be made, or broke before an answer; `untrusted`: the certificate is not of our CA. */
export type Fault = "unsent" | "reset" | "untrusted" | "timeout" | "garbage";

export type Attempt =
  | {
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly rawHeaders: readonly string[];
      readonly body: Buffer;
    }
  | { readonly fault: Fault; readonly reusedSocket: boolean };

/** More than this of an answer is not read. */
const answerLimit = 1024 * 1024;

const untrusted = /^(?:CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET))/;
const unsent = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|ECONNTIMEOUT)$/;
const reset = /^(?:ECONNRESET|EPIPE|ECONNABORTED)$/;

function faultOf(code: string | undefined): Fault {
  if (code === undefined) return "reset";
  if (untrusted.test(code)) return "untrusted";
  if (unsent.test(code)) return "unsent";
  if (code === "ETIMEDOUT") return "timeout";
  return reset.test(code) ? "reset" : "garbage";
}

function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

/** Sends one request, by TLS unless its protocol is `http:`, and reads its whole answer. Never rejects. */
export function attempt(
  options: RequestOptions & { agent: Agent },
  body: string | Buffer,
  times: AttemptTimes,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const plain = options.protocol === "http:";
    const call = plain ? requestPlain(options) : requestSecure(options);
    const begun = performance.now();
    let due = begun + Math.min(times.headers, times.total);
    let lateCode = "ETIMEDOUT";
    // What has more time than the timer that runs is found out when that one rings: a request that goes well arms one timer.
    const check = (): void => {
      const left = due - performance.now();
      if (left > 0) timer = setTimeout(check, left);
      else call.destroy(failure(lateCode));
    };
    let timer = setTimeout(check, Math.min(times.headers, times.total));
    const finish = (outcome: Attempt): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const fail = (fault: NodeJS.ErrnoException): void =>
      finish({ fault: faultOf(fault.code), reusedSocket: call.reusedSocket });
    const awaitConnection = (): void => {
      lateCode = "ECONNTIMEOUT";
      due = Math.min(performance.now() + times.connect, begun + times.total);
      clearTimeout(timer);
      check();
    };
    const awaitHeaders = (): void => {
      lateCode = "ETIMEDOUT";
      due = Math.min(performance.now() + times.headers, begun + times.total);
    };

    call.on("socket", (socket) => {
      if (!socket.connecting) return;
      awaitConnection();
      socket.once(plain ? "connect" : "secureConnect", awaitHeaders);
    });
    call.on("error", fail);
    call.on("response", (response) => {
      due = begun + times.total;
      const parts: Buffer[] = [];
      let size = 0;
      response.on("data", (part: Buffer) => {
        size += part.length;
        if (size > answerLimit) call.destroy(failure("TOO_LARGE"));
        else parts.push(part);
      });
      response.on("error", fail);
      response.on("end", () => {
        const { statusCode: status = 0, headers, rawHeaders } = response;
        finish({ status, headers, rawHeaders, body: Buffer.concat(parts) });
      });
    });
    call.end(body);
  });
}
