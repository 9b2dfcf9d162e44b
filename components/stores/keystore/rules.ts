import { keystoreClaim } from "../../catalogue/names.ts";
import { judged } from "../../core/arguments.ts";
import type { Recorded } from "../../core/data-safety/recorded.ts";
import { refuseChange, refuseDowngrade } from "../../core/data-safety/refusals.ts";
import { dataName } from "../../core/plan.ts";
import type { Problem } from "../../core/problems.ts";
import { resolve } from "../../core/resolve.ts";
import { volumeChanges } from "../../limits/volume-changes.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystore } from "./schema.ts";

/** Everything wrong with a keystore's arguments. */
export const keystoreProblems = judged(keystore, []);

/** Changes of a running keystore that would lose its data. */
export function keystoreChanges(before: Recorded<KeystoreArgs>, now: Recorded<KeystoreArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const change = (path: string, pick: (args: Recorded<KeystoreArgs>) => string | undefined) => ({
    path,
    object: dataName(keystoreClaim, before.namespace),
    before: pick(before),
    now: pick(now),
  });
  return [
    ...refuseChange(
      change("namespace", (args) => args.namespace),
      allowed,
    ),
    ...volumeChanges(
      change("storageSize", (args) => resolve(keystore.shape.storageSize, args.storageSize)),
      change("storageClass", (args) => resolve(keystore.shape.storageClass, args.storageClass)),
      now.platform,
    ),
    ...refuseDowngrade(
      change("version", (args) => args.version),
      allowed,
    ),
  ];
}
