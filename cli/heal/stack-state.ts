import type { Caller } from "../command.ts";
import { self } from "../command.ts";
import { type PulumiOutput, runPulumi } from "../pulumi.ts";
import type { Export } from "./deployment.ts";
import { backendFolder, type FileBackend, locksOf, type StateLock } from "./file-backend.ts";
import type { OpenPlaces } from "./finding.ts";

/** How the state and the objects are reached. */
export interface HealMeans {
  readonly pulumi: typeof runPulumi;
  readonly places: (environment: NodeJS.ProcessEnv) => Promise<OpenPlaces>;
}

export const realMeans: HealMeans = {
  pulumi: runPulumi,
  // The clients of clusters and object stores take their time to load.
  places: async (environment) => (await import("./places.ts")).openPlaces(environment),
};

/** Which stack, and how it is healed. */
export interface HealOptions {
  readonly stack: string;
  readonly sandbox: boolean;
  /** Nothing is asked. */
  readonly yes: boolean;
  readonly json: boolean;
  /** The stack's settings in place of Pulumi.STACK.yaml. */
  readonly configFile?: string;
}

/** Runs Pulumi on the stack's project. */
export type Run = (
  args: readonly string[],
  more?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv },
) => Promise<PulumiOutput>;

/** Pulumi on a stack of the project, asking nothing. */
export function pulumiOf(
  { sandbox }: Pick<HealOptions, "sandbox">,
  { project }: Pick<Caller, "project">,
  means: Pick<HealMeans, "pulumi">,
): Run {
  return (args, more) =>
    means.pulumi([...args, "--non-interactive", "--color", "never"], { sandbox, project, ...more });
}

/** Pulumi's standard output. @throws Error with Pulumi's own message if it failed */
export function succeeded({ stdout, stderr, succeeded }: PulumiOutput): string {
  if (!succeeded) throw new Error(`Pulumi failed: ${stderr.trim() || stdout.trim()}`);
  return stdout;
}

/** The stack's state. @param options `--show-secrets`: with its secrets in the clear */
export async function exported(
  { stack }: Pick<HealOptions, "stack">,
  pulumi: Run,
  ...options: string[]
): Promise<Export> {
  return JSON.parse(succeeded(await pulumi(["stack", "export", ...options, "--stack", stack])));
}

/** Makes a state the stack's, in one write; then has the provider read those of its resources. */
export async function imported(options: HealOptions, pulumi: Run, state: Export, read: readonly string[]) {
  succeeded(await pulumi(["stack", "import", "--stack", options.stack], { input: JSON.stringify(state) }));
  if (read.length === 0) return;
  const targets = read.flatMap((urn) => ["--target", urn]);
  succeeded(await pulumi(["refresh", "--yes", "--skip-preview", ...stackOptions(options), ...targets]));
}

/** Which stack, for the operations that read its settings. */
export const stackOptions = ({ stack, configFile }: HealOptions) => [
  ...["--stack", stack],
  ...(configFile === undefined ? [] : ["--config-file", configFile]),
];

/** The backend, where it is a folder of this machine. */
export async function fileBackend({ stack }: HealOptions, pulumi: Run): Promise<FileBackend | undefined> {
  const { url = "" } = JSON.parse(succeeded(await pulumi(["whoami", "--json"]))) as { url?: string };
  const folder = backendFolder(url);
  return folder === undefined ? undefined : { folder, project: "hearth", stack };
}

/** The locks of processes of this machine that have ended. @throws Error where another process works on the stack */
export function staleLocks(backend: FileBackend): StateLock[] {
  const { stack } = backend;
  const locks = locksOf(backend);
  const held = locks.find(({ stale }) => !stale);
  if (held)
    throw new Error(
      `Stack ${stack} is locked: process ${held.pid} of ${held.host} works on it. Wait until it is done. If it has ended on ${held.host}, run ${self} heal there.`,
    );
  return locks;
}

/** A line of what heal would do. */
export const shownLock = ({ pid }: StateLock) =>
  `  release  the lock of process ${pid} of this machine, which has ended\n`;
