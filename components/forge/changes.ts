import { type Recorded, recordedWithDefault } from "../core/data-safety/recorded.ts";
import { type Change, type ChangeChecks, refuseChange, refuseDowngrade } from "../core/data-safety/refusals.ts";
import { dataName } from "../core/plan.ts";
import { error, onlyIfMade, type Problem } from "../core/problems.ts";
import { resolve } from "../core/resolve.ts";
import { volumeChanges } from "../limits/volume-changes.ts";
import { sharedNames } from "../stores/shared/names.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeBuckets } from "./buckets.ts";
import { forgeNames } from "./forge-names.ts";
import { prerequisiteProblems } from "./prerequisites.ts";
import { forge } from "./schema.ts";
import { forgeDatabases, forgeVersion, recordedVersion, upgradePath } from "./versions.ts";

/** Refusals of a forge's changes, and warnings about them. */
export const forgeChangeChecks: ChangeChecks<ForgeArgs> = {
  recorded: (args) => recordedWithDefault(args, "version", forgeVersion(args)),
  changes: (before, now) => [...forgeChanges(before, now), ...prerequisiteProblems(before, now)],
  creation: (now) => prerequisiteProblems(undefined, now),
};

/** Changes of a running forge that would lose its data or end in a forge that can't start. The domain may change. */
export function forgeChanges(before: Recorded<ForgeArgs>, now: Recorded<ForgeArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const own = (name: string) => dataName(name, before.namespace);
  const web = own(forgeNames.webservice);
  const change = (path: string, object: string, pick: (args: Recorded<ForgeArgs>) => string | undefined): Change => ({
    path,
    object,
    before: pick(before),
    now: pick(now),
    // Stores that existed before have data once the forge ran.
    heldBy: [object, web],
  });
  const { railsSecrets } = forgeNames;
  const [repositories, database] = [own(forgeNames.repositories), own(sharedNames.database)];
  const { uploads } = forgeBuckets(before.bucketSuffix, before.namespace).objects;
  return [
    change("namespace", repositories, (args) => args.namespace),
    change("database", database, ({ database: { host, database: name } }) => `${host}/${name}`),
    change("objectStore.endpoint", uploads, (args) => args.objectStore.endpoint),
    change("bucketSuffix", uploads, (args) => args.bucketSuffix),
    // Another Secret has other keys: what they encrypt in the database could not be read again.
    change(
      `platform.secrets.existing.${railsSecrets}`,
      own(railsSecrets),
      (args) => args.platform.secrets?.existing?.[railsSecrets],
    ),
  ]
    .flatMap((found) => refuseChange(found, allowed))
    .concat(
      volumeChanges(
        change("repositorySize", repositories, (args) => resolve(forge.shape.repositorySize, args.repositorySize)),
        change("repositoryClass", repositories, (args) => resolve(forge.shape.repositoryClass, args.repositoryClass)),
        now.platform,
      ),
      refuseDowngrade({ ...change("version", database, forgeVersion), before: recordedVersion(before) }, allowed),
      onlyIfMade([database, web], versionFaults(before, now)),
    );
}

/** An upgrade that can't be made like this. Who asked for none is told how to stay. */
function versionFaults(before: Recorded<ForgeArgs>, now: Recorded<ForgeArgs>): Problem[] {
  const faults = [...upgradeFaults(before, now), ...databaseFaults(before, now)];
  if (faults.length === 0 || !now.byDefault?.includes("version")) return faults;
  const from = recordedVersion(before);
  return [
    error(
      "upgrade-unasked",
      "version",
      `goes from ${from} to ${forgeVersion(now)}, the default of a new forge, because no version is named.`,
      `Write \`version: ${from}\`, which keeps it. docs/how-to/gitlab-19.md has the way to 19.`,
    ),
  ];
}

/** Forge and database one after the other: pods of the version that runs, and of the one that comes, both have to run on it. Nothing unlocks this. */
function databaseFaults(before: Recorded<ForgeArgs>, now: Recorded<ForgeArgs>): Problem[] {
  const [from, to] = [recordedVersion(before), forgeVersion(now)];
  const needed = forgeDatabases({ version: to });
  const runs = forgeDatabases({ version: from });
  return [
    ...(Number(before.databaseVersion) < needed.oldest
      ? [
          error(
            "upgrade-database",
            "version",
            `goes from ${from} to ${to}, which needs PostgreSQL ${needed.oldest}, but the database still runs ${before.databaseVersion}.`,
            `Keep ${from}, set the database to ${needed.oldest} and run \`up\`. Set ${to} afterwards.`,
          ),
        ]
      : []),
    ...(Number(now.databaseVersion) > runs.newest
      ? [
          error(
            "upgrade-database",
            "databaseVersion",
            `goes from ${before.databaseVersion} to ${now.databaseVersion} while forge ${from} runs, which can't use it.`,
            `Keep ${before.databaseVersion}, and upgrade the forge first.`,
          ),
        ]
      : []),
  ];
}

/** An upgrade step by step: the migrations of one version run on the database that the version before it left. Nothing unlocks more. */
function upgradeFaults(before: Recorded<ForgeArgs>, now: Recorded<ForgeArgs>): Problem[] {
  const [from, to] = [recordedVersion(before), forgeVersion(now)];
  const downtime = now.downtime === true;
  const path = upgradePath(from, to, downtime);
  if (path.length > 1)
    return [
      error(
        "upgrade-path",
        "version",
        `goes from ${from} to ${to} at once, but ${downtime ? "required stops can't be skipped" : "without downtime an upgrade goes one minor at a time"}.`,
        `Go ${[shortOf(from), ...path].join(" → ")}, with an \`up\` for each, and wait for the background migrations of each.${
          downtime
            ? ""
            : ` With \`downtime: true\` fewer steps are enough: ${[shortOf(from), ...upgradePath(from, to, true)].join(" → ")}.`
        }`,
      ),
    ];
  const skipsMinor = downtime && upgradePath(from, to, false).length > 1;
  if (!skipsMinor || before.maintenance) return [];
  return [
    error(
      "upgrade-running",
      "downtime",
      `skips minors from ${from} to ${to} while pods of ${from} run. These pods could not read the new schema.`,
      "First run `up` with `maintenance: true` and the present version.",
    ),
  ];
}

function shortOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
