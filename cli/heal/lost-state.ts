import { isEmptyState } from "@hearth-platform/stack/live/preflight/lost-state";
import { stackParts } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/settings/report";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { outputJson } from "../answer.ts";
import type { Caller } from "../command.ts";
import { isConfirmed } from "../confirm.ts";
import { environmentOf } from "../environment.ts";
import { checkedStack } from "../stack.ts";
import { adoptedKinds, adoptedOf, type Decision, healAnswer, report } from "./decision.ts";
import { type Export, inEngineOrder, withAdopted } from "./deployment.ts";
import { release, removeTornNote, type StateLock } from "./file-backend.ts";
import { lookForPlatform } from "./platform.ts";
import { propose } from "./proposal.ts";
import {
  exported,
  fileBackend,
  type HealMeans,
  type HealOptions,
  imported,
  pulumiOf,
  shownLock,
  stackOptions,
  staleLocks,
} from "./stack-state.ts";

/**
 * Makes the state of a platform anew that is in the cluster, or adds what an older copy of it lacks. Until the one write of
 * the new state nothing changes, so that it can be ended at any moment and run again.
 * @returns the exit status: 0 the state knows all that there is, 1 something is left for a person
 * @throws Error where the cluster or Pulumi fails
 */
export async function healLostState(options: HealOptions, caller: Caller, means: HealMeans): Promise<number> {
  const stack = stackOf(options, caller);
  if (!stack) return 1;
  const pulumi = pulumiOf(options, caller, means);
  const backend = await fileBackend(options, pulumi);
  const locks = backend ? staleLocks(backend) : [];
  if (backend) removeTornNote(backend);
  const state = await exported(options, pulumi, "--show-secrets");
  // Without it Pulumi can't take a state with secrets.
  if (!state.deployment?.secrets_providers) throw new Error(unencrypted(options.stack));
  const proposal = await propose(pulumi, stackOptions(options), "lost-state");
  const places = await means.places(await environmentOf(options.sandbox));
  const plans = stackParts(stack).flatMap((part) => part.named());
  const { decisions, gone } = await lookForPlatform(proposal, state, plans, places).finally(() => places.close());
  const foreign = decisions.filter(({ verdict }) => verdict === "foreign");
  const adopted = adoptedOf(decisions);
  const isHealed = foreign.length === 0;
  const answer = () =>
    options.json && outputJson(caller, healAnswer(options.stack, isHealed, { locks, rewritten: [], decisions }));
  if (adopted.size + foreign.length + gone.size === 0) {
    for (const lock of locks) release(lock);
    caller.error(`The state of stack ${options.stack} knows all that is there of its platform.\n`);
    answer();
    return 0;
  }
  const isEmpty = isEmptyState(state.deployment?.resources ?? []);
  caller.error(shown(options.stack, isEmpty, decisions, locks));
  if (!options.yes && !(await isConfirmed(question, caller))) {
    caller.error("Nothing was changed.\n");
    return 1;
  }
  for (const lock of locks) release(lock);
  if (adopted.size + gone.size > 0) {
    const resources = decisions.map(({ resource }) => resource);
    const whole = inEngineOrder(withAdopted(without(state, gone), adopted, resources));
    // What the providers of object stores record of a bucket, they alone know.
    await imported(
      options,
      pulumi,
      whole,
      [...adopted.keys()].filter((urn) => /\$aws:[^$]*::/.test(urn)),
    );
  }
  caller.error(isHealed ? done(options.stack) : leftAlone(options.stack));
  answer();
  return isHealed ? 0 : 1;
}

function without(state: Export, gone: ReadonlySet<string>): Export {
  const { resources = [] } = state.deployment ?? {};
  return { ...state, deployment: { ...state.deployment, resources: resources.filter(({ urn }) => !gone.has(urn)) } };
}

function stackOf({ stack: name, json, configFile }: HealOptions, caller: Caller): Stack | undefined {
  const checked = checkedStack({ stack: name, configFile }, caller);
  if (checked.stack) return checked.stack;
  if (json) outputJson(caller, healAnswer(name, false, { locks: [], rewritten: [], decisions: [] }));
  caller.error(`Nothing was changed. ${formatReport(checked.problems)}\n`);
  return undefined;
}

function shown(stack: string, isEmpty: boolean, decisions: readonly Decision[], locks: readonly StateLock[]): string {
  const others = decisions.filter(({ verdict }) => verdict !== "adopt");
  return [
    isEmpty
      ? `The state of stack ${stack} is empty. A copy of the state is better than a new one: docs/how-to/state.md says where copies are. If another stack has this platform, use that stack.\n`
      : `The state of stack ${stack} lacks a part of what is there.\n`,
    "It is compared with the settings as they are now: use those of the last update, and its version of hearth.\n",
    ...locks.map(shownLock),
    adoptedKinds(decisions),
    report(others),
  ].join("");
}

const unencrypted = (stack: string) =>
  `The state of stack ${stack} says nothing of its encryption. Run \`pulumi up --stack ${stack}\` once: it is refused and changes nothing of the platform, but begins the state. Then run this again.`;

const question = {
  message: "Take these into the state? No object changes.",
  initialValue: true,
  unasked: "heal asks before it changes the state, and this is not a terminal: add --yes if you mean it",
};

const done = (stack: string) =>
  `The state of stack ${stack} has its platform. Run \`pulumi preview\`: it should change nothing of what is there. Then run \`pulumi up\`, which also records the stack's outputs. Keep a copy of the state (docs/how-to/state.md).\n`;

const leftAlone = (stack: string) =>
  `The state of stack ${stack} has its platform, except for the objects marked "leave" above. They are others', or are not as the settings say, and an update can't create its own beside them. Leave them in place: they may hold data. For one that differs, use the settings and the version of hearth of the last update, and run this again. For one of others, find out whose it is, then give this stack's object another name in its settings.\n`;
