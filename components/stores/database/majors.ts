import { operatorMajors } from "../../catalogue/images.ts";
import { limits } from "../../catalogue/limits.ts";
import { error, oneOf, type Problem, Severity, warning } from "../../core/problems.ts";

/** Majors the specification allows. */
export const allowedMajors = Array.from(
  { length: limits.databaseMajor.max - limits.databaseMajor.min + 1 },
  (_, index) => String(limits.databaseMajor.min + index),
);

/**
 * What the operator says of a major that the specification allows.
 * @param refusal how a major that the operator refuses is told: of a file alone as a warning, since the specification allows it
 */
export function operatorMajor(path: string, version: string, refusal: Severity = Severity.error): Problem[] {
  const { accepted, supported } = operatorMajors;
  if (Number(version) >= supported) return [];
  const remedy = `Take ${oneOf(allowedMajors.filter((each) => Number(each) >= supported))}.`;
  const refused = error("database-major-refused", path, `The database operator refuses PostgreSQL ${version}.`, remedy);
  if (Number(version) < accepted) return [{ ...refused, severity: refusal }];
  return [
    warning(
      "database-major-old",
      path,
      `The database operator accepts PostgreSQL ${version} but no longer supports it.`,
      remedy,
    ),
  ];
}
