import * as pulumi from "@pulumi/pulumi";
import { dataName, type Plan } from "../plan.ts";
import { errorsOf, type Problem, problemsOfMade } from "../problems.ts";
import { programWords, type Words } from "../words.ts";
import type { Recorded } from "./recorded.ts";
import { madeNames, type RecordedResource, recordedState } from "./recorded-state.ts";
import { type ChangeChecks, inOneLine, refusalText } from "./refusals.ts";

/** What the engine asks before it changes, makes or deletes a component. */

/**
 * The options of a component with a hook that refuses changes which lose data, at preview and before the update; warnings are shown.
 * Objects that the stack never made hold no data: a first update that failed can be corrected.
 * Give them to `super`: the engine calls the hook with the component's recorded arguments.
 * @param type the component's type token; with `name` it makes the hook's name unique in the program
 * @throws (from the engine, in its hook) Error with every refusal and its remedy
 */
export function refusingChanges<Args>(
  type: string,
  name: string,
  { changes, creation }: Pick<ChangeChecks<Args>, "changes" | "creation">,
  options?: pulumi.ComponentResourceOptions,
): pulumi.ComponentResourceOptions {
  if (!takesHooks()) return options ?? {};
  const words = programWords();
  const tell = (headline: string, problems: readonly Problem[]) => report(name, headline, problems, words);
  const hook = (suffix: string, callback: pulumi.ResourceHookFunction) =>
    new pulumi.ResourceHook(`${type}/${name}${suffix}`, callback, { onDryRun: true });
  const beforeUpdate = hook("", async ({ oldInputs, newInputs }) => {
    // Without the recorded arguments nothing can be compared: refusing is the safe side.
    if (!isRecorded(oldInputs) || !isRecorded(newInputs))
      throw new Error(
        `${name}: the state has no arguments of this component to compare with. ` +
          "Run Pulumi without PULUMI_NODEJS_SKIP_COMPONENT_INPUTS.",
      );
    const [before, now] = [oldInputs as Recorded<Args>, newInputs as Recorded<Args>];
    tell("can't be changed like this", await ofMade(changes(before, now)));
  });
  const beforeCreate =
    creation && hook("/create", ({ newInputs }) => tell("can't be made", creation(newInputs as Recorded<Args>)));
  return pulumi.mergeOptions(options, {
    hooks: { beforeUpdate: [beforeUpdate], ...(beforeCreate && { beforeCreate: [beforeCreate] }) },
  });
}

/**
 * Whether there is somebody to register hooks with. Pulumi's mocks lack the call, and a unit test ends in a TypeError
 * (pulumi/pulumi#20874). They change nothing that has data.
 */
function takesHooks(): boolean {
  const monitor = pulumi.runtime.getMonitor() as object | undefined;
  return monitor === undefined || "registerResourceHook" in monitor;
}

/** The problems without those of data that was never made. */
async function ofMade(problems: readonly Problem[]): Promise<readonly Problem[]> {
  const state = problems.some(({ onlyIfMade }) => onlyIfMade) ? await recordedState() : undefined;
  return state ? problemsOfMade(problems, state.made) : problems;
}

/** Shows the warnings, then refuses with all errors in one message. */
function report(name: string, headline: string, problems: readonly Problem[], words: Words): void {
  const errors = errorsOf(problems);
  for (const problem of problems)
    if (!errors.includes(problem)) pulumi.log.warn(words(`${name}: ${inOneLine(problem)}`));
  if (errors.length > 0) throw new Error(words(refusalText(`${name} ${headline}:`, errors)));
}

function isRecorded(inputs: unknown): boolean {
  return typeof inputs === "object" && inputs !== null && Object.keys(inputs).length > 0;
}

/**
 * Names of what a plan protects, as `allowDataLoss` has them; none that may be lost. Buckets are left out: one that is to be
 * kept is taken out of the state by hand before its component goes.
 */
export function protectedNames(plan: Plan, allowDataLoss: readonly string[] = []): string[] {
  const objects = plan.objects.filter(({ holdsData, dataName: other }) => holdsData && other === undefined);
  const secrets = plan.secrets.filter(({ neverChanges }) => neverChanges);
  const names = [
    ...objects.map(({ object: { metadata } }) => dataName(metadata.name, metadata.namespace)),
    ...secrets.map(({ name, namespace }) => dataName(name, namespace)),
  ];
  return [...new Set(names)].filter((name) => !allowDataLoss.includes(name)).sort();
}

/**
 * The options of a component with a hook that stops `destroy` before it deletes anything, also with `--skip-preview`: the
 * engine refuses a state that has hooks on deletion, and names them (pkg/engine/destroy.go). So the hook's name is the message.
 * @param component its name, which makes the hook's name unique in the program: after a mistaken rename two components name the same objects
 * @param names what the component protects; none: it may go
 */
export function refusingDestroy(
  component: string,
  names: readonly string[],
  options: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
  if (names.length === 0 || !takesHooks()) return options;
  const message = programWords()(
    `${component} holds data. To delete it, first set \`platform.allowDataLoss: [${names.join(", ")}]\` and run \`up\`. --run-program does not help (docs/explanation/data.md)`,
  );
  const hook = new pulumi.ResourceHook(
    message,
    async ({ urn }) => {
      const state = await recordedState();
      if (!state || holdsData(state.resources, urn, names)) throw new Error(`${message}.`);
    },
    { onDryRun: true },
  );
  return pulumi.mergeOptions(options, { hooks: { beforeDelete: [hook] } });
}

/** Whether the state has data of a component as its own: another one may have made what has the same name. */
export function holdsData(resources: readonly RecordedResource[], urn: string, names: readonly string[]): boolean {
  const own = madeNames(resources.filter(({ parent }) => parent === urn));
  return names.some((name) => own.has(name));
}
