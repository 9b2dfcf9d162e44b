import { outputJson } from "../answer.ts";
import { type Caller, newCommand, type Session, self } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { environmentOf } from "../environment.ts";
import { jsonOption, sandboxOption, stackOption, yesOption } from "../options.ts";
import { type PulumiOutput, runPulumi } from "../pulumi.ts";
import { type Decision, decide, report } from "./decision.ts";
import { type Adopted, type Export, pendingCreates, withAdopted } from "./deployment.ts";
import { backendFolder, type FileBackend, type Lock, locksOf, release, removeTornNote } from "./file-backend.ts";
import { find, type OpenPlaces } from "./finding.ts";

/** `hearth heal`. @param means how the state and the objects are reached */
export function healCommand(session: Session, means = realMeans) {
  return newCommand("heal")
    .description(
      "Brings a stack back whose update was killed: what the update had made and not noted yet is taken into the state, and the lock of a process that ended is released.",
    )
    .addOption(stackOption())
    .addOption(sandboxOption("it needs no credentials; default: the pulumi on PATH, as you are logged in"))
    .addOption(yesOption("for pipelines"))
    .addOption(jsonOption("{stack, healed, locks, adopted, forgotten, foreign}"))
    .addHelpText(
      "after",
      `
It first shows what it would do, and asks. Only what this stack itself made is adopted; of anything else by the same name it
says where it is, and changes nothing. No object is changed or deleted.`,
    )
    .action(async ({ stack, sandbox = false, yes = false, json = false }) => {
      session.end(await heal({ stack, sandbox, yes, json }, session, means));
    });
}

/** How the state and the objects are reached. */
export interface Means {
  readonly pulumi: typeof runPulumi;
  readonly places: (environment: NodeJS.ProcessEnv) => Promise<OpenPlaces>;
}

const realMeans: Means = {
  pulumi: runPulumi,
  // The clients of clusters and object stores take their time to load.
  places: async (environment) => (await import("./places.ts")).openPlaces(environment),
};

/** Which stack, and how it is healed. */
export interface HealOptions {
  readonly stack: string;
  readonly sandbox: boolean;
  /** Nothing is asked. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Heals a stack and gives the exit status: 0 it is healed, or was well; 1 something is left for a person. */
export async function heal(options: HealOptions, caller: Caller, means = realMeans): Promise<number> {
  const { stack, sandbox, yes, json } = options;
  const pulumi = (args: readonly string[], input?: string) =>
    means.pulumi([...args, "--non-interactive", "--color", "never"], { sandbox, project: caller.project, input });
  const exported = async (...options: string[]) =>
    JSON.parse(succeeded(await pulumi(["stack", "export", "--stack", stack, ...options]))) as Export;

  const backend = await fileBackend(stack, pulumi);
  const locks = backend ? staleLocks(backend) : [];
  if (backend && removeTornNote(backend))
    caller.error("A note about the state's file was half written, and is removed. The state itself is whole.\n");
  const state = await exported();
  const creates = pendingCreates(state);
  // The values of secrets stay in this process: they are compared with what is there.
  const decisions = creates.length === 0 ? [] : await decisionsFor(await exported("--show-secrets"), sandbox, means);
  if (locks.length === 0 && creates.length === 0) {
    if (json) outputJson(caller, answer(stack, true, locks, decisions));
    caller.error(`Nothing is to be healed: no update of stack ${stack} ended before it noted what it made.\n`);
    return 0;
  }
  caller.error(`An update of stack ${stack} was killed.\n${locks.map(shownLock).join("")}${report(decisions)}`);
  if (!yes && !(await isConfirmed(question, caller))) {
    caller.error("Nothing was changed.\n");
    return 1;
  }
  for (const lock of locks) release(lock);
  const adopted = new Map<string, Adopted>(
    decisions.flatMap((each) => (each.verdict === "adopt" ? [[each.resource.urn, each.adopted] as const] : [])),
  );
  if (creates.length > 0) {
    succeeded(await pulumi(["stack", "import", "--stack", stack], JSON.stringify(withAdopted(state, adopted))));
    if (adopted.size > 0) {
      const targets = [...adopted.keys()].flatMap((urn) => ["--target", urn]);
      succeeded(await pulumi(["refresh", "--stack", stack, "--yes", "--skip-preview", ...targets]));
    }
  }
  const foreign = decisions.filter(({ verdict }) => verdict === "foreign");
  if (json) outputJson(caller, answer(stack, foreign.length === 0, locks, decisions));
  caller.error(
    foreign.length === 0
      ? `Stack ${stack} is healed. Go on with the update.\n`
      : `Stack ${stack} is healed but for what is named "leave" above: it is not this stack's. Rename or remove it, or take it in with pulumi import; the update can't make it while it is there.\n`,
  );
  return foreign.length === 0 ? 0 : 1;
}

type Run = (args: readonly string[], input?: string) => Promise<PulumiOutput>;

async function decisionsFor(shown: Export, sandbox: boolean, means: Means): Promise<Decision[]> {
  const places = await means.places(await environmentOf(sandbox));
  try {
    return await Promise.all(
      pendingCreates(shown).map(async (create) => decide(create.resource, await find(create, places))),
    );
  } finally {
    await places.close();
  }
}

/** The backend, where it is a folder of this machine. */
async function fileBackend(stack: string, pulumi: Run): Promise<FileBackend | undefined> {
  const { url = "" } = JSON.parse(succeeded(await pulumi(["whoami", "--json"]))) as { url?: string };
  const folder = backendFolder(url);
  return folder === undefined ? undefined : { folder, project: "hearth", stack };
}

/** The locks of processes of this machine that have ended. @throws Error where another process works on the stack */
function staleLocks(backend: FileBackend): Lock[] {
  const { stack } = backend;
  const locks = locksOf(backend);
  const held = locks.find(({ stale }) => !stale);
  if (held)
    throw new Error(
      `Stack ${stack} is locked: process ${held.pid} of ${held.host} works on it. Wait until it is done. If it has ended on ${held.host}, run ${self} heal there.`,
    );
  return locks;
}

const shownLock = ({ pid }: Lock) => `  release  the lock of process ${pid} of this machine, which has ended\n`;

const question = {
  message: "Do this?",
  initialValue: true,
  unasked: "heal asks before it changes the state, and this is not a terminal: add --yes if you mean it",
};

/** What Pulumi printed. @throws Error with its own words where it failed */
function succeeded({ stdout, stderr, succeeded }: PulumiOutput): string {
  if (!succeeded) throw new Error(`Pulumi failed: ${stderr.trim() || stdout.trim()}`);
  return stdout;
}

function answer(stack: string, healed: boolean, locks: readonly Lock[], decisions: readonly Decision[]) {
  const of = (verdict: Decision["verdict"]) =>
    decisions.filter((each) => each.verdict === verdict).map(({ resource: { urn }, why }) => ({ urn, why }));
  return {
    ...{ stack, healed, locks: locks.map(({ pid, host }) => ({ pid, host })) },
    ...{ adopted: of("adopt"), forgotten: of("forget"), foreign: of("foreign") },
  };
}
