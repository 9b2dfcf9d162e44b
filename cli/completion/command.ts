import { Argument, Option } from "@commander-js/extra-typings";
import { type CommandFor, newCommand, type Session } from "../command.ts";
import { completionScripts } from "./scripts.ts";

const shells = Object.keys(completionScripts) as (keyof typeof completionScripts)[];

/**
 * `hearth completion`: the script for a shell, which calls it back with the words of a command line.
 * @param load the command line, with those commands loaded that are among the words
 */
export const completionCommand = (load: (words: readonly string[]) => Promise<CommandFor>) => (session: Session) =>
  newCommand("completion")
    .description("Prints the completion of a shell, for hearth and ./hearth.")
    .addArgument(new Argument("<SHELL>", "the shell").choices(shells))
    .addArgument(new Argument("[WORD...]", "with --words: the words up to the cursor, without hearth itself"))
    .addOption(new Option("--words", "print what could stand at the cursor").hideHelp())
    .addHelpText(
      "after",
      `
bash  eval "$(./hearth completion bash)"     in ~/.bashrc
zsh   eval "$(./hearth completion zsh)"      in ~/.zshrc, after compinit
fish  ./hearth completion fish | source      in ~/.config/fish/config.fish`,
    )
    .passThroughOptions()
    .action(async (shell, words, { words: isRequest }, command) => {
      if (!isRequest) {
        if (words.length > 0) command.error(`too many arguments: ${words.join(" ")}`);
        session.output(completionScripts[shell]);
        return;
      }
      const [{ candidatesFor }, { stacksIn }] = await Promise.all([
        import("./candidates.ts"),
        import("@hearth-platform/stack/settings/stack-source"),
      ]);
      const stacks = () => stacksIn(session.project);
      const program = (await load(words))(session);
      for (const { word, about } of candidatesFor(program, words, stacks)) session.output(`${word}\t${about}\n`);
    });
