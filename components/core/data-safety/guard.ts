import * as pulumi from "@pulumi/pulumi";
import { errorsOf, type Problem, problemsOfMade } from "../problems.ts";
import type { Recorded } from "./recorded.ts";
import { recordedState } from "./recorded-state.ts";

/** Problems of a change from the arguments a component has in state to the ones the program gives it now. */
export type ChangeCheck<Args> = (before: Recorded<Args>, now: Recorded<Args>) => Problem[];

/** Problems of the arguments of a component that is new. */
type CreationCheck<Args> = (now: Recorded<Args>) => Problem[];

/**
 * The options of a component with a hook that refuses changes which lose data, at preview and before the update; warnings are shown.
 * Objects that the stack never made hold no data: a first update that failed can be corrected.
 * Give them to `super`: the engine calls the hook with the component's recorded arguments.
 * @param type the component's type token; with `name` it makes the hook's name unique in the program
 * @param creation what is refused or warned of where the component is new
 * @throws (from the engine, in its hook) Error with every refusal and its remedy
 */
export function guarded<Args>(
  type: string,
  name: string,
  check: ChangeCheck<Args>,
  options?: pulumi.ComponentResourceOptions,
  creation?: CreationCheck<Args>,
): pulumi.ComponentResourceOptions {
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
    report(name, "can't be changed like this", await ofMade(check(before, now)));
  });
  const beforeCreate =
    creation &&
    hook("/create", ({ newInputs }) => report(name, "can't be made", creation(newInputs as Recorded<Args>)));
  return pulumi.mergeOptions(options, {
    hooks: { beforeUpdate: [beforeUpdate], ...(beforeCreate && { beforeCreate: [beforeCreate] }) },
  });
}

/** The problems without those of data that was never made. */
async function ofMade(problems: readonly Problem[]): Promise<readonly Problem[]> {
  const state = problems.some(({ onlyIfMade }) => onlyIfMade) ? await recordedState() : undefined;
  return state ? problemsOfMade(problems, state.made) : problems;
}

/** Shows the warnings, then refuses with all errors in one message. */
function report(name: string, headline: string, problems: readonly Problem[]): void {
  const line = ({ path, message, remedy }: Problem) => `${path}: ${message} ${remedy}`;
  const errors = errorsOf(problems);
  for (const problem of problems) if (!errors.includes(problem)) pulumi.log.warn(`${name}: ${line(problem)}`);
  if (errors.length > 0)
    throw new Error([`${name} ${headline}:`, ...errors.map((problem) => `- ${line(problem)}`)].join("\n"));
}

function isRecorded(inputs: unknown): boolean {
  return typeof inputs === "object" && inputs !== null && Object.keys(inputs).length > 0;
}

/**
 * Refuses wrong arguments of a component, all errors in one report.
 * @throws pulumi.InputPropertiesError with the path of each
 */
export function requireValid(name: string, problems: readonly Problem[]): void {
  const errors = errorsOf(problems).map(({ path, message, remedy }) => ({
    propertyPath: path,
    reason: `${message} ${remedy}`,
  }));
  if (errors.length > 0) throw new pulumi.InputPropertiesError({ message: `${name} can't be deployed`, errors });
}
