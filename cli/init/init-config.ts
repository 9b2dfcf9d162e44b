import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkConfigFile } from "@hearth-platform/stack/areas/suites/config-file";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import type { LocatedProblem } from "@hearth-platform/stack/settings/located";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { parse } from "yaml";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, checkout, self, UsageError } from "../command.ts";
import { type Answers, defaults, endpointIn, limitsFor, loadOf } from "./answers.ts";
import { configText } from "./config-text.ts";
import type { FoundCluster } from "./found-cluster.ts";
import { type Kept, keysSecret, stackText } from "./stack-text.ts";

/** Answers about a new suite, and where to write it. */
interface Options {
  /** Name of the suite. */
  readonly name: string;
  /** The options' values. */
  readonly given: Partial<Answers>;
  /** A stack to write too. */
  readonly stack?: string | undefined;
  /** Where the suite's file goes. @default the suite's folder */
  readonly out?: string | undefined;
  /** The cluster to ask for what it has; undefined: none. */
  readonly cluster?: ClusterChoice | undefined;
  /** Nothing is to be asked. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Looks at a cluster. @throws Error where none answers */
export type FindCluster = (choice: ClusterChoice) => Promise<FoundCluster>;

/** Writes the config.yaml of a new suite, and the file of a new stack with it. @throws UsageError where there is nobody to ask */
export async function initConfig(options: Options, caller: Caller, find: FindCluster): Promise<number> {
  if (!caller.terminal && !options.yes && options.given.domain === undefined)
    throw new UsageError("There is no terminal for questions: set --domain, or use --yes for all defaults");
  const kept = options.stack === undefined ? {} : keptOf(options.stack, caller);
  if (kept === undefined) {
    caller.error(
      `Pulumi.${options.stack}.yaml has settings already, and stays as it is. Nothing was written. Name another stack, or write the suite alone (${self} init ${options.name}) and add it to the file's hearth:cloudsuites.\n`,
    );
    return 1;
  }
  const cluster = options.cluster && (await foundOrTold(options.cluster, caller, find));
  const answers = await answersTo(options, cluster, caller);
  if (!answers) return 1;
  const file = options.out ? resolve(caller.folder, options.out) : join(suitesOf(caller), options.name, "config.yaml");
  return write({ file, answers, cluster, kept, stack: options.stack, json: options.json }, caller);
}

/** What Pulumi has written into a stack's file; undefined where somebody has written settings. */
function keptOf(stack: string, { project }: Caller): Kept | undefined {
  const file = join(project, `Pulumi.${stack}.yaml`);
  const kept: Kept = existsSync(file) ? (parse(readFileSync(file, "utf8")) ?? {}) : {};
  return Object.keys(kept.config ?? {}).some((key) => key.startsWith(settingsPrefix)) ? undefined : kept;
}

async function foundOrTold(
  choice: ClusterChoice,
  caller: Caller,
  find: FindCluster,
): Promise<FoundCluster | undefined> {
  try {
    const found = await find(choice);
    caller.error(`Asked the cluster of context ${found.context} for its classes, issuers and stores.\n`);
    return found;
  } catch (error) {
    caller.error(`No cluster was asked, so the file names what the specification does: ${(error as Error).message}\n`);
    return undefined;
  }
}

/** The project's folder of suites; called from outside hearth's own, one where the caller is. */
function suitesOf({ folder, project }: Caller): string {
  const isInside = project !== checkout || !relative(project, folder).startsWith("..");
  return join(isInside ? project : folder, "suites");
}

/** The answers by options, and by questions at a terminal; undefined where the person ended them. */
async function answersTo(
  { name, given, yes, stack }: Options,
  cluster: FoundCluster | undefined,
  caller: Caller,
): Promise<Answers | undefined> {
  const withEndpoint = (answers: Answers): Answers => ({
    ...answers,
    endpoint:
      given.endpoint ?? (answers.endpoint === initial.endpoint ? endpointIn(answers.location) : answers.endpoint),
  });
  const initial = { ...defaults(name, cluster), ...given };
  if (yes || !caller.terminal) return withEndpoint(initial);
  const { ask, Cancelled } = await import("./questions.ts");
  try {
    return withEndpoint(await ask(initial, given, { isStack: stack !== undefined, cluster }));
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    caller.error(`${error.message}\n`);
    return undefined;
  }
}

interface Files {
  /** Absolute path of the suite's file. */
  readonly file: string;
  readonly answers: Answers;
  readonly cluster: FoundCluster | undefined;
  readonly kept: Kept;
  readonly stack: string | undefined;
  readonly json: boolean;
}

function write({ file, answers, cluster, kept, stack, json }: Files, caller: Caller): number {
  const schema = relative(dirname(file), join(checkout, "schemas", "config.schema.json"));
  const widening = limitsFor(answers, cluster);
  if (widening && stack === undefined)
    throw new UsageError(
      "A class or region beyond the specification's is allowed by a stack: name it with --stack, or see hearth:limits in docs/reference/settings.md",
    );
  const content = configText(answers, schema, widening);
  const shown = relative(caller.folder, file);
  const checked = checkConfigFile(shown, Buffer.from(content), {
    ...loadOf(answers.size),
    profile: answers.profile,
    limits: widening,
  });
  if (checked.problems.length > 0) return refuse(checked.problems, json, caller);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    caller.error(`${shown} exists already: move it, or name another file (--out). Nothing was written.\n`);
    return 1;
  }
  const config = relative(caller.project, file);
  if (stack === undefined) return told(shown, config, answers, json, caller);

