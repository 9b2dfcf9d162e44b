import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkConfigFile } from "@hearth-platform/stack/areas/suites/config-file";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, self, UsageError } from "../command.ts";
import { type Answers, defaults, loadOf } from "./answers.ts";
import { configText } from "./config-text.ts";

/** Answers about a new suite, and where to write it. */
interface Options {
  /** Name of the suite. */
  readonly name: string;
  /** The options' values. */
  readonly given: Partial<Answers>;
  /** Where the file goes. @default the suite's folder */
  readonly out?: string;
  /** Nothing is to be asked. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Writes the config.yaml of a new suite. @throws UsageError where there is nobody to ask */
export async function initConfig(options: Options, caller: Caller): Promise<number> {
  if (!caller.terminal && !options.yes && options.given.domain === undefined)
    throw new UsageError("There is no terminal for questions: set --domain, or use --yes for all defaults");
  const answers = await answersTo(options, caller);
  if (!answers) return 1;
  const file = options.out ? resolve(caller.folder, options.out) : join(suitesOf(caller), options.name, "config.yaml");
  return write(file, answers, options.json, caller);
}

/** The checkout's folder of suites; called from outside it, one where the caller is. */
function suitesOf({ folder, project }: Caller): string {
  const isInside = !relative(project, folder).startsWith("..");
  return join(isInside ? project : folder, "suites");
}

/** The answers by options, and by questions at a terminal; undefined where the person ended them. */
async function answersTo({ name, given, yes }: Options, caller: Caller): Promise<Answers | undefined> {
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

function write(file: string, answers: Answers, json: boolean, caller: Caller): number {
  const schema = relative(dirname(file), join(caller.project, "schemas", "config.schema.json"));
  const content = configText(answers, schema);
  const shown = relative(caller.folder, file);
  const { problems } = checkConfigFile(shown, Buffer.from(content), {
    ...loadOf(answers.size),
    profile: answers.profile,
  });
  if (problems.length > 0) {
    if (json) outputJson(caller, { problems: problems.map(problemRow) });
    caller.error(`Nothing was written. ${formatReport(problems)}\n`);
    return 1;
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    caller.error(`${shown} exists already: move it, or name another file (--out). Nothing was written.\n`);
    return 1;
  }
  if (json) outputJson(caller, { file, problems: [] });
  caller.error(`${shown} is written. Read it, change what you like, and check it:

  ${self} validate ${shown}

Then name it in the settings of a stack, Pulumi.STACK.yaml (docs/reference/settings.md begins with a whole one):

  hearth:cloudsuites:
    - name: ${answers.name}
      config: ${relative(caller.project, file)}
`);
  return 0;
}
