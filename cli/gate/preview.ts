import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problemFileVariable } from "@hearth-platform/hearth/core/problem-file";
import type { PolicyProfile } from "@hearth-platform/policy/core/stack-facts";
import { checkout } from "../command.ts";
import { runPulumi } from "../pulumi.ts";

/** Folder of the pack with all policies. */
const pack = join(checkout, "policy");

/** Which stack is previewed, and how. */
export interface PreviewRequest {
  /** Folder of Pulumi.yaml. */
  readonly project: string;
  readonly stack: string;
  /** On the running sandbox, with its state and credentials; else with the `pulumi` on PATH, logged in as the caller is. */
  readonly sandbox: boolean;
  /** The stack's settings in place of Pulumi.STACK.yaml. */
  readonly configFile?: string;
  /** Configuration of the policies. */
  readonly policyConfig?: string;
  /** Profile that the policies apply. @default the stack's own */
  readonly profile?: PolicyProfile;
}

/** Pulumi's answer. */
export interface PreviewOutput {
  /** The engine's events, a JSON object a line. */
  readonly events: string;
  /** What the program and the policies told, as data: a `ToldProblem` a line. */
  readonly problems: string;
  /** Pulumi's other output. */
  readonly error: string;
  readonly succeeded: boolean;
}

/** Previews a stack. */
export type Preview = (request: PreviewRequest) => Promise<PreviewOutput>;

/** `pulumi preview` with all policies, as events. @throws UsageError where there is no Pulumi */
export const preview: Preview = async ({ sandbox, project, ...request }) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-gate-"));
  const file = join(folder, "problems.jsonl");
  try {
    const { stdout, stderr, succeeded } = await runPulumi(previewArguments(request), {
      sandbox,
      project,
      env: { ...previewEnvironment(request), [problemFileVariable]: file },
    });
    return { events: stdout, problems: existsSync(file) ? readFileSync(file, "utf8") : "", error: stderr, succeeded };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The arguments of `pulumi`. */
export function previewArguments({
  stack,
  configFile,
  policyConfig,
}: Omit<PreviewRequest, "sandbox" | "project">): string[] {
  return [
    "preview",
    ...["--stack", stack, "--json", "--non-interactive", "--color", "never"],
    ...(configFile === undefined ? [] : ["--config-file", configFile]),
    ...["--policy-pack", pack],
    ...(policyConfig === undefined ? [] : ["--policy-pack-config", policyConfig]),
  ];
}

function previewEnvironment({ profile }: Omit<PreviewRequest, "sandbox" | "project">): Record<string, string> {
  return {
    // The digest that --json prints otherwise has no policies in it.
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    // The pack keeps what it compiles of the SDK; named here, it holds for what Pulumi loads before them too: half of a start.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "node-compile-cache"),
    ...(profile !== undefined && { HEARTH_POLICY_PROFILE: profile }),
  };
}
