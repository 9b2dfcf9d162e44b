import { dataName } from "../core/plan.ts";
import { error, type Problem } from "../core/problems.ts";
import { type Change, type ChangeGuard, refuseChange, refuseDowngrade, refuseShrink } from "../core/refusals.ts";
import { sharedNames } from "../stores/shared/names.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeBuckets } from "./buckets.ts";
import { defaultRepositorySize } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { prerequisiteProblems } from "./prerequisites.ts";
import { forgeDatabases, forgeVersion, recordedVersion, upgradePath } from "./versions.ts";

/** What is refused of a forge's changes, and what a person is told of. */
export const forgeGuard: ChangeGuard<ForgeArgs> = {
  recorded: (args) => ({ ...args, version: forgeVersion(args) }),
  changes: (before, now) => [...forgeChanges(before, now), ...prerequisiteProblems(before, now)],
  creation: (now) => prerequisiteProblems(undefined, now),
};

/** Changes of a running forge that would lose its data or end in a forge that can't start. The domain may change. */
export function forgeChanges(before: ForgeArgs, now: ForgeArgs): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const change = (path: string, object: string, pick: (args: ForgeArgs) => string | undefined): Change => ({
    path,
    object,
    before: pick(before),
    now: pick(now),
  });
  const own = (name: string) => dataName(name, before.namespace);
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
      refuseShrink(
        change("repositorySize", repositories, (args) => args.repositorySize ?? defaultRepositorySize),
        allowed,
      ),
      refuseDowngrade({ ...change("version", database, forgeVersion), before: recordedVersion(before) }, allowed),
      upgradeFaults(before, now),
      databaseFaults(before, now),
    );
}

/** Forge and database one after the other: pods of the version that runs, and of the one that comes, both have to run on it. Nothing unlocks this. */
function databaseFaults(before: ForgeArgs, now: ForgeArgs): Problem[] {
  const [from, to] = [recordedVersion(before), forgeVersion(now)];
  const needed = forgeDatabases({ version: to });
  const runs = forgeDatabases({ version: from });
  return [
    ...(Number(before.databaseVersion) < needed.oldest
      ? [
          error(
            "upgrade-database",
            "version",
            `goes from ${from} to ${to}, which needs PostgreSQL ${needed.oldest}, while the database still runs ${before.databaseVersion}.`,
            `Keep ${from} and run \`up\` with the database at ${needed.oldest}; take ${to} after it.`,
          ),
        ]
      : []),
    ...(Number(now.databaseVersion) > runs.newest
      ? [
          error(
            "upgrade-database",
            "databaseVersion",
            `goes from ${before.databaseVersion} to ${now.databaseVersion} while forge ${from} runs, which can't use it.`,
            `Keep ${before.databaseVersion}, and take the forge's version first.`,
          ),
        ]
      : []),
  ];
}

/** An upgrade step by step: the migrations of one version run on the database that the version before it left. Nothing unlocks more. */
function upgradeFaults(before: ForgeArgs, now: ForgeArgs): Problem[] {
  const [from, to] = [recordedVersion(before), forgeVersion(now)];
  const downtime = now.downtime === true;
  const path = upgradePath(from, to, downtime);
  if (path.length > 1)
    return [
      error(
        "upgrade-path",
        "version",
        `goes from ${from} to ${to} at once, but ${downtime ? "required stops can't be skipped" : "without downtime an upgrade goes minor by minor"}.`,
        `Take ${[shortOf(from), ...path].join(" → ")}, an \`up\` for each, and wait for the background migrations of each.${
          downtime
            ? ""
            : ` With \`downtime: true\` fewer: ${[shortOf(from), ...upgradePath(from, to, true)].join(" → ")}.`
        }`,
      ),
    ];
  const skipsMinor = downtime && upgradePath(from, to, false).length > 1;
  if (!skipsMinor || before.maintenance) return [];
  return [
    error(
      "upgrade-running",
      "downtime",
      `skips minors from ${from} to ${to} while pods of ${from} run, which could not read the new schema.`,
      "Run `up` with `maintenance: true` and the version as it is first.",
    ),
  ];
}

function shortOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
