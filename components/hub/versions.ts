import { programs } from "../catalogue/releases.ts";
import { parseVersion } from "../core/versions.ts";
import type { HubArgs } from "./args.ts";

/** Version of the hub that is deployed when none is named. */
export const defaultVersion = programs.harbor.deployed;

/** Version in a state that says none: what was deployed then. Since, a component records the version it has, named or not. */
const unrecordedVersion = "2.14.3";

/** The one major whose configuration this program knows. */
export const hubMajor = 2;

/** Oldest minor whose images take this configuration. */
export const oldestMinor = 12;

/** Minors an upgrade may go at once: each release migrates from the two before it. (goharbor.io/docs, administration/upgrade) */
const minorsAtOnce = 2;

/** Version of the hub. */
export function hubVersion({ version }: Pick<HubArgs, "version">): string {
  return version ?? defaultVersion;
}

/** Version of the hub that a state is of. */
export function recordedVersion({ version }: Pick<HubArgs, "version">): string {
  return version ?? unrecordedVersion;
}

/** Versions to take one after the other from `before` to `now`, as `2.14`, the last one `now` itself. Empty where nothing newer is wanted. */
export function upgradePath(before: string, now: string): string[] {
  const [majorBefore = 0, minorBefore = 0] = parseVersion(before) ?? [];
  const [major = 0, minor = 0] = parseVersion(now) ?? [];
  if (major !== majorBefore || minor < minorBefore || before === now) return [];
  const stops: string[] = [];
  for (let stop = minorBefore + minorsAtOnce; stop < minor; stop += minorsAtOnce) stops.push(`${major}.${stop}`);
  return [...stops, now];
}
