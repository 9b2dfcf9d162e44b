import { clusterPrograms } from "@hearth-platform/hearth/catalogue/releases";
import { supportProblems } from "@hearth-platform/hearth/catalogue/support";
import type { Day } from "@hearth-platform/hearth/core/days";
import { type Finding, findings } from "./finding.ts";

/** The minor of Kubernetes that serves all we use: ValidatingAdmissionPolicy is in v1 since 1.30. */
const oldestMinor = 30;

/**
 * Whether the API server serves all we use, and gets fixes.
 * @param server its address
 * @param version as it reports it, e.g. `v1.34.2`
 * @param today in UTC
 */
export function versionFinding(server: string, version: string, today: Day): Finding {
  const { ok, unknown, warning, missing } = findings("version");
  const minor = Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? Number.NaN);
  if (Number.isNaN(minor)) return unknown("API server", `${server} does not report its version.`);
  if (minor < oldestMinor)
    return missing(
      "API server",
      `${server} is ${version}.`,
      `Upgrade it: it lacks what 1.${oldestMinor} has. ${testedWith("kubernetes")}`,
    );
  const ending = endingOf("kubernetes", version, today);
  return ending === undefined
    ? ok("API server", `${version} at ${server}.`)
    : warning("API server", `${version} at ${server}: ${ending.message}`, ending.remedy);
}

/**
 * What is to be said of the support of a program of the cluster; undefined where it gets fixes, or nothing is known of the version.
 * @param tag of its image, or its version
 * @param today in UTC
 */
export function endingOf(name: keyof typeof clusterPrograms, tag: string | undefined, today: Day) {
  const [problem] = supportProblems("", clusterPrograms[name], tag, today);
  return problem && { message: problem.message, remedy: `${problem.remedy} ${testedWith(name)}` };
}

function testedWith(name: keyof typeof clusterPrograms): string {
  return `hearth is tested with ${clusterPrograms[name].judged}.`;
}
