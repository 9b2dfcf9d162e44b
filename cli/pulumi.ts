import { join } from "node:path";
import { execa, type Options } from "execa";
import { UsageError } from "./command.ts";

/** Result of a run of Pulumi. */
export interface PulumiOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly succeeded: boolean;
}

/**
 * Runs Pulumi in the project, on the running sandbox with its state and credentials, or the `pulumi` on PATH, logged in as the caller is.
 * @throws UsageError where there is no Pulumi
 */
export async function runPulumi(
  args: readonly string[],
  { sandbox, project, ...options }: { sandbox: boolean; project: string } & Pick<Options, "env" | "input" | "timeout">,
): Promise<PulumiOutput> {
  const [program = "", ...words] = sandbox
    ? [process.execPath, join(import.meta.dirname, "main.mjs"), "--folder", project, "sandbox", "pulumi"]
    : ["pulumi"];
  const { stdout, stderr, failed, code } = await execa(program, [...words, ...args], {
    cwd: project,
    ...(options.input === undefined ? { stdin: "ignore" } : { input: options.input }),
    env: options.env,
    timeout: options.timeout,
    reject: false,
    // A stack of hundreds of resources has some megabytes of events.
    maxBuffer: 256 * 1024 * 1024,
  });
  if (code === "ENOENT")
    throw new UsageError('There is no "pulumi" on PATH: install it, or name --sandbox to use that of the sandbox');
  return { stdout: String(stdout), stderr: failed ? withRemedy(String(stderr)) : String(stderr), succeeded: !failed };
}

/** What Pulumi refuses before the program runs, in its words, and what to do about it. */
const remedies: readonly (readonly [refusal: RegExp, remedy: string])[] = [
  [
    /^Downloading pulumi [\s\S]*fetch failed/m,
    'The npm package "pulumi" downloads the CLI from get.pulumi.com. Behind a proxy set HTTPS_PROXY and NODE_USE_ENV_PROXY=1. Without a way out install Pulumi from your mirror, in a folder that is first on PATH.',
  ],
  [
    /PULUMI_ACCESS_TOKEN must be set/,
    "Log in to the backend of your states with `npx pulumi login`, or name it in PULUMI_BACKEND_URL.",
  ],
  [
    /no stack named '.+' found/,
    "`npx pulumi whoami --verbose` shows the backend. Log in where the stack is, or make it here with `npx pulumi stack init`.",
  ],
  [
    /passphrase must be set/,
    "It is the passphrase that the stack was made with. docs/how-to/state.md says what is lost without it.",
  ],
  [
    /incorrect passphrase/,
    "PULUMI_CONFIG_PASSPHRASE is not what the stack was made with. docs/how-to/state.md says what is lost without it.",
  ],
];

/** Pulumi's message, and below it what to do where that is known. */
function withRemedy(message: string): string {
  const [, remedy] = remedies.find(([refusal]) => refusal.test(message)) ?? [];
  return remedy === undefined ? message : `${message.trimEnd()}\n${remedy}\n`;
}
