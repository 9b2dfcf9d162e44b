import { compareVersions } from "../core/versions.ts";

/** Majors of PostgreSQL that a release of a program and those after it run on. */
export interface DatabaseMajors {
  readonly since: string;
  readonly oldest: number;
  readonly newest: number;
}

type Table = readonly [DatabaseMajors, ...DatabaseMajors[]];

/** PostgreSQL under the programs that share a database, by their release. A suite's own database has its row in the table "Limits". */
export const databaseMajors = {
  /**
   * docs.gitlab.com/install/requirements; gitlabhq/omnibus-gitlab: PG_MIN_VERSION at 18.11.11 and 19.0.0, and the change log of 19.3.0, which takes 18
   * for a new installation.
   */
  gitlab: [
    { since: "18.0.0", oldest: 16, newest: 17 },
    { since: "19.0.0", oldest: 17, newest: 17 },
    { since: "19.3.0", oldest: 17, newest: 18 },
  ],
  /** The database of the maintainers' own image is 15, and 18 from 2.15.2 on; every schema migration of 2.15.2 passed on 17. (goharbor/harbor) */
  harbor: [
    { since: "2.0.0", oldest: 12, newest: 17 },
    { since: "2.15.2", oldest: 12, newest: 18 },
  ],
} as const satisfies Readonly<Record<string, Table>>;

/** The oldest and the newest major that any of their releases runs on. */
export const sharedMajors = {
  oldest: Math.min(...Object.values<Table>(databaseMajors).flatMap((rows) => rows.map(({ oldest }) => oldest))),
  newest: Math.max(...Object.values<Table>(databaseMajors).flatMap((rows) => rows.map(({ newest }) => newest))),
} as const;

/** Majors of PostgreSQL that this version of a program runs on. */
export function majorsUnder(program: keyof typeof databaseMajors, version: string): DatabaseMajors {
  const rows: Table = databaseMajors[program];
  return rows.findLast(({ since }) => (compareVersions(since, version) ?? 1) <= 0) ?? rows[0];
}
