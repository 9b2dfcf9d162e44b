import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { checkConfigFile } from "@hearth-platform/stack/config-file";
import { formatReport } from "@hearth-platform/stack/report";
import { type Caller, type Command, Misuse, pathOption } from "../command.ts";
import { type Answers, defaults, loadOf } from "./answers.ts";
import { type Asked, help, readArguments } from "./arguments.ts";
import { configText } from "./config-text.ts";

const project = join(import.meta.dirname, "../..");

/** `npm run init-config`. */
export const initConfigCommand: Command<Asked> = { name: "init-config", help, read: readArguments, run: initConfig };

async function initConfig(asked: Asked, caller: Caller): Promise<number> {
  if (!caller.terminal && !asked.yes && asked.given.domain === undefined)
    throw new Misuse("There is no terminal to ask at: say --domain, or --yes for every default.");
  const answers = await answersTo(asked, caller);
  if (!answers) return 1;
  const file = asked.out ? pathOption(caller, asked.out) : join(project, "suites", asked.name, "config.yaml");
  return write(file, answers, caller);
}

/** The answers by options, and by questions at a terminal; undefined where the person ended them. */
async function answersTo({ name, given, yes }: Asked, caller: Caller): Promise<Answers | undefined> {
  const initial = { ...defaults(name), ...given };
  if (yes || !caller.terminal) return initial;
  const { ask, Cancelled } = await import("./questions.ts");
  try {
    return await ask(initial, given);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    caller.error(`${error.message}\n`);
    return undefined;
  }
}

function write(file: string, answers: Answers, caller: Caller): number {
  const schema = relative(dirname(file), join(project, "schemas", "config.schema.json"));
  const content = configText(answers, schema);
  const shown = relative(caller.folder, file);
  const { problems } = checkConfigFile(shown, Buffer.from(content), {
    ...loadOf(answers.size),
    profile: answers.profile,
  });
  if (problems.length > 0) {
    caller.error(`Nothing was written. ${formatReport(problems)}\n`);
    return 1;
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    caller.error(`${shown} is there already: move it, or name another file (--out). Nothing was written.\n`);
    return 1;
  }
  caller.error(`${shown} is written. Read it, change what you like, and check it:

  npm run validate -- ${shown}

Then name it in the settings of a stack, Pulumi.STACK.yaml:

  hearth:cloudsuites:
    - name: ${answers.name}
      config: ${relative(project, file)}
`);
  return 0;
}
