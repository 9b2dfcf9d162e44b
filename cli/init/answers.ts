import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { locations, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { databaseSizes, suiteTiers } from "@hearth-platform/hearth/limits/sizes";

/** Sizes of a suite: the rows of the table "Limits". */
export const tiers = suiteTiers.map(({ tier }) => tier);
export type Tier = (typeof tiers)[number];

/** A person's decisions about a new suite. */
export interface Answers {
  /** Name of the suite, and of its namespace. */
  readonly name: string;
  /** Public host. */
  readonly domain: string;
  readonly size: Tier;
  /** Storage class of the web volume. */
  readonly storage: string;
  /** Location code of the object store. */
  readonly location: string;
  /** Whether documents can be edited in the browser. */
  readonly office: boolean;
  readonly whiteboard: boolean;
  readonly profile: Profile;
  /** End of the buckets' names, which must be no one else's. */
  readonly suffix: string;
}

/** The defaults. */
export function defaults(name: string): Answers {
  return {
    name,
    domain: `${name}.example.org`,
    size: "small",
    storage: storageClasses.replicatedBlock,
    location: locations[0],
    office: true,
    whiteboard: true,
    profile: Profile.production,
    suffix: crypto.randomUUID().slice(0, 4),
  };
}

/** The load that a size is for, as the checker takes it: the most users and files of its row. */
export function loadOf(size: Tier): { users: number; files: number } {
  const row = tiers.indexOf(size);
  const last = (bound: number | undefined, before: number | undefined) =>
    Number.isFinite(bound) ? (bound ?? 0) : (before ?? 0) + 1;
  return {
    users: last(suiteTiers[row]?.upToUsers, suiteTiers[row - 1]?.upToUsers),
    files: last(databaseSizes[row]?.upToFiles, databaseSizes[row - 1]?.upToFiles),
  };
}
