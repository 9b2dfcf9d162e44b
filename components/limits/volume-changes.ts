import type { RecordedPlatform } from "../core/data-safety/recorded.ts";
import { type Change, refuseChange, refuseShrink } from "../core/data-safety/refusals.ts";
import { error, onlyIfMade, type Problem } from "../core/problems.ts";
import { exceeds } from "../core/quantities.ts";
import { widenedClass } from "./sets.ts";

/** Changes of a volume that would lose its data, or that its class can't make. */
export function volumeChanges(
  size: Change,
  storageClass: Change,
  { allowDataLoss, limits }: Pick<RecordedPlatform, "allowDataLoss" | "limits">,
): Problem[] {
  const isFixed = widenedClass(storageClass.now ?? "", limits)?.expandable === false;
  return [
    ...refuseChange(storageClass, allowDataLoss),
    ...refuseShrink(size, allowDataLoss),
    ...(isFixed && exceeds(size.now ?? "", size.before ?? "") ? fixedVolume(size, storageClass) : []),
  ];
}

/** A class that was added may have volumes that can't grow. */
function fixedVolume({ path, object, before, now }: Change, storageClass: Change): Problem[] {
  const message = `grows the volume from ${before} to ${now}, but volumes of ${storageClass.now} can't.`;
  return onlyIfMade([object].flat(), [error("volume-fixed", path, message, `Keep ${before}.`)]);
}
