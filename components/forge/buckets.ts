import { compareVersions } from "../core/versions.ts";
import { sharedBucket } from "../stores/shared/names.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeVersion } from "./versions.ts";

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

/** Further buckets of later releases, with the release that introduced each. (gitlabhq/omnibus-gitlab abe0c6187; GitLab's chart 10.4.1) */
const laterUses = [
  { since: "19.1.0", type: "agent_plan_content", use: "agent-plans" },
  { since: "19.4.0", type: "ci_catalog_bundles", use: "ci-catalog" },
] as const;

/** A type of objects that every release of the forge keeps in a bucket of its own. */
export type ForgeObjectType = keyof typeof uses;

/** Names of the forge's buckets. */
export interface ForgeBuckets {
  /** Bucket of each object type that this version of the forge has. */
  readonly objects: Readonly<Record<ForgeObjectType, string>>;
  /** Backups of the forge. */
  readonly backups: string;
  /** Copies of objects while a backup is made or restored. */
  readonly temporary: string;
  /** Cache of CI jobs. */
  readonly runnerCache: string;
}

/** The forge's buckets, `<use>-<suffix>-<namespace>`. */
export function forgeBuckets(suffix: string, namespace: string, args: Pick<ForgeArgs, "version"> = {}): ForgeBuckets {
  const bucket = (use: string) => sharedBucket(use, suffix, namespace);
  const later = laterUses
    .filter(({ since }) => (compareVersions(since, forgeVersion(args)) ?? 1) <= 0)
    .map(({ type, use }) => [type, use] as const);
  return {
    objects: Object.fromEntries(
      [...Object.entries(uses), ...later].map(([type, use]) => [type, bucket(use)]),
    ) as ForgeBuckets["objects"],
    backups: bucket("backups"),
    temporary: bucket("tmp"),
    runnerCache: bucket("runner-cache"),
  };
}
