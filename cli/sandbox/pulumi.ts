import { join } from "node:path";
import { sandboxStack } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { readPulumiArguments, pulumi as runPulumi } from "@hearth-platform/sandbox/pulumi-project";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type { Sandbox } from "@hearth-platform/sandbox/started-sandbox";
import type { Caller } from "../command.ts";
import { type FileBackend, releaseStale } from "../heal/file-backend.ts";

/** Runs the Pulumi CLI in the running sandbox and gives its exit status. */
export async function pulumi(args: readonly string[], { project }: Pick<Caller, "project">): Promise<number> {
  const sandbox = await openSandbox(undefined, createProgress());
  releaseStale(sandboxBackend(sandbox, readPulumiArguments(args).stack));
  return runPulumi(sandbox, args, { project });
}

/** Where the sandbox keeps the state of a stack. */
export function sandboxBackend({ paths }: Sandbox, stack = sandboxStack): FileBackend {
  return { folder: join(paths.pulumiState, ".pulumi"), project: "hearth", stack };
}
