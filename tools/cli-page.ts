import { type CommandFor, person, self } from "@hearth-platform/cli/command";
import { commandNames, loadCommand } from "@hearth-platform/cli/hearth";

type AnyCommand = ReturnType<CommandFor>;

/** Every command, as docs/reference/cli.md describes it. */
export async function commandSections(): Promise<string> {
  const root = (await loadCommand(commandNames))({ ...person, end: () => undefined });
  return root.commands.flatMap((command) => sectionsOf(command, self, "##")).join("\n\n");
}

function sectionsOf(command: AnyCommand, above: string, heading: string): string[] {
  const words = `${above} ${command.name()}`;
  return [
    section(command, words, heading),
    ...command.commands.flatMap((each) => sectionsOf(each, words, `${heading}#`)),
  ];
}

function section(command: AnyCommand, words: string, heading: string): string {
  const rows = [
    ...command.registeredArguments.map((argument) => [
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
      argument.description,
    ]),
    ...command.options.map((option) => [option.flags, described(option)]),
  ];
  const table = rows.map(
    ([flags = "", text = ""]) => `| \`${flags.replaceAll("|", "\\|")}\` | ${text.replaceAll("|", "\\|")} |`,
  );
  return [
    `${heading} ${words.slice(self.length + 1)}`,
    command.description() || command.summary(),
    `\`${`${words} ${command.usage()}`.trim()}\``,
    ...(table.length > 0 ? [["| Option | Meaning |", "|---|---|", ...table].join("\n")] : []),
  ].join("\n\n");
}

function described({ description, argChoices, defaultValue }: AnyCommand["options"][number]): string {
  return [
    description,
    ...(argChoices ? [`One of ${argChoices.map((choice) => `\`${choice}\``).join(", ")}.`] : []),
    ...(defaultValue === undefined || defaultValue === false ? [] : [`Default: \`${String(defaultValue)}\`.`]),
  ].join(". ");
}
