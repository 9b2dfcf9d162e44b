import { Argument, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { errorsOf } from "@hearth-platform/hearth/core/problems";
import { namespaceName } from "@hearth-platform/hearth/core/value-rules";
import { locations, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { newCommand, type Session } from "../command.ts";
import { jsonOption, outOption, profileOption, yesOption } from "../options.ts";
import { tiers } from "./answers.ts";
import { initConfig } from "./init-config.ts";

/** `hearth init`. */
export function initCommand(session: Session) {
  return newCommand("init")
    .description(
      "Writes a commented config.yaml for a new collaboration suite. It asks for everything that no option sets.",
    )
    .addArgument(new Argument("<NAME>", "name of the suite, and of its namespace").argParser(suiteName))
    .option("--domain <HOST>", "public host, e.g. cloud.example.org")
    .addOption(new Option("--size <SIZE>", "for under 10 users, up to 50, or more").choices(tiers))
    .addOption(
      new Option("--storage <CLASS>", "storage class of the web volume").choices(Object.values(storageClasses)),
    )
    .addOption(new Option("--location <CODE>", "location of the object store").choices(locations))
    .option("--office", "with an office server to edit documents in the browser")
    .option("--no-office", "without it")
    .option("--whiteboard", "with a whiteboard")
    .option("--no-whiteboard", "without it")
    .addOption(profileOption(Object.values(Profile), "production has a database with a standby"))
    .option("--suffix <TEXT>", "end of the buckets' names; default: random")
    .addOption(
      outOption("default: suites/NAME/config.yaml in the checkout; called from outside it, in the current folder"),
    )
    .addOption(yesOption("uses the defaults for options that are not set"))
    .addOption(jsonOption("{file, problems}"))
    .addHelpText("after", "\nIt never overwrites a file.")
    .action(async (name, { out, yes = false, json = false, ...given }) => {
      session.end(await initConfig({ name, given, out, yes, json }, session));
    });
}

function suiteName(text: string): string {
  const [problem] = errorsOf(namespaceName("NAME", text));
  if (problem) throw new InvalidArgumentError(`${problem.message} ${problem.remedy}`);
  return text;
}
