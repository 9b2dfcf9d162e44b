import type { Resolved } from "../../core/resolve.ts";
import { abilitiesOf } from "./profiles.ts";
import type { objectStorage } from "./schema.ts";

/** An object storage's arguments with their defaults. */
export interface ResolvedObjectStorage extends ReturnType<typeof objectStorageDefaults> {}

/** Days that a former version is kept. */
const keptDays = 30;

/** Defaults that follow from other arguments: which buckets keep former versions, and how long. */
export function objectStorageDefaults(args: Resolved<typeof objectStorage>) {
  const { endpoint, region, settings } = args;
  const { lifecycle: canExpire } = abilitiesOf(endpoint, region, settings);
  const buckets = args.buckets.map((bucket) => {
    const versioning = bucket.versioning ?? settings.versioning ?? canExpire;
    const days =
      bucket.expireVersionsAfterDays ?? settings.expireVersionsAfterDays ?? (canExpire ? keptDays : undefined);
    return {
      name: bucket.name,
      versioning,
      ...(versioning && days !== undefined && { expireVersionsAfterDays: days }),
    };
  });
  return { ...args, buckets };
}
