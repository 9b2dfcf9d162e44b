// Written by `npm run generate` from schema.ts: change that.
import type { StorePlatformArgs } from "../core/platform-args.ts";
import type { ObjectStoreConnection } from "../stores/connections-args.ts";
import type { DatabaseArgs } from "../stores/database/args.ts";

/** Whose data a drill checks; its database has the same name. */
export const DrillApplication = {
  forge: "forge",
  hub: "hub",
  cloudsuite: "cloudsuite",
} as const;
export type DrillApplication = (typeof DrillApplication)[keyof typeof DrillApplication];

/** A database of the cluster, and where the files are that its rows name. */
export interface DrillCheckArgs {
  /** Whose database it is. */
  application: DrillApplication;
  /** Bucket of the objects that its rows name. Example: `data-team-a1b2`. @default none: the forge's rows name repositories on the volume of its git store */
  bucket?: string;
}

/** A regular proof that a database comes back from its backups: it is recovered beside the running one, checked and removed. */
export interface DrillArgs {
  /** Namespace of the database; it must exist. */
  namespace: string;
  /** The database, as its own component has it. It needs `backup`. */
  database: DatabaseArgs;
  /** Object store of the backups and of the files. */
  objectStore: ObjectStoreConnection;
  /** Databases of the cluster that are checked. */
  checks: DrillCheckArgs[];
  /** When, as a cron schedule of five fields, in UTC. @default 0 5 1 * * */
  schedule?: string;
  /** Minutes a drill may take. Then it is ended, and has failed. From 15 to 1440. @default 180 */
  deadlineMinutes?: number;
  /** Days since the last good drill after which the alert fires. From 1 to 366. @default 35 */
  maxAgeDays?: number;
  /** Rows of each database whose files are looked for. From 1 to 10000. @default 200 */
  sample?: number;
  /** Allows its connections in a namespace where all others are denied. @default as the whole stack: with profile production */
  networkPolicies?: boolean;
  /** Settings that all components of the stack share. */
  platform: StorePlatformArgs;
}
