import { forgeBucket } from "../stores/object-storage/bucket-names.ts";

/** The bucket of the hub's images. */
export function hubBucket(suffix: string, namespace: string): string {
  return forgeBucket("registry", suffix, namespace);
}
