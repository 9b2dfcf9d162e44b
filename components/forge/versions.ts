import { parseVersion } from "../versions.ts";
import type { ForgeArgs } from "./args.ts";

/** Version of the forge that is deployed when none is named. */
export const defaultVersion = "18.5.2";

/** The one major whose configuration and database this program knows. */
export const forgeMajor = 18;

/** Oldest major of PostgreSQL that forge 18 runs on. */
export const oldestDatabase = 16;

/** Minors that an upgrade within a major must stop at, since later ones need their migrations to be finished. */
const requiredStops = [2, 5, 8, 11] as const;

/** Version of the SSH server by the forge's minor: the file GITLAB_SHELL_VERSION of the forge's sources. */
const shellVersions: Readonly<Record<string, string>> = { "18.5": "14.45.3" };

/** Version of the forge. */
export function forgeVersion({ version }: Pick<ForgeArgs, "version">): string {
  return version ?? defaultVersion;
}

/** Version of the SSH server; undefined where it is neither named nor known. */
export function shellVersion(args: Pick<ForgeArgs, "version" | "shellVersion">): string | undefined {
  const [major, minor] = parseVersion(forgeVersion(args)) ?? [];
  return args.shellVersion ?? shellVersions[`${major}.${minor}`];
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
