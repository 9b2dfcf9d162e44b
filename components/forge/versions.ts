import { type DatabaseMajors, majorsUnder } from "../catalogue/database-majors.ts";
import { programs } from "../catalogue/releases.ts";
import { compareVersions, parseVersion } from "../core/versions.ts";
import type { ForgeArgs } from "./args.ts";

/** Version of the forge that is deployed when none is named: of the newest minor whose SSH server is known. */
export const defaultVersion = programs.gitlab.deployed;

/** Version in a state that says none: what was deployed then. Since, a component records the version it has, named or not. */
const unrecordedVersion = "18.11.11";

/** The majors whose configuration this program knows. */
export const forgeMajors = { oldest: 18, newest: 19 } as const;

/** The last minor of a major; the next release is minor 0 of the next major. */
const lastMinor = 11;

/**
 * Minors of every major that an upgrade must stop at, since later ones need their migrations to be finished.
 * (docs.gitlab.com/update/upgrade_paths, update/versions/gitlab_19_changes; gitlabhq/omnibus-gitlab refuses less: MIN_VERSION is 18.11 in 19.0 to
 * 19.2, and 19.2 in 19.3)
 */
const requiredStops = [2, 5, 8, 11] as const;

/**
 * Version of the SSH server since each release of the forge: the file GITLAB_SHELL_VERSION at the release's tag, e.g. 18.11.4+ee.0.
 * (gitlabhq/omnibus-gitlab) Fixes of a minor may bring another server than the next minor began with. 19.4: freebsd/freebsd-ports 00e2d193 for 19.4.0,
 * and GitLab's chart 10.4.1, which is 19.4.1, as in tillo/fleet 7380a35f, charts/gitlab/charts/gitlab-shell/Chart.yaml.
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
  "19.0.0": "14.51.0",
  "19.1.0": "14.54.0",
  "19.2.0": "14.56.1",
  "19.3.0": "14.56.1",
  "19.4.0": "14.57.3",
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

/** Majors of PostgreSQL that this version of the forge runs on. */
export function forgeDatabases(args: Pick<ForgeArgs, "version">): DatabaseMajors {
  return majorsUnder("gitlab", forgeVersion(args));
}

/**
 * Newest version of the runner for a minor of the forge, where that is not its first: its fixes are numbered on their own.
 * (gitlabhq/gitlab-runner, tags until 2026-08-22; chart 0.93.0 of it for 19.4. 18.11.1 keeps jobs from root past the allowed users, 18.11.2 mends caches in S3.)
 */
const runnerVersions: readonly string[] = [
  ...["18.0.5", "18.1.3", "18.2.2", "18.3.1", "18.6.6", "18.7.2", "18.10.1", "18.11.4"],
  ...["19.0.3", "19.1.2", "19.2.2"],
];

/** Version of the runner: each minor of the forge has one. */
export function runnerVersion({ version, runner }: Pick<ForgeArgs, "version" | "runner">): string {
  const [major, minor] = parseVersion(forgeVersion({ version })) ?? [];
  const newest = runnerVersions.find((each) => each.startsWith(`${major}.${minor}.`));
  return runner?.version ?? newest ?? `${major}.${minor}.0`;
}

type Minor = readonly [major: number, minor: number];

/**
 * Versions to take one after the other from `before` to `now`, as `18.5`, the last one `now` itself.
 * With `downtime` the required stops alone; without, every minor. Empty where nothing newer is wanted.
 */
export function upgradePath(before: string, now: string, downtime: boolean): string[] {
  const to = minorOf(now);
  const between: Minor[] = [];
  for (let each = next(minorOf(before)); isEarlier(each, to); each = next(each)) between.push(each);
  const stops = between.filter(([, minor]) => !downtime || requiredStops.some((stop) => stop === minor));
  if (before === now || isEarlier(to, minorOf(before))) return [];
  return [...stops.map(([major, minor]) => `${major}.${minor}`), now];
}

function minorOf(version: string): Minor {
  const [major = 0, minor = 0] = parseVersion(version) ?? [];
  return [major, minor];
}

function next([major, minor]: Minor): Minor {
  return minor < lastMinor ? [major, minor + 1] : [major + 1, 0];
}

function isEarlier([major, minor]: Minor, [otherMajor, otherMinor]: Minor): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** Whether a variable decides on events of use, over what the database says. (GitLab docs, administration/settings/event_data) */
export function knowsUsageVariable(version: string): boolean {
  return (compareVersions(version, "18.9") ?? 1) >= 0;
}
