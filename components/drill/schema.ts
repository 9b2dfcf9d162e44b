import { storePlatform } from "../core/platform-schema.ts";
import { error, type Problem } from "../core/problems.ts";
import type { Resolved } from "../core/resolve.ts";
import { isSchedule, neverComes } from "../core/schedule.ts";
import { as, block, choice, count, defaultsTo, flag, list, optional, text } from "../core/schema.ts";
import { bucketName, namespaceName, neverProblem } from "../core/value-rules.ts";
import { objectStoreConnectionSchema } from "../stores/connections-schema.ts";
import { database } from "../stores/database/schema.ts";

/** When drills are made: a schedule of a CronJob. */
function drillSchedule(path: string, schedule: string | undefined): Problem[] {
  if (schedule === undefined) return [];
  if (isSchedule(schedule)) return neverComes(schedule) ? [neverProblem("drill-schedule", path)] : [];
  return [
    error(
      "drill-schedule",
      path,
      "The value is not a schedule of five fields.",
      "Write minute, hour, day, month and day of the week: `0 5 1 * *` is the first of every month at 5.",
    ),
  ];
}

export const drillApplication = choice(
  "DrillApplication",
  { forge: "forge", hub: "hub", cloudsuite: "cloudsuite" },
  "Whose data a drill checks; its database has the same name.",
);

export const drillCheck = block(
  "DrillCheckArgs",
  "A database of the cluster, and where the files are that its rows name.",
  {
    application: as(drillApplication, "Whose database it is."),
    bucket: optional(
      text("Bucket of the objects that its rows name.", { rule: bucketName, examples: ["data-team-a1b2"] }),
      "none: the forge's rows name repositories on the volume of its git store",
    ),
  },
);

export const drill = block(
  "DrillArgs",
  "A regular proof that a database comes back from its backups: it is recovered beside the running one, checked and removed.",
  {
    namespace: text("Namespace of the database; it must exist.", { rule: namespaceName }),
    database: as(database, "The database, as its own component has it. It needs `backup`."),
    objectStore: as(objectStoreConnectionSchema, "Object store of the backups and of the files."),
    checks: list(drillCheck, "Databases of the cluster that are checked."),
    schedule: defaultsTo(
      text("When, as a cron schedule of five fields, in UTC.", { rule: drillSchedule }),
      "0 5 1 * *",
    ),
    deadlineMinutes: defaultsTo(
      count("Minutes a drill may take. Then it is ended, and has failed.", { min: 15, max: 1440 }),
      180,
    ),
    maxAgeDays: defaultsTo(
      count("Days since the last good drill after which the alert fires.", { min: 1, max: 366 }),
      35,
    ),
    sample: defaultsTo(count("Rows of each database whose files are looked for.", { min: 1, max: 10_000 }), 200),
    networkPolicies: optional(
      flag("Allows its connections in a namespace where all others are denied."),
      "as the whole stack: with profile production",
    ),
    platform: as(storePlatform, "Settings that all components of the stack share."),
  },
);

/** A drill's arguments with their defaults. */
export interface ResolvedDrill extends Resolved<typeof drill> {}
