import { createProgress } from "@hearth-platform/sandbox/progress";
import { stopSandbox } from "@hearth-platform/sandbox/sandbox";

/** Stops the sandbox. */
export function stop(): Promise<void> {
  return stopSandbox(undefined, createProgress());
}