  const stackFile = join(caller.project, `Pulumi.${stack}.yaml`);
  const before = existsSync(stackFile) ? readFileSync(stackFile) : undefined;
  writeFileSync(
    stackFile,
    stackText(stack, answers, config, {
      schemas: relative(caller.project, join(checkout, "schemas")),
      cluster,
      widening,
      kept,
    }),
  );
  const { source, problems } = sourceFromFile(caller.project, stack);
  const errors = source
    ? checkStack(caller.project, source).problems.filter(({ severity }) => severity === "error")
    : problems;
  if (errors.length > 0) {
    rmSync(file);
    if (before) writeFileSync(stackFile, before);
    else rmSync(stackFile);
    return refuse(errors, json, caller);
  }
  return toldStack(stack, shown, answers, json, caller);
}

function refuse(problems: readonly LocatedProblem[], json: boolean, caller: Caller): number {
  if (json) outputJson(caller, { problems: problems.map(problemRow) });
  caller.error(`Nothing was written. ${formatReport(problems)}\n`);
  return 1;
}

function told(shown: string, config: string, { name }: Answers, json: boolean, caller: Caller): number {
  if (json) outputJson(caller, { file: resolve(caller.folder, shown), problems: [] });
  caller.error(`${shown} is written. Read it, change what you like, and check it:

  ${self} validate ${shown}

Then name it in the settings of a stack, Pulumi.STACK.yaml (${self} init NAME --stack STACK writes both):

  hearth:cloudsuites:
    - name: ${name}
      config: ${config}
`);
  return 0;
}

function toldStack(stack: string, shown: string, answers: Answers, json: boolean, caller: Caller): number {
  const file = resolve(caller.folder, shown);
  const stackFile = join(caller.project, `Pulumi.${stack}.yaml`);
  if (json) outputJson(caller, { file, stackFile, problems: [] });
  const keys =
    answers.secretStore === undefined
      ? `\nThe keys of the object store stand in no file: docs/tutorial/k3s.md shows how to make the Secret ${keysSecret} while the first update runs.\n`
      : "";
  caller.error(`${shown} and ${relative(caller.folder, stackFile)} are written. Read them, change what you like, and go on:

  ${self} validate --stack ${stack} --offline
  ${self} prerequisites --stack ${stack}
  ${self} doctor --stack ${stack}
${keys}`);
  return 0;
}
