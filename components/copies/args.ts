// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";

/** Buckets at one endpoint that are copied together. */
export interface CopySourceArgs {
  /** Name of the CronJob and of its Secret with keys, e.g. `team`. */
  name: string;
  /** URL of the endpoint, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code for signing requests, e.g. `fsn1`. */
  region: string;
  /** Bucket in the path instead of the host name. */
  pathStyle: boolean;
  /** Names of the buckets. */
  buckets: string[];
}

/** The bucket of the copies, in another store. It exists already. */
export interface CopyTargetArgs {
  /** URL of its endpoint. Take another provider than the buckets', or at least another account. Example: `https://s3.eu-central-003.backblazeb2.com`. */
  endpoint: string;
  /** Region code for signing requests, e.g. `eu-central-003`. */
  region: string;
  /** Bucket in the path instead of the host name. @default true, but false at AWS's own endpoints */
  pathStyle?: boolean;
  /** Name of the bucket. It must keep former versions; each bucket has a folder of its name in it. Example: `copies-a1b2`. */
  bucket: string;
}

/** A second copy of each bucket in another object store, made every night. */
export interface CopiesArgs {
  /** Namespace of the Jobs that copy, created with them. Applications can't read its keys. @default copies */
  namespace?: string;
  /** What is copied. */
  sources: CopySourceArgs[];
  /** Where the copies are. */
  to: CopyTargetArgs;
  /** When a copy begins, every day, as a cron schedule of five fields in the cluster's time. @default 15 3 * * * */
  schedule?: string;
  /** Hours that a copy may take. What is not done by then, the next copy goes on with. From 1 to 23. @default 6 */
  hours?: number;
  /** Most MiB a second that a source's copy sends. At least 1. @default as fast as both stores are */
  bandwidth?: number;
  /** Share of a copy's objects that may be deleted at once, in percent; up to 10 objects always may. A copy that would lose more, or all, does not begin and its Job fails. With 100 any number may go. From 0 to 100. @default 25 */
  maxDeletedPercent?: number;
  /** Network policies that allow exactly the connections the copies need and deny all others. @default as the whole stack: with profile production */
  networkPolicies?: boolean;
  /** Resources of a pod that copies. @default 100m and 256Mi, up to 1000m and 1Gi */
  resources?: ResourceSpecArgs;
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
