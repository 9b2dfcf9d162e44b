import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";

const packageManagers = ["auto", "npm", "yarn", "pnpm", "bun"] as const;

/** `runtime.options` of Pulumi.yaml, PulumiPolicy.yaml or PulumiPlugin.yaml. */
export interface RuntimeOptions {
  /** Whether ts-node is registered. @default true */
  readonly typescript: boolean;
  /** Path of the tsconfig.json that ts-node reads. @default found by ts-node */
  readonly tsconfig?: string;
  /** Arguments for Node itself, split as a shell splits them. @default none */
  readonly nodeargs: string[];
  /** @default "auto" */
  readonly packagemanager: (typeof packageManagers)[number];
  /** Whether dev dependencies are left out of an installation. @default false */
  readonly production: boolean;
}

/**
 * Reads the options with the official host's rules and messages (`parseOptions` of pulumi-language-nodejs); options it
 * does not know are ignored there, and here.
 * @throws when an option has the wrong type or value
 */
export function parseRuntimeOptions(options: Record<string, JavaScriptValue> = {}): RuntimeOptions {
  const { typescript = true, tsconfig, nodeargs = "", packagemanager = "auto", production = false } = options;
  if (typeof typescript !== "boolean") throw new Error("typescript option must be a boolean");
  if (tsconfig !== undefined && typeof tsconfig !== "string") throw new Error("tsconfigpath option must be a string");
  if (typeof nodeargs !== "string") throw new Error("nodeargs option must be a string");
  if (typeof production !== "boolean") throw new Error("production option must be a boolean");
  if (typeof packagemanager !== "string") throw new Error("packagemanager option must be a string");
  const manager = packageManagers.find((name) => name === packagemanager);
  if (!manager)
    throw new Error(`packagemanager option must be one of auto, npm, yarn, pnpm or bun, got "${packagemanager}"`);
  return {
    typescript,
    ...(tsconfig && { tsconfig }),
    nodeargs: splitArguments(nodeargs),
    packagemanager: manager,
    production,
  };
}

/** The variables the official host adds for these options. */
export function optionsEnvironment(options: RuntimeOptions): Record<string, string> {
  return {
    ...(options.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
    ...(options.tsconfig && { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
  };
}

/** Splits like a POSIX shell does: blanks, single and double quotes, backslashes. */
export function splitArguments(line: string): string[] {
  const words = line.match(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\])+|['"\\]/gs) ?? [];
  return words.map((word) => {
    if (/^['"\\]$/.test(word)) throw new Error(`nodeargs option has an unfinished ${word}: ${line}`);
    return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) =>
      single !== undefined ? single : double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : escaped,
    );
  });
}
