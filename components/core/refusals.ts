/** Single changes that lose data, refused with the right way to do it and the setting that allows the loss. `guard.ts` asks for them in the engine. */
import { error, type Problem } from "./problems.ts";
import { exceeds } from "./quantities.ts";
import { mayDowngrade } from "./versions.ts";

/** A change of one argument of the object `object`, as the refusals below judge it. */
export interface Change {
  /** Path of the argument, e.g. `storage.dbSize`. */
  readonly path: string;
  /** What holds the data at stake, by its `dataName`: in `allowDataLoss` that is the unlock. */
  readonly object: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** How a component judges its arguments against the recorded ones: in the engine, and wherever a change is judged without it. */
export interface ChangeGuard<Args> {
  /** The arguments as they are recorded, with the defaults that a later release may raise. @default as they are */
  recorded?(args: Args): Args;
  /** What a change would lose. */
  changes(before: Args, now: Args): Problem[];
  /** What does not fit where the component is new. @default nothing */
  creation?(now: Args): Problem[];
}

/** A component's arguments as they are recorded, for the comparison with later ones. */
export function recordedBy<Args>(guard: ChangeGuard<Args>, args: Args): Args {
  return guard.recorded?.(args) ?? args;
}

/** Refuses a smaller volume: Kubernetes can't shrink one, only a new volume is smaller. */
export function refuseShrink(change: Change, allowDataLoss: readonly string[] | undefined): Problem[] {
  if (!exceeds(change.before ?? "", change.now ?? "")) return [];
  return refusal(
    "volume-shrinks",
    change,
    allowDataLoss,
    `shrinks the volume from ${change.before} to ${change.now}, which no volume can.`,
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
    `Keep ${change.before} or take a newer version; to go back, restore a backup of that version.`,
  );
}

/** Refuses any change of an argument that the data is found by, such as a bucket's name. */
export function refuseChange(change: Change, allowDataLoss: readonly string[] | undefined): Problem[] {
  if (change.before === change.now) return [];
  return refusal(
    "data-left-behind",
    change,
    allowDataLoss,
    `changes from ${change.before ?? "none"} to ${change.now ?? "none"}, which leaves the data of ${change.object} behind.`,
    `Keep ${change.before ?? "it unset"}, or move the data first.`,
  );
}

/** A refusal of a change, unless the loss is allowed; the line that allows it follows `remedy`. */
export function refusal(
  code: string,
  { path, object }: Change,
  allowDataLoss: readonly string[] | undefined,
  message: string,
  remedy: string,
): Problem[] {
  if (allowDataLoss?.includes(object)) return [];
  const unlock = `Where the data of ${object} may be lost, unlock it with \`hearth:allowDataLoss: [${object}]\`.`;
  return [error(code, path, message, `${remedy} ${unlock}`)];
}
