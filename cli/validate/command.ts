import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { newCommand, type Session, UsageError } from "../command.ts";
import {
  anyStackOption,
  contextOption,
  jsonOption,
  kubeconfigOption,
  offlineOption,
  profileOption,
  sandboxOption,
  wholeNumber,
} from "../options.ts";
import { judgeConfigFile, judgeStackFile } from "./judgement.ts";
import { Format, validateFiles } from "./validate-files.ts";

/** `hearth validate`. */
export function validateCommand(session: Session) {
  return newCommand("validate")
    .description(
      "Checks config.yaml files of collaboration suites, or a stack with all its files, in four steps: YAML, rules, synthesis of the manifests, dry run.",
    )
    .argument("[FILE...]", "the config.yaml files")
    .addOption(
      anyStackOption("checks its settings and every file they name, instead of FILE").conflicts([
        "users",
        "files",
        "profile",
      ]),
    )
    .addOption(offlineOption("there is no dry run").conflicts(["sandbox", "kubeconfig", "context"]))
    .addOption(
      sandboxOption(
        "the dry run is made on its API server, which has to run; by default that of FILE is made there if it runs",
      ).conflicts(["kubeconfig", "context"]),
    )
    .addOption(kubeconfigOption("for the dry run; of a stack by default its own, then KUBECONFIG, then ~/.kube/config"))
    .addOption(contextOption("for the dry run; of a stack by default its own, then the current one"))
    .addOption(number("--users <NUMBER>", "number of users, for advice on the suite's size"))
    .addOption(number("--files <NUMBER>", "number of files, for advice on the suite's size"))
    .addOption(profileOption(Object.values(Profile), "for advice on replicas"))
    .option("--strict", "turn warnings into errors")
    .addOption(
      jsonOption("[{file, valid, problems: [{severity, code, path, line, column, message, remedy}]}]").conflicts(
        "sarif",
      ),
    )
    .option("--sarif", "print only SARIF 2.1.0, for code review tools")
    .addHelpText(
      "after",
      `
The dry run creates nothing. Its client side asks the cluster whether it knows every kind; its server side sends each object
as a server-side apply with strict fields and dryRun=All. Objects whose namespace is not there yet are tried as new ones in
the namespace default.`,
    )
    .action(async (files, { stack, users, files: storedFiles, profile, strict = false, ...options }) => {
      if (files.length > 0 === (stack !== undefined))
        throw new UsageError("Name config.yaml files, or a stack by --stack.");
      const { offline, sandbox, context, json, sarif } = options;
      const kubeconfig = options.kubeconfig && resolve(session.folder, options.kubeconfig);
      const load = { users, files: storedFiles, profile, today: session.today };
      const judgements =
        stack === undefined
          ? files.map((file) => judgeConfigFile(session.project, session.folder, file, load))
          : [judgeStackFile(session.project, stack, session.today)];
      const own = judgements[0]?.cluster;
      const place = () => {
        if (kubeconfig || context)
          return { named: { kubeconfig: kubeconfig ?? own?.kubeconfig, context: context ?? own?.context } };
        if (sandbox) return "sandbox";
        return own ? { own } : "running sandbox";
      };
      const status = await validateFiles(
        judgements,
        {
          strict,
          format: json ? Format.json : sarif ? Format.sarif : Format.text,
          cluster: offline ? undefined : place(),
        },
        session,
      );
      session.end(status);
    });
}

function number<const Flags extends string>(flags: Flags, description: string) {
  return new Option(flags, description).argParser(wholeNumber);
}
