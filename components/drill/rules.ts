import { judged, repeated, rulesOn } from "../core/arguments.ts";
import { error, shown } from "../core/problems.ts";
import { drillSuffix } from "./drill-names.ts";
import { drill } from "./schema.ts";

const rule = rulesOn(drill);

/** Everything wrong with the arguments of a drill. */
export const drillProblems = judged(drill, [
  rule(["database"], ({ database }) => (database.backup ? [] : [noBackups])),
  rule(["database"], ({ database: { recover } }) => (recover?.suffix === drillSuffix ? [takenName] : [])),
  rule(["checks"], ({ checks }) =>
    repeated(
      checks.map(({ application }) => application),
      (application, index) =>
        error("shared", `checks[${index}].application`, `${shown(application)} is checked twice.`, "Name it once."),
    ),
  ),
  rule(["checks"], ({ checks }) =>
    checks.flatMap(({ application, bucket }, index) =>
      bucket === undefined && application !== "forge"
        ? [error("missing", `checks[${index}].bucket`, "The bucket of its files is missing.", "Name it.")]
        : [],
    ),
  ),
]);

const takenName = error(
  "drill-name",
  "database.recover.suffix",
  "The recovered database would have the name that a drill gives to its own, and removes.",
  "Recover the database once more under another suffix.",
);

const noBackups = error(
  "no-backups",
  "database.backup",
  "A drill recovers from backups, and this database has none.",
  "Name the bucket of its backups.",
);
