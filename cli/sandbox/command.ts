import { Argument } from "@commander-js/extra-typings";
import { newCommand, type Session } from "../command.ts";
import { jsonOption, yesOption } from "../options.ts";

/** `hearth sandbox`. What a command does is loaded when it runs: the sandbox is no part of the rest. */
export function sandboxCommand(session: Session) {
  const help = "\nHEARTH_SANDBOX=NAME uses another sandbox than dev.";
  return newCommand("sandbox")
    .description("The whole platform on this machine: a real API server, a real engine, a real S3 server.")
    .enablePositionalOptions()
    .addCommand(start(session))
    .addCommand(status(session))
    .addCommand(stop())
    .addCommand(reset(session))
    .addCommand(logs(session))
    .addCommand(kubectl(session))
    .addCommand(pulumi(session))
    .addCommand(env(session))
    .addCommand(build(session))
    .addHelpText("after", help);
}

function start(session: Session) {
  return newCommand("start")
    .summary("start it and bring up stack dev in it (npm start)")
    .description(
      `Builds the sandbox's programs the first time, starts the sandbox and brings up stack dev in it.
Parts that run already are left alone. A stack whose update was killed is healed.`,
    )
    .option("--no-up", "start the sandbox only")
    .action(async ({ up }) => session.end(await (await import("./start.ts")).startAndUp(up, session)));
}

function status(session: Session) {
  return newCommand("status")
    .summary("show each part: its state, address and process")
    .description(
      `Shows each part of the sandbox, whether it runs and answers, its address and its process id.
The exit status is 0 when everything runs, 1 when something does not.`,
    )
    .addOption(jsonOption("{folder, parts: [{name, state, address, pid, log}]}"))
    .action(async ({ json = false }) => session.end(await (await import("./status.ts")).status(json, session)));
}

function stop() {
  return newCommand("stop")
    .summary("stop everything; its content stays")
    .description("Stops every part of the sandbox. Its content stays: the next start brings it back.")
    .action(async () => (await import("./stop.ts")).stop());
}

function reset(session: Session) {
  return newCommand("reset")
    .summary("delete it with its content, after asking")
    .description(
      `Stops the sandbox and deletes it, with its cluster objects, buckets, images and Pulumi state.
The built programs are kept.`,
    )
    .addOption(yesOption("delete at once"))
    .action(async ({ yes = false }) => session.end(await (await import("./reset.ts")).reset(yes, session)));
}

function logs(session: Session) {
  return newCommand("logs")
    .summary("show what a part writes")
    .description("Shows the log of a part; without a part, lists the parts and the files of their logs.")
    .argument("[PART]", "its name")
    .option("-f, --follow", "keep printing new lines, until Ctrl-C")
    .action(async (part, { follow = false }) =>
      session.end(await (await import("./logs.ts")).logs(part, follow, session)),
    );
}

function kubectl(session: Session) {
  return passedOn("kubectl")
    .summary("run kubectl on its cluster")
    .description(
      `Runs kubectl on the sandbox's cluster, with your arguments unchanged; "kubectl help" shows kubectl's own help.
Example: ./hearth sandbox kubectl get pods --all-namespaces`,
    )
    .action(async (args) => session.end(await (await import("./kubectl.ts")).kubectl(args, session)));
}

function pulumi(session: Session) {
  return passedOn("pulumi")
    .summary("run the Pulumi CLI on stack dev in it")
    .description(
      `Runs the real Pulumi CLI on this program, with your arguments unchanged; "pulumi help" shows its own help.
The stack is dev, unless --stack names another. Its state is in the sandbox; your work tree does not change.
Example: ./hearth sandbox pulumi preview --diff`,
    )
    .action(async (args) => session.end(await (await import("./pulumi.ts")).pulumi(args, session)));
}

/** A command whose words go to another program as they are; --help alone is ours. */
function passedOn(name: string) {
  return newCommand(name)
    .helpOption(false)
    .argument("<ARGUMENT...>", `arguments for ${name}`)
    .passThroughOptions()
    .allowUnknownOption()
    .hook("preAction", (_, command) => {
      if (command.args.length === 1 && ["--help", "-h"].includes(command.args[0] ?? "")) command.help();
    });
}

function build(session: Session) {
  return newCommand("build")
    .summary("build its programs, and those that judge the objects in tests")
    .description("Builds the sandbox's programs, as the first start does. Programs that are built already stay.")
    .addArgument(
      new Argument("[WHAT]", "operators: with the programs that only the tests need").choices(["operators"] as const),
    )
    .action(async (what) => (await import("./build.ts")).build(what, session));
}

function env(session: Session) {
  return newCommand("env")
    .summary("print variables that point a shell to it")
    .description(
      `Prints export lines that point a shell's pulumi, kubectl and S3 clients to the running sandbox:
eval "$(./hearth sandbox env)"`,
    )
    .addOption(jsonOption("{NAME: value}"))
    .action(async ({ json = false }) => (await import("./env.ts")).env(json, session));
}
