import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { newCommand, type Session, UsageError } from "../command.ts";
import {
  anyStackOption,
  contextOption,
  jsonOption,
  kubeconfigOption,
  profileOption,
  sandboxOption,
  wholeNumber,
} from "../options.ts";
import { judgeConfigFile, judgeStack } from "./judgement.ts";
import { Format, validateFiles } from "./validate-files.ts";

/** `hearth validate`. */
export function validateCommand(session: Session) {
  return newCommand("validate")
    .description(
      "Checks config.yaml files of collaboration suites, or a stack with all its files, in four steps: YAML, rules, synthesis of the manifests, dry run.",
    )
    .argument("[FILE...]", "the config.yaml files")
    .addOption(
      anyStackOption("instead of files: its settings and every file they name").conflicts([
        "users",
        "files",
        "profile",
      ]),
    )
    .addOption(
      new Option("--offline", "stop before the dry run; needs no cluster").conflicts([
        "sandbox",
        "kubeconfig",
        "context",
      ]),
    )
    .addOption(
      sandboxOption("its API server makes the dry run; the default without a kubeconfig or context").conflicts([
        "kubeconfig",
        "context",
      ]),
    )
    .addOption(kubeconfigOption("the dry run is made there"))
    .addOption(contextOption("the dry run is made there"))
    .addOption(number("--users <NUMBER>", "users the suite is meant for; adds advice on its size"))
    .addOption(number("--files <NUMBER>", "files the suite is meant for; adds advice on its size"))
    .addOption(profileOption(Object.values(Profile), "adds advice on replicas"))
    .option("--strict", "warnings are errors")
    .addOption(
      jsonOption("[{file, valid, problems: [{severity, code, path, line, column, message, remedy}]}]").conflicts(
        "sarif",
      ),
    )
    .option("--sarif", "print nothing but SARIF 2.1.0, for code review")
    .addHelpText(
      "after",
      `
The dry run creates nothing. Its client side asks the cluster whether it knows every kind; its server side sends each object
as a server-side apply with strict fields and dryRun=All. Objects in a namespace that is not there yet are not checked.`,
    )
    .action(async (files, { stack, users, files: storedFiles, profile, strict = false, ...options }) => {
      if (files.length > 0 === (stack !== undefined))
        throw new UsageError("Name config.yaml files, or a stack by --stack.");
      const { offline, context, json, sarif } = options;
      const kubeconfig = options.kubeconfig && resolve(session.folder, options.kubeconfig);
      const cluster = kubeconfig || context ? { kubeconfig, context } : undefined;
      const load = { users, files: storedFiles, profile, today: session.today };
      const judgements =
        stack === undefined
          ? files.map((file) => judgeConfigFile(session.project, session.folder, file, load))
          : [judgeStack(session.project, stack, session.today)];
      const status = await validateFiles(
        judgements,
        {
          strict,
          format: json ? Format.json : sarif ? Format.sarif : Format.text,
          cluster: offline ? undefined : (cluster ?? "sandbox"),
        },
        session,
      );
      session.end(status);
    });
}

function number<const Flags extends string>(flags: Flags, description: string) {
  return new Option(flags, description).argParser(wholeNumber);
}
