import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  type Caller,
  type CommandFor,
  hearthVersion,
  newCommand,
  runCommand,
  type Session,
  self,
  UsageError,
} from "./command.ts";

/** A command of hearth. Its code is loaded when its name is on the command line. */
interface Entry {
  /** One line for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<CommandFor>;
}

/** Every command, in the order of the help. */
const commands: Readonly<Record<string, Entry>> = {
  init: {
    summary: "write a commented config.yaml for a new collaboration suite",
    load: async () => (await import("./init/command.ts")).initCommand,
  },
  validate: {
    summary: "check config.yaml files, or a whole stack",
    load: async () => (await import("./validate/command.ts")).validateCommand,
  },
  render: {
    summary: "write every Kubernetes object of a stack as YAML",
    load: async () => (await import("./render/command.ts")).renderCommand,
  },
  doctor: {
    summary: "check whether a cluster is ready for a stack",
    load: async () => (await import("./doctor/command.ts")).doctorCommand,
  },
  prerequisites: {
    summary: "print or run what installs everything below a stack",
    load: async () => (await import("./prerequisites/command.ts")).prerequisitesCommand,
  },
  status: {
    summary: "show how a live stack stands",
    load: async () => (await import("./status/command.ts")).statusCommand,
  },
  smoke: {
    summary: "ask every public host of a stack what it should answer",
    load: async () => (await import("./smoke/command.ts")).smokeCommand,
  },
  rights: {
    summary: "print the roles that a stack's update needs",
    load: async () => (await import("./rights/command.ts")).rightsCommand,
  },
  gate: {
    summary: "preview a stack with the policies, and say whether the change is allowed",
    load: async () => (await import("./gate/command.ts")).gateCommand,
  },
  heal: {
    summary: "repair a stack after an update was killed",
    load: async () => (await import("./heal/command.ts")).healCommand,
  },
  destroy: {
    summary: "delete a stack, and keep what holds data",
    load: async () => (await import("./destroy/command.ts")).destroyCommand,
  },
  backup: {
    summary: "make a backup of every database of a stack",
    load: async () => (await import("./backup/command.ts")).backupCommand,
  },
  drill: {
    summary: "prove that a stack's databases come back from their backups",
    load: async () => (await import("./drill/command.ts")).drillCommand,
  },
  kit: {
    summary: "write or check the recovery kit of a stack",
    load: async () => (await import("./kit/command.ts")).kitCommand,
  },
  graph: {
    summary: "draw a stack as an SVG picture",
    load: async () => (await import("./graph/command.ts")).graphCommand,
  },
  policies: {
    summary: "list the policies",
    load: async () => (await import("./policies/command.ts")).policiesCommand,
  },
  images: {
    summary: "list the images of a stack, or lock them to digests",
    load: async () => (await import("./images/command.ts")).imagesCommand,
  },
  sandbox: {
    summary: "run the whole platform on this machine",
    load: async () => (await import("./sandbox/command.ts")).sandboxCommand,
  },
  version: {
    summary: "print the versions of hearth, Node.js and Pulumi",
    load: async () => (await import("./version/command.ts")).versionCommand,
  },
  completion: {
    summary: "print the completion of a shell",
    load: async () => (await import("./completion/command.ts")).completionCommand(loadCommand),
  },
};

/** Names of the commands. */
export const commandNames: readonly string[] = Object.keys(commands);

/** Runs hearth's command line and gives its exit status: 0 done, 1 problems, 2 usage error. */
export async function runHearth(args: readonly string[], caller: Caller): Promise<number> {
  const hearthFor = await loadCommand(args);
  return runCommand(hearthFor, args.length === 0 ? ["help"] : args, caller);
}

/** The command line with those commands loaded that are among `words`; of the others it knows name and summary. */
export async function loadCommand(words: readonly string[]): Promise<CommandFor> {
  const chosen = Object.entries(commands).filter(([name]) => words.includes(name));
  const loaded = new Map(await Promise.all(chosen.map(async ([name, entry]) => [name, await entry.load()] as const)));
  return (session) => hearth(session, loaded);
}

/** A folder of stacks outside hearth's own. @throws UsageError where its Pulumi.yaml is missing or is another project's */
function projectIn(folder: string): string {
  const file = join(folder, "Pulumi.yaml");
  const example = "docs/how-to/own-repository.md has one to copy";
  if (!existsSync(file))
    throw new UsageError(`There is no ${file}: --folder names the folder of the stacks, and ${example}`);
  // Settings, and the paths of a state, have the project's name in them.
  if (!/^name: *["']?hearth["']? *(#.*)?$/m.test(readFileSync(file, "utf8")))
    throw new UsageError(`${file} is not a project of hearth: it says \`name: hearth\`, and ${example}`);
  return folder;
}

function hearth(session: Session, loaded: ReadonlyMap<string, CommandFor>): CommandUnknownOpts {
  const program = newCommand(self)
    .description(
      "A self-hosted platform on Kubernetes: check, render and preview its settings, or run it on one machine.",
    )
    .version(hearthVersion(), "--version", "print hearth's version")
    .option("--folder <DIR>", "the folder of Pulumi.yaml, with the stacks' files; default: hearth's own")
    .on("option:folder", (folder: string) => {
      session.project = projectIn(resolve(session.folder, folder));
    })
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `\nExit status: 0 done, 1 problems, 2 usage error.\n${self} help COMMAND explains a command. Results go to standard output, messages to standard error.`,
    );
  for (const [name, { summary }] of Object.entries(commands)) {
    const command: CommandUnknownOpts = loaded.get(name)?.(session) ?? newCommand(name);
    program.addCommand(command.summary(summary));
  }
  return program;
}
