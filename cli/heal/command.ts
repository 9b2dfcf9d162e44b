import { resolve } from "node:path";
import { isEmptyState, lostState } from "@hearth-platform/stack/live/preflight/lost-state";
import { leaveInPlace } from "@hearth-platform/stack/live/preflight/taken";
import { outputJson } from "../answer.ts";
import { type Caller, newCommand, type Session } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { environmentOf } from "../environment.ts";
import { configFileOption, jsonOption, sandboxOption, stackOption, yesOption } from "../options.ts";
import {
  adoptedOf,
  type Decision,
  decide,
  decideDelete,
  decideIncomplete,
  healAnswer,
  report,
  shownAs,
} from "./decision.ts";
import {
  type Export,
  incomplete,
  type PendingCreate,
  type PendingDelete,
  pendingCreates,
  pendingDeletes,
  type StateResource,
  withAdopted,
} from "./deployment.ts";
import { release, removeTornNote, type StateLock } from "./file-backend.ts";
import { find, isGone } from "./finding.ts";
import { healLostState } from "./lost-state.ts";
import { plainValues, withoutPlainValues } from "./plain-values.ts";
import { propose } from "./proposal.ts";
import {
  exported,
  fileBackend,
  type HealMeans,
  type HealOptions,
  imported,
  pulumiOf,
  type Run,
  realMeans,
  shownLock,
  stackOptions,
  staleLocks,
  succeeded,
} from "./stack-state.ts";
import { proposedCreates, unfinishedSince } from "./unnoted.ts";

/** `hearth heal`. @param means how the state and the objects are reached */
export function healCommand(session: Session, means = realMeans) {
  return newCommand("heal")
    .description(
      "Repairs a stack after an update was killed or lost a provider. It adds the objects that the update made but did not record to the state, and releases the lock of a process that has ended. Secret values that stand in plain text in the state are encrypted. With --lost-state it makes the state of a platform anew from the cluster.",
    )
    .addOption(stackOption())
    .addOption(sandboxOption("it needs no credentials; default: the pulumi on PATH, with your login"))
    .addOption(configFileOption())
    .option("--lost-state", "take in all of a platform that the state does not know, with its generated values")
    .addOption(yesOption("for pipelines"))
    .addOption(jsonOption("{stack, healed, locks, rewritten, adopted, forgotten, foreign}"))
    .addHelpText(
      "after",
      `
It first shows what it would do, and asks. It adopts only objects that this stack made. If another object has the same name,
it says where, and leaves it alone. It changes and deletes no object.`,
    )
    .action(async ({ stack, sandbox = false, yes = false, json = false, lostState = false, configFile: file }) => {
      const options = { stack, sandbox, yes, json, configFile: file && resolve(session.folder, file) };
      session.end(await (lostState ? healLostState : heal)(options, session, means));
    });
}

/** Heals a stack and gives the exit status: 0 it is healed, or was well; 1 something is left for a person. */
export async function heal(options: HealOptions, caller: Caller, means = realMeans): Promise<number> {
  const first = await healOnce(options, caller, means);
  // The program refuses plain values, so only now a preview can tell what else an update made.
  const again = first.isHealed && first.plain.length > 0 && first.since !== undefined;
  const passes = again ? [first, await healOnce(options, caller, means, first.since)] : [first];
  const isHealed = passes.every((pass) => pass.isHealed);
  if (options.json && passes.every((pass) => pass.isAllowed))
    outputJson(
      caller,
      healAnswer(options.stack, isHealed, {
        locks: passes.flatMap(({ locks }) => locks),
        rewritten: passes.flatMap(({ plain }) => plain),
        decisions: passes.flatMap(({ decisions }) => decisions),
      }),
    );
  return isHealed ? 0 : 1;
}

/** @param since when it is known from which time on updates made objects */
async function healOnce(options: HealOptions, caller: Caller, means: HealMeans, since?: Date) {
  const { stack, yes } = options;
  const pulumi = pulumiOf(options, caller, means);
  const found = await examine(options, pulumi, caller, means, since);
  const { locks, plain, decisions, isWhole } = found;
  const foreign = decisions.filter(({ verdict }) => verdict === "foreign");
  const isHealed = foreign.length === 0 && isWhole;
  if (locks.length + plain.length + decisions.length > 0) {
    const lines = [...locks.map(shownLock), ...plain.map(shownPlain), report(decisions)];
    caller.error(`${headline(stack, found)}\n${lines.join("")}`);
    if (!yes && !(await isConfirmed(question, caller))) {
      caller.error("Nothing was changed.\n");
      return { ...found, isHealed: false, isAllowed: false };
    }
    await mend(options, found, pulumi);
    caller.error(foreign.length === 0 ? `Stack ${stack} is healed. Run the update again.\n` : leftAlone(stack));
    if (plain.length > 0) caller.error(oldCopies);
  } else if (isWhole)
    caller.error(`Nothing to heal: the state of stack ${stack} has every object that its updates made.\n`);
  return { ...found, isHealed, isAllowed: true };
}

/** Leftovers of a killed or failed update. */
interface Remains {
  /** With its secrets encrypted, and those that were not rewritten. */
  readonly state: Export;
  /** Secret values that stood in plain text. */
  readonly plain: readonly StateResource[];
  /** From when on updates may have made objects; undefined if all are recorded. */
  readonly since?: Date;
  readonly locks: readonly StateLock[];
  /** Creates that the state says were under way. */
  readonly noted: readonly PendingCreate[];
  /** URNs of objects whose delete was under way, and which are gone. */
  readonly gone: ReadonlySet<string>;
  /** Others that a failed update may have made. */
  readonly unnoted: readonly PendingCreate[];
  readonly decisions: readonly Decision[];
  /** False where the unnoted ones can't be told. */
  readonly isWhole: boolean;
}

