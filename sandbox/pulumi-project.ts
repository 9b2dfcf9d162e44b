import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { parse, parseDocument } from "yaml";
import { sandboxEnvironment, sandboxStack } from "./environment.ts";
import { checkout } from "./paths.ts";
import { withPrivateFiles } from "./private-files.ts";
import { runForeground } from "./run-foreground.ts";
import type { Sandbox } from "./started-sandbox.ts";

/** Verbs that take `--config-file` and may write the file: `pulumi help VERB`, engine 3.259. */
const verbsWithConfigFile = new Set([
  "preview",
  "pre",
  "up",
  "update",
  "refresh",
  "destroy",
  "down",
  "dn",
  "import",
  "watch",
]);

/** Global options of the CLI that take a value, which is not to be read as the verb: `pulumi help`. */
const valueOptions = {
  stack: { type: "string", short: "s" },
  cwd: { type: "string", short: "C" },
  color: { type: "string" },
  verbose: { type: "string", short: "v" },
  tracing: { type: "string" },
  "otel-traces": { type: "string" },
  profiling: { type: "string" },
  memprofilerate: { type: "string" },
} as const;

export interface PulumiOptions {
  /** The stack to use where the arguments name none. @default "dev" */
  readonly stack?: string;
  /** Folder of Pulumi.yaml and the stacks' files. @default the checkout */
  readonly project?: string;
}

/**
 * Runs the real Pulumi CLI on the project's program, with the terminal as its own.
 * The CLI writes a stack's `encryptionsalt` into its settings file; so that the work tree stays clean, it works with
 * private copies of the project's files. `pulumi config set` still changes the tracked file: that is what it is for.
 * @returns the CLI's exit status
 */
export async function pulumi(sandbox: Sandbox, args: readonly string[], options: PulumiOptions = {}): Promise<number> {
  const target = readPulumiArguments(args);
  const project = options.project ?? checkout;
  const stack = target.stack ?? options.stack ?? sandboxStack;
  const env: NodeJS.ProcessEnv = { ...process.env, ...sandboxEnvironment(sandbox), PULUMI_STACK: stack };
  const finalArgs = [...args];
  // Paths in a program are meant from its own folder, which is not that of the plugins that run with the sandbox.
  if (!target.ownProject) env.PULUMI_DEBUG_PROVIDERS = "";
  if (target.ownProject && target.needsStack) {
    const configFile = await prepareStack(sandbox, project, stack, env);
    if (target.takesConfigFile) finalArgs.splice(target.verbIndex + 1, 0, "--config-file", configFile);
  }
  // Without it the CLI deletes the stack's tracked settings, too.
  if (target.ownProject && target.removesStack) finalArgs.push("--preserve-config");
  return runForeground(...withPrivateFiles(sandbox.programs.pulumi, finalArgs), { cwd: project, env });
}

/** Parsed options of a Pulumi command line. */
export interface PulumiArguments {
  /** The user's own `--stack` or `-s`. */
  readonly stack: string | undefined;
  /** False when the user names another folder with `--cwd` or `-C`. */
  readonly ownProject: boolean;
  /** Whether the verb works on a stack, so that the stack should be there. */
  readonly needsStack: boolean;
  /** Whether `--config-file` has to be inserted after the verb. */
  readonly takesConfigFile: boolean;
  /** Whether it is `stack rm`, and does not say what becomes of the stack's settings. */
  readonly removesStack: boolean;
  readonly verbIndex: number;
}

/** Reads a Pulumi command line without changing it. */
export function readPulumiArguments(args: readonly string[]): PulumiArguments {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      ...valueOptions,
      "config-file": { type: "string" },
      "preserve-config": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [verb, subverb] = tokens.filter((token) => token.kind === "positional");
  const asksForHelp = values.help === true;
  const stackVerb =
    verb !== undefined && (verbsWithConfigFile.has(verb.value) || ["config", "stack"].includes(verb.value));
  return {
    stack: typeof values.stack === "string" ? values.stack : undefined,
    ownProject: values.cwd === undefined,
    needsStack: stackVerb && !asksForHelp,
    takesConfigFile:
      verb !== undefined && verbsWithConfigFile.has(verb.value) && values["config-file"] === undefined && !asksForHelp,
    removesStack: verb?.value === "stack" && subverb?.value === "rm" && values["preserve-config"] === undefined,
    verbIndex: verb?.index ?? -1,
  };
}

/**
 * Makes the stack if it is not there yet, and brings the private copies of the project's files up to date.
 * @returns path of the private settings file of the stack
 */
async function prepareStack(sandbox: Sandbox, from: string, stack: string, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = sandbox.paths.pulumiProject;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const settings = `Pulumi.${stack}.yaml`;
  const copy = join(folder, settings);
  const project = await readFile(join(from, "Pulumi.yaml"), "utf8");
  await writeFile(join(folder, "Pulumi.yaml"), project);
  const tracked = await readOptional(join(from, settings));
  const old = await readOptional(copy);
  if (tracked !== undefined) await writeFile(copy, withSalt(tracked, old), { mode: 0o600 });

  const name = String(parse(project).name);
  const state = join(sandbox.paths.pulumiState, ".pulumi", "stacks", name, `${stack}.json`);
  if ((await readOptional(state)) !== undefined || tracked === undefined) return copy;
  const init = await execa(
    ...withPrivateFiles(sandbox.programs.pulumi, ["-C", folder, "stack", "init", stack, "--no-select"]),
    {
      env,
      extendEnv: false,
      stdin: "ignore",
      all: true,
      reject: false,
    },
  );
  if (init.failed) throw new Error(`Pulumi could not make the stack "${stack}": ${init.all.trim()}`);
  return copy;
}

/** The tracked settings, with the salt of the private copy unless they have one of their own. */
export function withSalt(tracked: string, copy: string | undefined): string {
  const salt = copy === undefined ? undefined : parse(copy)?.encryptionsalt;
  const document = parseDocument(tracked);
  if (salt === undefined || document.has("encryptionsalt")) return tracked;
  document.set("encryptionsalt", salt);
  return document.toString();
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
