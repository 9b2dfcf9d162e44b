import { Misuse } from "../command.ts";
import { build } from "./build.ts";
import { type Command, note, print } from "./command.ts";
import { env } from "./env.ts";
import { kubectl } from "./kubectl.ts";
import { logs } from "./logs.ts";
import { pulumi } from "./pulumi.ts";
import { reset } from "./reset.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { stop } from "./stop.ts";

const commands: Readonly<Record<string, Command>> = { start, status, stop, reset, logs, kubectl, pulumi, env, build };

/**
 * Runs what stands after `npm run sandbox --`. Results go to standard output, everything else to standard error.
 * @returns the exit status: 0, 1 when it failed, 2 when the words make no sense
 */
export async function runCommand([name = "help", ...args]: readonly string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) return help(args[0]);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command) throw new Misuse(`There is no command "${name}".`);
    const [only] = args;
    if (args.length === 1 && (only === "--help" || only === "-h")) return help(name);
    return await command.run(args);
  } catch (error) {
    if (error instanceof Misuse) {
      note(`${error.message}\n"npm run sandbox -- help${command ? ` ${name}` : ""}" tells how it is used.`);
      return 2;
    }
    note(error instanceof Error ? error.message : String(error));
    if (process.env.HEARTH_DEBUG) console.error(error);
    return 1;
  }
}

function help(name: string | undefined): number {
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name !== undefined && !command) {
    note(`There is no command "${name}".`);
    return 2;
  }
  const list = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(9)}${summary}`);
  print(
    command?.help ??
      `Usage: npm run sandbox -- COMMAND

${list.join("\n")}
  help     Show this, or the help of a command

HEARTH_SANDBOX names another sandbox than "dev"; tests use that.`,
  );
  return 0;
}
