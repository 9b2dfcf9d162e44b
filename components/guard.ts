import * as pulumi from "@pulumi/pulumi";
import { errorsOf, type Fault } from "./faults.ts";

/** Faults of a change from the arguments a component has in state to the ones the program gives it now. */
export type ChangeCheck<Args> = (before: Args, now: Args) => Fault[];

/**
 * The options of a component with a hook that refuses changes which lose data, at preview and before the update.
 * Give them to `super`: the engine calls the hook with the component's recorded arguments.
 * @param type the component's type token; with `name` it makes the hook's name unique in the program
 * @throws (from the engine, in its hook) Error with every refusal and its remedy
 */
export function guarded<Args>(
  type: string,
  name: string,
  check: ChangeCheck<Args>,
  options?: pulumi.ComponentResourceOptions,
): pulumi.ComponentResourceOptions {
  const hook = new pulumi.ResourceHook(
    `${type}/${name}`,
    ({ oldInputs, newInputs }) => refuse(name, check, oldInputs, newInputs),
    { onDryRun: true },
  );
  return pulumi.mergeOptions(options, { hooks: { beforeUpdate: [hook] } });
}

function refuse<Args>(name: string, check: ChangeCheck<Args>, before: unknown, now: unknown): void {
  // Without the recorded arguments nothing can be compared: refusing is the safe side.
  if (!isRecorded(before) || !isRecorded(now))
    throw new Error(
      `${name}: the state has no arguments of this component to compare with. ` +
        "Run Pulumi without PULUMI_NODEJS_SKIP_COMPONENT_INPUTS.",
    );
  const faults = errorsOf(check(before as Args, now as Args));
  if (faults.length === 0) return;
  const lines = faults.map((fault) => `- ${fault.path}: ${fault.message} ${fault.remedy}`);
  throw new Error(`${name} would lose data:\n${lines.join("\n")}`);
}

function isRecorded(inputs: unknown): boolean {
  return typeof inputs === "object" && inputs !== null && Object.keys(inputs).length > 0;
}

/**
 * Refuses wrong arguments of a component, all errors in one report.
 * @throws pulumi.InputPropertiesError with the path of each
 */
export function requireValid(name: string, faults: readonly Fault[]): void {
  const errors = errorsOf(faults).map(({ path, message, remedy }) => ({
    propertyPath: path,
    reason: `${message} ${remedy}`,
  }));
  if (errors.length > 0) throw new pulumi.InputPropertiesError({ message: `${name} can't be deployed`, errors });
}
