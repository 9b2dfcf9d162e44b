import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkConfigFile } from "../settings/config-file.ts";
import { formatReport } from "../settings/report.ts";
import { type Answers, defaults, loadOf } from "./answers.ts";
import { type Asked, help, readArguments } from "./arguments.ts";
import { configText } from "./config-text.ts";

const project = join(import.meta.dirname, "..");

async function main(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  if (asked === "help") {
    process.stdout.write(help);
    return 0;
  }
  if ("misuse" in asked) {
    process.stderr.write(`${asked.misuse}\nSee: npm run init-config -- --help\n`);
    return 2;
  }
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
  if (!terminal && !asked.yes && asked.given.domain === undefined) {
    process.stderr.write("There is no terminal to ask at: say --domain, or --yes for every default.\n");
    return 2;
  }
  const answers = await answersTo(asked, terminal && !asked.yes);
  if (!answers) return 1;
  // npm changes to the project's folder and remembers where it was called.
  const file = asked.out
    ? resolve(process.env.INIT_CWD ?? "", asked.out)
    : join(project, "suites", asked.name, "config.yaml");
  return write(file, answers);
}

/** The answers by options, and by questions at a terminal; undefined where the person ended them. */
async function answersTo({ name, given }: Asked, asking: boolean): Promise<Answers | undefined> {
  const initial = { ...defaults(name), ...given };
  if (!asking) return initial;
  const { ask, Cancelled } = await import("./questions.ts");
  try {
    return await ask(initial, given);
  } catch (problem) {
    if (!(problem instanceof Cancelled)) throw problem;
    process.stderr.write(`${problem.message}\n`);
    return undefined;
  }
}

function write(file: string, answers: Answers): number {
  const schema = relative(dirname(file), join(project, "schemas", "config.schema.json"));
  const content = configText(answers, schema);
  const shown = relative(process.env.INIT_CWD ?? "", file);
  const { faults } = checkConfigFile(shown, Buffer.from(content), {
    ...loadOf(answers.size),
    profile: answers.profile,
  });
  if (faults.length > 0) {
    process.stderr.write(`Nothing was written. ${formatReport(faults)}\n`);
    return 1;
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: "wx" });
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "EEXIST") throw problem;
    process.stderr.write(`${shown} is there already: move it, or name another file (--out). Nothing was written.\n`);
    return 1;
  }
  process.stderr.write(`${shown} is written. Read it, change what you like, and check it:

  npm run validate -- ${shown}

Then name it in the settings of a stack, Pulumi.STACK.yaml:

  hearth:cloudsuites:
    - name: ${answers.name}
      config: ${relative(project, file)}
`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
