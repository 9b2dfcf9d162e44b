import type { EnvVar } from "kubernetes-types/core/v1.d.ts";
import { compareVersions } from "../core/versions.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeVersion } from "./versions.ts";

/** Dependencies that an image's own check waits for, besides the database and the keystore. */
export const Awaited = {
  /** Every migration, those after the roll-out too: a pod that has to start before them never does. */
  allMigrations: "all migrations",
  /** The regular migrations alone, where `BYPASS_POST_DEPLOYMENT` is set. */
  regularMigrations: "regular migrations",
} as const;

/** Dependencies that a pod waits for before it starts. */
export type Awaited = (typeof Awaited)[keyof typeof Awaited];

/** A release since which the images' check of the start is another one. */
export interface StartUpCheck {
  readonly since: string;
  readonly awaits: Awaited;
  /** Where it is said. */
  readonly source: string;
}

/**
 * The images' check of a pod's start, `/scripts/wait-for-deps`, by release. It sets the rest itself (`SCHEMA_VERSIONS_DIR`, `DATABASE_FILE`,
 * `CLICKHOUSE_DATABASE_FILE` since 18.4) before it calls `/scripts/rails-dependencies`, so nothing else may call that.
 */
export const startUpChecks: readonly [StartUpCheck, ...StartUpCheck[]] = [
  {
    since: "18.0.0",
    awaits: Awaited.allMigrations,
    source: "gitlab-org/charts/gitlab doc/charts/gitlab/webservice at chart 9.0 to 9.4: no such variable is documented",
  },
  {
    since: "18.5.0",
    awaits: Awaited.regularMigrations,
    source:
      "gitlab-org/charts/gitlab ab0f6064 (2025-09-18, chart 9.5): doc/charts/gitlab/{webservice,sidekiq}, PostgreSQL",
  },
  {
    since: "19.0.0",
    awaits: Awaited.regularMigrations,
    source:
      "gitlab-org/charts/gitlab at chart 10.4.1: charts/gitlab/charts/{webservice,sidekiq}/templates/deployment.yaml start the same check; doc as of 9.5",
  },
];

/** Dependencies that pods of this forge's version wait for. */
export function awaitedMigrations(args: Pick<ForgeArgs, "version">): Awaited {
  const version = forgeVersion(args);
  const isReached = ({ since }: StartUpCheck) => (compareVersions(since, version) ?? 1) <= 0;
  return (startUpChecks.findLast(isReached) ?? startUpChecks[0]).awaits;
}

/** Seconds a pod waits for the stores and the schema before it starts over: as long as a long migration. */
const waitSeconds = 3600;

/** The check as the image's entrypoint runs it. Not `command`: the entrypoint renders the configuration first. */
export const startUpArgs = ["/scripts/wait-for-deps"];

/** The check's variables. Images that don't know `BYPASS_POST_DEPLOYMENT` wait for all migrations. */
export const startUpEnvironment: readonly EnvVar[] = [
  { name: "BYPASS_POST_DEPLOYMENT", value: "true" },
  { name: "WAIT_FOR_TIMEOUT", value: String(waitSeconds) },
  { name: "SLEEP_DURATION", value: "1" },
];
