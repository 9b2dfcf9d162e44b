import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { Exec, type V1Status } from "@kubernetes/client-node";
import type { ClusterChoice } from "../../settings/cluster-choice.ts";
import { loadKubeconfig } from "./kubeconfig.ts";

/** A container of a pod. */
export interface PodPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** How a command ended. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in a container, as `kubectl exec` does.
 * @param limit longest time of it, in milliseconds; the command itself is not ended then
 * @throws Error where it could not be run, or its end is not known
 */
export async function runInPod(
  choice: ClusterChoice,
  { namespace, pod, container }: PodPlace,
  command: readonly string[],
  limit: number,
  environment = process.env,
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const signal = AbortSignal.timeout(limit);
  let status: V1Status | undefined;
  let socket: Awaited<ReturnType<Exec["exec"]>> | undefined;
  try {
    const exec = new Exec(loadKubeconfig(choice, environment));
    socket = await Promise.race([
      exec.exec(namespace, pod, container, [...command], stdout, stderr, null, false, (found) => {
        status = found;
      }),
      once(signal, "abort").then(() => Promise.reject(new Error("the API server does not answer"))),
    ]);
    await once(socket, "close", { signal });
  } catch (error) {
    throw signal.aborted && socket ? new Error(`it has not ended after ${limit / 1000} s`) : new Error(reasonOf(error));
  } finally {
    socket?.close();
    stdout.end();
    stderr.end();
  }
  if (!status) throw new Error("the connection broke before it ended");
  const [out, err] = await said;
  return { status: exitStatus(status), stdout: out, stderr: err };
}

/** @throws Error where the command was never begun */
function exitStatus({ status, message, details }: V1Status): number {
  if (status === "Success") return 0;
  const code = Number(details?.causes?.find(({ reason }) => reason === "ExitCode")?.message);
  if (Number.isInteger(code)) return code;
  throw new Error(message ?? "the API server does not say how it ended");
}

function reasonOf(error: unknown): string {
  const { message } = error as { message?: string };
  return message?.replace(/^Unexpected server response: 403$/, "the API server refuses it (403)") || String(error);
}
