import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { oneOf, shown } from "../components/faults.ts";
import { Profile } from "../components/platform.ts";
import type { ConfigContext } from "../settings/config-file.ts";
import type { ClusterChoice } from "./cluster.ts";

export const help = `Checks config.yaml files of collaboration suites, in four steps: YAML, rules, synthesis of the manifests, dry run.

  npm run validate -- FILE…

  --offline           stop before the dry run; needs no cluster
  --kubeconfig FILE   dry run on the cluster of this kubeconfig; default: the sandbox, which must be running
  --context NAME      dry run on the cluster of this context of the kubeconfig
  --users NUMBER      users the suite is meant for: adds advice on its size
  --files NUMBER      files the suite is meant for: adds advice on its size
  --profile PROFILE   development or production: adds advice on replicas
  --strict            warnings are errors
  --json              prints nothing but JSON: [{file, valid, problems: [{severity, code, path, line, column, message, remedy}]}]
  --sarif             prints nothing but SARIF 2.1.0, for code review
  --help              this text

The dry run creates nothing. Its client side asks the cluster whether it knows every kind; its server side sends each object
as a server-side apply with strict fields and dryRun=All. Objects in a namespace that is not there yet are not checked.
Exit status: 0 all files are valid, 1 faults, 2 wrong use.
`;

/** How the outcome is printed. */
export const Format = { text: "text", json: "json", sarif: "sarif" } as const;
export type Format = (typeof Format)[keyof typeof Format];

/** What was asked for. */
export interface Asked {
  /** As they were named; at least one. */
  readonly files: readonly string[];
  readonly format: Format;
  /** Warnings are errors. */
  readonly strict: boolean;
  readonly context: ConfigContext;
  /** Where the dry run is made; absent: nowhere. */
  readonly cluster?: ClusterChoice;
}

const options = {
  offline: { type: "boolean" },
  kubeconfig: { type: "string" },
  context: { type: "string" },
  users: { type: "string" },
  files: { type: "string" },
  profile: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
  sarif: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** What was asked for, `help`, or a sentence on what is wrong with the arguments. */
export function readArguments(args: readonly string[]): Asked | "help" | { readonly misuse: string } {
  try {
    const { values, positionals: files } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help) return "help";
    if (files.length === 0) throw new Error("Name at least one file.");
    if (values.json && values.sarif) throw new Error("Take one of --json and --sarif.");
    const { context } = values;
    // npm changes to the project's folder and remembers where it was called.
    const kubeconfig = values.kubeconfig && resolve(process.env.INIT_CWD ?? "", values.kubeconfig);
    if (values.offline && (kubeconfig ?? context) !== undefined)
      throw new Error("--offline makes no dry run: leave --kubeconfig and --context out.");
    return {
      files,
      format: values.json ? Format.json : values.sarif ? Format.sarif : Format.text,
      strict: values.strict ?? false,
      context: {
        users: count("--users", values.users),
        files: count("--files", values.files),
        profile: profile(values.profile),
      },
      cluster: values.offline ? undefined : { kubeconfig, context },
    };
  } catch (problem) {
    return { misuse: (problem as Error).message };
  }
}

function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${option} takes a whole number, not ${shown(text)}.`);
  return Number(text);
}

function profile(text: string | undefined): Profile | undefined {
  const known = Object.values(Profile).find((name) => name === text);
  if (text !== undefined && known === undefined)
    throw new Error(`--profile is ${oneOf(Object.values(Profile))}, not ${shown(text)}.`);
  return known;
}
