import { sharedBucket } from "../stores/shared/names.ts";

/** The forge's object types by the names its configuration has, each with the use that its bucket is named for. */
const uses = {
  artifacts: "artifacts",
  lfs: "lfs",
  uploads: "uploads",
  packages: "packages",
  external_diffs: "external-diffs",
  terraform_state: "terraform-state",
  ci_secure_files: "secure-files",
  dependency_proxy: "dependency-proxy",
  pages: "pages",
} as const;

/** A type of objects the forge keeps in a bucket of its own. */
export type ForgeObjectType = keyof typeof uses;

/** All object types. */
export const forgeObjectTypes = Object.keys(uses) as ForgeObjectType[];

/** Names of the forge's buckets. */
export interface ForgeBuckets {
  /** Bucket of each object type. */
  readonly objects: Readonly<Record<ForgeObjectType, string>>;
  /** Backups of the forge. */
  readonly backups: string;
  /** Copies of objects while a backup is made or restored. */
  readonly temporary: string;
  /** Cache of CI jobs. */
  readonly runnerCache: string;
}

/** The forge's buckets, `<use>-<suffix>-<namespace>`. */
export function forgeBuckets(suffix: string, namespace: string): ForgeBuckets {
  const bucket = (use: string) => sharedBucket(use, suffix, namespace);
  return {
    objects: Object.fromEntries(
      Object.entries(uses).map(([type, use]) => [type, bucket(use)]),
    ) as ForgeBuckets["objects"],
    backups: bucket("backups"),
    temporary: bucket("tmp"),
    runnerCache: bucket("runner-cache"),
  };
}
