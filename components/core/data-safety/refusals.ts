/** Single changes that lose data, refused with the right way to do it and the setting that allows the loss. `hooks.ts` asks for them in the engine. */

import type { StorePlatformArgs } from "../platform-args.ts";
import { error, onlyIfMade, type Problem } from "../problems.ts";
import { exceeds } from "../quantities.ts";
import { mayDowngrade } from "../versions.ts";
import { type Recorded, recorded } from "./recorded.ts";

/** A change of one argument of the object `object`, as the refusals below judge it. */
export interface Change {
  /** Path of the argument, e.g. `storage.dbSize`. */
  readonly path: string;
  /** `dataName` of each object that holds the data; in `allowDataLoss` they unlock the change. */
  readonly object: string | readonly string[];
  readonly before: string | undefined;
  readonly now: string | undefined;
  /** Objects without which there is no data, by their names in `madeNames`. @default `object` */
  readonly heldBy?: readonly string[];
}

/** What a component records of its arguments, and its change checks: they run in the engine and wherever a change is checked without it. */
export interface ChangeChecks<Args> {
  /** The arguments to record, with the defaults that a later release may raise. @default `recorded` */
  recorded?(args: Args): Recorded<Args>;
  /** The losses that a change would cause. */
  changes(before: Recorded<Args>, now: Recorded<Args>): Problem[];
  /** Faults of a new component's arguments. @default nothing */
  creation?(now: Recorded<Args>): Problem[];
}

/** A component's arguments as they are recorded, for the comparison with later ones. */
export function recordedBy<Args extends { readonly platform?: StorePlatformArgs }>(
  { recorded: own }: Pick<ChangeChecks<Args>, "recorded">,
  args: Args,
): Recorded<Args> {
  return own?.(args) ?? recorded(args);
}

/** Refuses a smaller volume: Kubernetes can't shrink one, only a new volume is smaller. */
export function refuseShrink(change: Change, allowDataLoss: readonly string[] | undefined): Problem[] {
  if (!exceeds(change.before ?? "", change.now ?? "")) return [];
  return refusal(
    "volume-shrinks",
    change,
    allowDataLoss,
    `shrinks the volume from ${change.before} to ${change.now}. A volume can't shrink.`,
    `Keep ${change.before} or more.`,
  );
}

/** Refuses an older version over newer data; a version that can't be read counts as older. */
export function refuseDowngrade(change: Change, allowDataLoss: readonly string[] | undefined): Problem[] {
  if (change.before === undefined || change.now === undefined || !mayDowngrade(change.before, change.now)) return [];
  return refusal(
    "version-downgrade",
    change,
    allowDataLoss,
    `goes from ${change.before} to ${change.now}: older programs can't read newer data.`,
    `Keep ${change.before} or set a newer version. To go back, restore a backup of that version. ` +
      `If ${change.before} never ran, for example because its image does not exist, unlocking loses nothing.`,
  );
}

/** Refuses any change of an argument that the data is found by, such as a bucket's name. */
export function refuseChange(change: Change, allowDataLoss: readonly string[] | undefined): Problem[] {
  if (change.before === change.now) return [];
  return refusal(
    "data-left-behind",
    change,
    allowDataLoss,
    (objects) =>
      `changes from ${change.before ?? "none"} to ${change.now ?? "none"}, which leaves the data of ${objects.length > 1 ? `${objects.length} objects` : objects} behind.`,
    `Keep ${change.before ?? "it unset"}, or move the data first.`,
  );
}

/**
 * A refusal of a change, unless the loss is allowed or the data's objects were never made; the line that allows it follows `remedy`.
 * @param message of the objects whose loss is not allowed
 */
export function refusal(
  code: string,
  { path, object, heldBy }: Change,
  allowDataLoss: readonly string[] | undefined,
  message: string | ((objects: readonly string[]) => string),
  remedy: string,
): Problem[] {
  const objects = [object].flat().filter((name) => !allowDataLoss?.includes(name));
  if (objects.length === 0) return [];
  const data = objects.length > 1 ? "all of their data" : `the data of ${objects}`;
  const unlock = `If ${data} may be lost, unlock it with \`platform.allowDataLoss: [${objects.join(", ")}]\`.`;
  const said = typeof message === "string" ? message : message(objects);
  return onlyIfMade(heldBy ?? objects, [error(code, path, said, `${remedy} ${unlock}`)]);
}

/** A problem of a change in one line. */
export function inOneLine({ path, message, remedy }: Problem): string {
  return `${path}: ${message} ${remedy}`;
}

/** All refusals in one message. */
export function refusalText(headline: string, errors: readonly Problem[]): string {
  return [headline, ...errors.map((problem) => `- ${inOneLine(problem)}`)].join("\n");
}
