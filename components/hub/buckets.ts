import { sharedBucket } from "../stores/shared/names.ts";

/** The bucket of the hub's images. */
export function hubBucket(suffix: string, namespace: string): string {
  return sharedBucket("registry", suffix, namespace);
}
