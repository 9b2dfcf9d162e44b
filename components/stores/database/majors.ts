import { operatorMajors } from "../../catalogue/images.ts";
import { alternatives, error, type Problem, Severity, warning } from "../../core/problems.ts";

/**
 * What the operator says of a major that is allowed.
 * @param allowed every one that may be named instead
 * @param refusal how a major that the operator refuses is told: of a file alone as a warning, since the specification allows it
 */
export function operatorMajor(
  path: string,
  version: string,
  allowed: readonly string[],
  refusal: Severity = Severity.error,
): Problem[] {
  const { accepted, supported } = operatorMajors;
  if (Number(version) >= supported) return [];
  const remedy = `Take ${alternatives(allowed.filter((each) => Number(each) >= supported))}.`;
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
