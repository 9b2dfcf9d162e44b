import * as pulumi from "@pulumi/pulumi";
import { error, errorsOf, type Fault } from "./faults.ts";
import { parseQuantity } from "./quantities.ts";
import { mayDowngrade } from "./versions.ts";

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

/** A change of one argument of the object `object`, as the checks below judge it. */
export interface Change {
  /** Path of the argument, e.g. `storage.dbSize`. */
  readonly path: string;
  /** Name of the Kubernetes object or bucket whose data is at stake; in `allowDataLoss` it is the unlock. */
  readonly object: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** Refuses a smaller volume: Kubernetes can't shrink one, only a new volume is smaller. */
export function refuseShrink(change: Change, allowDataLoss: readonly string[] | undefined): Fault[] {
  const before = parseQuantity(change.before ?? "");
  const now = parseQuantity(change.now ?? "");
  if (before === undefined || now === undefined || now >= before) return [];
  return refusal(
    "volume-shrinks",
    change,
    allowDataLoss,
    `shrinks the volume from ${change.before} to ${change.now}, which no volume can.`,
    `Keep ${change.before} or more.`,
  );
}

/** Refuses an older version over newer data; a version that can't be read counts as older. */
export function refuseDowngrade(change: Change, allowDataLoss: readonly string[] | undefined): Fault[] {
  if (change.before === undefined || change.now === undefined || !mayDowngrade(change.before, change.now)) return [];
  return refusal(
    "version-downgrade",
    change,
    allowDataLoss,
    `goes from ${change.before} to ${change.now}: older programs can't read newer data.`,
    `Keep ${change.before} or take a newer version; to go back, restore a backup of that version.`,
  );
}

/** Refuses any change of an argument that the data is found by, such as a bucket's name. */
export function refuseChange(change: Change, allowDataLoss: readonly string[] | undefined): Fault[] {
  if (change.before === change.now) return [];
  return refusal(
    "data-left-behind",
    change,
    allowDataLoss,
    `changes from ${change.before ?? "none"} to ${change.now ?? "none"}, which leaves the data of ${change.object} behind.`,
    `Keep ${change.before ?? "it unset"}, or move the data first.`,
  );
}

function refusal(
  code: string,
  { path, object }: Change,
  allowDataLoss: readonly string[] | undefined,
  message: string,
  remedy: string,
): Fault[] {
  if (allowDataLoss?.includes(object)) return [];
  const unlock = `Where the data of ${object} may be lost, add "${object}" to allowDataLoss.`;
  return [error(code, path, message, `${remedy} ${unlock}`)];
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
