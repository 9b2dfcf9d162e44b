import type { IncomingMessage } from "node:http";

/** `late`: not all came in time. `broken`: the caller went away. */
export type BodyEnd = "complete" | "too_large" | "late" | "broken";

/** One megabyte over the largest body of a provider (GitHub and GitLab, 25 MB). */
export const bodyLimit = 26 * 1024 * 1024;
const bodyWithin = 8_000;

/** Whether the call says itself that its body is larger than is taken. */
export function declaresTooLarge(incoming: IncomingMessage, limit: number = bodyLimit): boolean {
  return Number(incoming.headers["content-length"] ?? 0) > limit;
}

/**
 * Reads the body to its end and throws it away: a caller that is answered sooner finds its connection cut, and the answer
 * may be lost with it. `each` sees every part, up to the limit.
 */
export function drainBody(
  incoming: IncomingMessage,
  each?: (part: Buffer) => void,
  limit: number = bodyLimit,
): Promise<BodyEnd> | undefined {
  const { headers } = incoming;
  const none = headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
  if (none) return undefined;
  return new Promise((resolve) => {
    let size = 0;
    const end = (how: BodyEnd): void => {
      clearTimeout(timer);
      incoming.off("data", take);
      resolve(how);
    };
    const tooLarge = () => size > limit && "too_large";
    const timer = setTimeout(() => end(tooLarge() || "late"), bodyWithin);
    function take(part: Buffer): void {
      size += part.length;
      if (size <= limit) each?.(part);
    }
    incoming.on("data", take);
    incoming.on("end", () => end(tooLarge() || "complete"));
    incoming.on("error", () => end("broken"));
    incoming.on("close", () => end("broken"));
  });
}
