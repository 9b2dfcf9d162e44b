import { programs } from "../catalogue/releases.ts";
import { compareVersions, parseVersion } from "../core/versions.ts";
import type { ForgeArgs } from "./args.ts";

/** Version of the forge that is deployed when none is named: the last release that runs on PostgreSQL 16. */
export const defaultVersion = programs.gitlab.deployed;

/** Version in a state that says none: what was deployed then. Since, a component records the version it has, named or not. */
const unrecordedVersion = "18.11.11";

/** The one major whose configuration and database this program knows. */
export const forgeMajor = 18;

/** Oldest major of PostgreSQL that forge 18 runs on. */
export const oldestDatabase = 16;

/** Minors that an upgrade within a major must stop at, since later ones need their migrations to be finished. */
const requiredStops = [2, 5, 8, 11] as const;

/**
 * Version of the SSH server since each release of the forge: the file GITLAB_SHELL_VERSION at the release's tag, e.g. 18.11.4+ee.0.
 * (gitlabhq/omnibus-gitlab) Fixes of a minor may bring another server than the next minor began with.
 */
const shellVersions: Readonly<Record<string, string>> = {
  "18.0.0": "14.41.0",
  "18.0.1": "14.42.0",
  "18.1.0": "14.42.0",
  "18.2.0": "14.43.0",
  "18.2.4": "14.44.0",
  "18.2.6": "14.45.2",
  "18.3.0": "14.44.0",
  "18.3.2": "14.45.2",
  "18.4.0": "14.45.2",
  "18.5.0": "14.45.3",
  "18.6.0": "14.45.3",
  "18.7.0": "14.45.5",
  "18.8.0": "14.45.5",
  "18.9.0": "14.45.6",
  "18.10.0": "14.47.0",
  "18.11.0": "14.49.0",
  "18.11.4": "14.50.0",
};

/** Version of the forge. */
export function forgeVersion({ version }: Pick<ForgeArgs, "version">): string {
  return version ?? defaultVersion;
}

/** Version of the forge that a state is of. */
export function recordedVersion({ version }: Pick<ForgeArgs, "version">): string {
  return version ?? unrecordedVersion;
}

/** Version of the SSH server; undefined where it is neither named nor known: of a minor that is not in the table. */
export function shellVersion(args: Pick<ForgeArgs, "version" | "shellVersion">): string | undefined {
  const version = forgeVersion(args);
  const [major, minor] = parseVersion(version) ?? [];
  const isPartOf = (since: string) =>
    since.startsWith(`${major}.${minor}.`) && (compareVersions(since, version) ?? 1) <= 0;
  return args.shellVersion ?? Object.entries(shellVersions).findLast(([since]) => isPartOf(since))?.[1];
}

/** Version of the runner: each minor of the forge has one, whose fixes are numbered on their own. */
export function runnerVersion({ version, runner }: Pick<ForgeArgs, "version" | "runner">): string {
  const [major, minor] = parseVersion(forgeVersion({ version })) ?? [];
  return runner?.version ?? `${major}.${minor}.0`;
}

/**
 * Versions to take one after the other from `before` to `now`, as `18.5`, the last one `now` itself.
 * With `downtime` the required stops alone; without, every minor. Empty where nothing newer is wanted.
 */
export function upgradePath(before: string, now: string, downtime: boolean): string[] {
  const [majorBefore = 0, minorBefore = 0] = parseVersion(before) ?? [];
  const [major = 0, minor = 0] = parseVersion(now) ?? [];
  if (major !== majorBefore || minor <= minorBefore) return before === now || major < majorBefore ? [] : [now];
  const between = Array.from({ length: minor - minorBefore - 1 }, (_, index) => minorBefore + 1 + index);
  const stops = between.filter((each) => !downtime || requiredStops.some((stop) => stop === each));
  return [...stops.map((each) => `${major}.${each}`), now];
}
