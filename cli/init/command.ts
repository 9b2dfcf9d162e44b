import { resolve } from "node:path";
import { Argument, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { errorsOf } from "@hearth-platform/hearth/core/problems";
import { namespaceName } from "@hearth-platform/hearth/core/value-rules";
import { locations, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { newCommand, type Session, UsageError } from "../command.ts";
import {
  anyStackOption,
  contextOption,
  jsonOption,
  kubeconfigOption,
  offlineOption,
  outOption,
  profileOption,
  yesOption,
} from "../options.ts";
import { tiers } from "./answers.ts";
import { findCluster } from "./found-cluster.ts";
import { type FindCluster, initConfig } from "./init-config.ts";

/** `hearth init`. @param find looks at the cluster that a new stack is for */
export function initCommand(session: Session, find: FindCluster = findCluster) {
  return newCommand("init")
    .description(
      "Writes a commented config.yaml for a new collaboration suite, and with --stack the file of a stack that has it. It asks for everything that no option sets, and offers what the cluster has.",
    )
    .addArgument(
      new Argument("[NAME]", "name of the suite, and of its namespace; with --stack, cloud if there is none").argParser(
        suiteName,
      ),
    )
    .option("--domain <HOST>", "public host, e.g. cloud.example.org")
    .addOption(new Option("--size <SIZE>", "for under 10 users, up to 50, or more").choices(tiers))
    .addOption(
      anyStackOption(
        "also write this file, and ask the cluster of the kubeconfig for what it has; default: the suite alone",
      ),
    )
    .addOption(kubeconfigOption("default: KUBECONFIG, then ~/.kube/config"))
    .addOption(contextOption("default: the current one"))
    .addOption(offlineOption("the stack names what the specification does"))
    .option("--storage <CLASS>", `storage class: ${Object.values(storageClasses).join(" or ")}; with --stack any`)
    .option("--location <CODE>", `region of the object store: ${locations.join(", ")}; with --stack any`)
    .addOption(
      new Option(
        "--endpoint <URL>",
        "address of the object store; default: Hetzner's, or Amazon's for its regions",
      ).argParser(address),
    )
    .option("--issuer <NAME>", "with --stack, ClusterIssuer of the certificates")
    .option("--gateway-class <NAME>", "with --stack, GatewayClass of the routes; default: Traefik's own routes")
    .option("--secret-store <NAME>", "with --stack, ClusterSecretStore; default: passwords are generated")
    .option("--office", "with an office server to edit documents in the browser")
    .option("--no-office", "without it")
    .option("--whiteboard", "with a whiteboard")
    .option("--no-whiteboard", "without it")
    .addOption(profileOption(Object.values(Profile), "production has a database with a standby"))
    .option("--suffix <TEXT>", "end of the buckets' names; default: random")
    .addOption(
      outOption("default: suites/NAME/config.yaml beside Pulumi.yaml; called from outside it, in the current folder"),
    )
    .addOption(yesOption("uses the defaults for options that are not set"))
    .addOption(jsonOption("{file, stackFile, problems}"))
    .addHelpText("after", "\nIt overwrites no file, and adds to one that Pulumi alone has written.")
    .action(async (name, { stack, out, yes = false, json = false, offline, kubeconfig, context, ...given }) => {
      if (name === undefined && stack === undefined) throw new UsageError("Name the suite, or a stack with --stack");
      const file = kubeconfig && resolve(session.folder, kubeconfig);
      const cluster = stack === undefined || offline ? undefined : { kubeconfig: file, context };
      const options = { name: name ?? "cloud", given, stack, out, cluster, yes, json };
      session.end(await initConfig(options, session, find));
    });
}

function suiteName(text: string): string {
  const [problem] = errorsOf(namespaceName("NAME", text));
  if (problem) throw new InvalidArgumentError(`${problem.message} ${problem.remedy}`);
  return text;
}

/** @throws InvalidArgumentError, which commander tells, for anything else */
function address(text: string): string {
  const { protocol, host } = URL.parse(text) ?? {};
  if (!host || !/^https?:$/.test(protocol ?? ""))
    throw new InvalidArgumentError("It is not an address such as https://s3.example.org.");
  return text.replace(/\/$/, "");
}
