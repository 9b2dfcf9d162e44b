import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { ConfigContext } from "@hearth-platform/stack/config-file";
import { type Caller, countOption, Misuse, parseOptions, pathOption, wordOption } from "../command.ts";
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
Exit status: 0 all files are valid, 1 problems, 2 wrong use.
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
} as const;

/** What was asked for. @throws Misuse */
export function readArguments(args: readonly string[], caller: Caller): Asked {
  const { values, words: files } = parseOptions(args, options);
  const { context, offline, json, sarif, strict = false } = values;
  if (files.length === 0) throw new Misuse("Name at least one file.");
  if (json && sarif) throw new Misuse("Take one of --json and --sarif.");
  const kubeconfig = values.kubeconfig && pathOption(caller, values.kubeconfig);
  if (offline && (kubeconfig ?? context) !== undefined)
    throw new Misuse("--offline makes no dry run: leave --kubeconfig and --context out.");
  return {
    files,
    format: json ? Format.json : sarif ? Format.sarif : Format.text,
    strict,
    context: {
      users: countOption("--users", values.users),
      files: countOption("--files", values.files),
      profile: wordOption("--profile", values.profile, Object.values(Profile)),
    },
    cluster: offline ? undefined : { kubeconfig, context },
  };
}
