import { operatorMajors } from "../../catalogue/images.ts";
import type { LimitsArgs } from "../../core/limits-args.ts";
import { alternatives, error, type Problem, Severity, warning } from "../../core/problems.ts";
import { allowedMajors } from "../../limits/counts.ts";

/**
 * What the operator says of a major that the stack allows.
 * @param refusal how a major that the operator refuses is told: of a file alone as a warning, since the specification allows it
 */
export function operatorMajor(
  path: string,
  version: string,
  widening: LimitsArgs | undefined,
  refusal: Severity = Severity.error,
): Problem[] {
  const { accepted, supported } = operatorMajors;
  if (Number(version) >= supported) return [];
  const remedy = `Take ${alternatives(allowedMajors({ limits: widening }).filter((each) => Number(each) >= supported))}.`;
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