async function examine(
  options: HealOptions,
  pulumi: Run,
  caller: Caller,
  means: HealMeans,
  known: Date | undefined,
): Promise<Remains> {
  const { stack, sandbox } = options;
  const backend = await fileBackend(options, pulumi);
  const locks = backend ? staleLocks(backend) : [];
  if (backend && removeTornNote(backend))
    caller.error("Removed a half-written note about the state's file. The state itself is complete.\n");
  const recorded = await exported(options, pulumi);
  const plain = plainValues(recorded);
  // The values of secrets stay in this process: they are rewritten, and compared with what is there.
  const inClear = () => exported(options, pulumi, "--show-secrets");
  const state = plain.length === 0 ? recorded : withoutPlainValues(recorded, await inClear());
  const noted = pendingCreates(state);
  const deletes = pendingDeletes(state);
  const wasKilled = noted.filter(({ isRecorded }) => !isRecorded).length + deletes.length + locks.length > 0;
  // An empty state may be a lost one: the preview tells.
  const lookedAt = isEmptyState(state.deployment?.resources ?? []) ? new Date() : undefined;
  const history = async () =>
    JSON.parse(succeeded(await pulumi(["stack", "history", "--json", "--page-size", farthest, "--stack", stack])));
  const since = known ?? unfinishedSince(await history(), state, wasKilled) ?? lookedAt;
  const shown: Export = since === undefined ? state : await inClear();
  const unnoted =
    since === undefined || plain.length > 0 ? [] : await unnotedCreates(shown, since, options, pulumi, caller);
  const creates = [...pendingCreates(shown), ...(unnoted ?? [])];
  const looked = await lookedFor(creates, deletes, sandbox, means);
  const decisions = [...incomplete(state).map(decideIncomplete), ...looked.decisions];
  const { gone } = looked;
  return { state, plain, since, locks, noted, gone, unnoted: unnoted ?? [], decisions, isWhole: unnoted !== undefined };
}

/** How many operations back the updates may lie that failed one after another. */
const farthest = "100";

/** Releases locks, and takes the rewritten state with what is to be adopted. */
async function mend(options: HealOptions, { state, plain, locks, gone, unnoted, decisions }: Remains, pulumi: Run) {
  for (const lock of locks) release(lock);
  const adopted = adoptedOf(decisions);
  const begun = pendingCreates(state).length + pendingDeletes(state).length;
  if (begun + plain.length + adopted.size === 0) return;
  const healed = withAdopted(
    state,
    adopted,
    unnoted.map(({ resource }) => resource),
    gone,
  );
  await imported(options, pulumi, healed, [...adopted.keys()]);
}

function headline(stack: string, { locks, noted, gone, plain }: Remains): string {
  if (locks.length + noted.length + gone.size > 0) return `An update of stack ${stack} was killed.`;
  if (plain.length > 0) return `The state of stack ${stack} holds secret values in plain text.`;
  return `An update of stack ${stack} failed, and some objects it made are missing in the state, or incomplete.`;
}

const oldCopies =
  'The state\'s history, backups and other copies still hold these values in plain text: docs/explanation/data.md, "Secrets in old states", says what to rotate.\n';

const leftAlone = (stack: string) =>
  `Stack ${stack} is healed, except for the objects marked "leave" above, which this stack did not make. The update can't create its own while they exist. ${leaveInPlace}\n`;

/** Objects that updates since then may have made without recording them; undefined if that can't be determined, which is reported. */
async function unnotedCreates(
  shown: Export,
  since: Date,
  options: HealOptions,
  pulumi: Run,
  caller: Caller,
): Promise<PendingCreate[] | undefined> {
  try {
    return proposedCreates(await propose(pulumi, stackOptions(options), "forgotten"), shown, since);
  } catch (error) {
    const { message } = error as Error;
    const lost = message.indexOf(lostState);
    if (lost >= 0) caller.error(`${message.slice(lost).trimEnd()}\n`);
    else
      caller.error(
        `Heal can't find out what the last update of stack ${options.stack} made just before it failed, because a preview fails:\n${message}\n`,
      );
    return undefined;
  }
}

/** Looks for what creates made, and what deletes left. */
async function lookedFor(
  creates: readonly PendingCreate[],
  deletes: readonly PendingDelete[],
  sandbox: boolean,
  means: HealMeans,
): Promise<{ decisions: Decision[]; gone: ReadonlySet<string> }> {
  if (creates.length + deletes.length === 0) return { decisions: [], gone: new Set() };
  const places = await means.places(await environmentOf(sandbox));
  try {
    const made = creates.map(async (create) => {
      const decision = decide(create.resource, await find(create, places));
      // Objects that the next up creates anyway are not reported.
      return create.since && decision.verdict === "forget" ? [] : [decision];
    });
    const left = deletes.map(async (each) => ({ resource: each.resource, isGone: await isGone(each, places) }));
    const [found, looked] = await Promise.all([Promise.all(made), Promise.all(left)]);
    return {
      decisions: [...found.flat(), ...looked.map((each) => decideDelete(each.resource, each.isGone))],
      gone: new Set(looked.flatMap((each) => (each.isGone ? [each.resource.urn] : []))),
    };
  } finally {
    await places.close();
  }
}

const shownPlain = (resource: StateResource) =>
  `  rewrite ${shownAs(resource)}: Its value is encrypted and stays the same.\n`;

const question = {
  message: "Do this?",
  initialValue: true,
  unasked: "heal asks before it changes the state, and this is not a terminal: add --yes if you mean it",
};
