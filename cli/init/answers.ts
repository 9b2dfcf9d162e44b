import { limits, storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { locations } from "@hearth-platform/hearth/cloudsuite/value-rules";
import { Profile } from "@hearth-platform/hearth/core/platform-args";

/** Sizes of a suite: the rows of the table "Limits". */
export const tiers = limits.cloudsuiteResources.map(({ tier }) => tier);
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
    users: last(limits.cloudsuiteResources[row]?.upToUsers, limits.cloudsuiteResources[row - 1]?.upToUsers),
    files: last(limits.databaseSize[row]?.upToFiles, limits.databaseSize[row - 1]?.upToFiles),
  };
}
