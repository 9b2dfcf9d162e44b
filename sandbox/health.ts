import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Whether a server on this machine says that it is healthy.
 * Certificates are not checked: the control plane's parts sign their own, and the address is 127.0.0.1.
 * @param url a health endpoint, `http:` or `https:`
 */
export async function isHealthy(url: string): Promise<boolean> {
  // Commands that ask for no health start without it, a fifth sooner.
  const { Agent, request } = await import("undici");
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, timeout: 2_000 }, pipelining: 0 });
  try {
    const answer = await request(url, { dispatcher, headersTimeout: 5_000, bodyTimeout: 5_000 });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  } finally {
    await dispatcher.destroy();
  }
}

/** Whether something listens on 127.0.0.1:`port`. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const answer = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}

/**
 * Waits until `condition` holds.
 * @param timeoutMs gives up after this long
 * @returns whether it came true in time
 * @throws the signal's reason when it is aborted
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await delay(100, undefined, { signal });
  }
  return true;
}
