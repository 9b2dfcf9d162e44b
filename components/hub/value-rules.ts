import { error, type Problem, warning } from "../core/problems.ts";
import { exceeds } from "../core/quantities.ts";
import { isSchedule, neverComes } from "../core/schedule.ts";
import { bytes, fixedSet, neverProblem, notInUrl } from "../core/value-rules.ts";
import { parseVersion } from "../core/versions.ts";
import { proxyCacheKinds } from "./proxy-caches.ts";
import { defaultVersion, hubMajor, oldestMinor } from "./versions.ts";

/** Rules on single values of a hub's arguments; its schema names them. */

/** A regular expression as Go takes it, as far as JavaScript's grammar can tell. */
export function goExpression(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  try {
    new RegExp(value.replace(/^\(\?[imsU]+\)/, "").replaceAll("(?P<", "(?<"));
    return [];
  } catch {
    return [
      error(
        "expression",
        path,
        "The value is not a regular expression.",
        "Write it like ^team-.*$ for all groups that start with team-.",
      ),
    ];
  }
}

/** Projects of a robot, of which there is one. */
export function robotProjects(path: string, names: readonly string[] | undefined): Problem[] {
  if (names?.length !== 0) return [];
  return [error("robot-projects", path, "The robot may use no project.", "Name one, or `*` for all.")];
}

/** The registry's API past core works for its internal user alone. */
export function registryRoute(path: string, route: string | undefined): Problem[] {
  if (route !== "registry") return [];
  return [
    warning(
      "registry-route",
      path,
      "Pushes and pulls bypass core: users and robots can't sign in with Docker, and projects, quotas and retention don't see the images.",
      "Remove it, unless all clients use the registry's internal user.",
    ),
  ];
}

/** A release whose configuration this is. */
export function hubRelease(path: string, version: string | undefined): Problem[] {
  if (version === undefined) return [];
  const [major = 0, minor = 0, ...patch] = parseVersion(version) ?? [];
  if (patch.length !== 1 || !/^[\d.]+$/.test(version))
    return [error("hub-version", path, "The value is not a version of the hub.", `Write it like ${defaultVersion}.`)];
  if (major === hubMajor && minor >= oldestMinor) return [];
  return [
    error(
      "hub-version",
      path,
      `hearth does not support hub ${version}.`,
      `Use a version of ${hubMajor} from ${hubMajor}.${oldestMinor} on.`,
    ),
  ];
}

/** Most bytes a quota may say. (goharbor/harbor src/lib/quota_storage_limit.go) */
const largestQuota = "1024Ti";

/** A schedule of the hub: six fields, of which the seconds are 0. (goharbor/harbor src/common/utils/utils.go, ValidateCronString) */
export function schedule(path: string, found: string | undefined): Problem[] {
  if (found === undefined) return [];
  const refused = (problem: string) => [
    error("schedule", path, `The value ${problem}.`, "Seconds come first: `0 0 3 * * 0` is every Sunday at 3."),
  ];
  if (!isSchedule(found, { seconds: true })) return refused("is not a schedule of six fields");
  if (neverComes(found, { seconds: true })) return [neverProblem("schedule", path)];
  return found.trim().startsWith("0 ") ? [] : refused("has seconds other than 0, which the hub refuses");
}

/** How much a project may hold: a size of the hub's range. */
export function quota(path: string, found: string | undefined): Problem[] {
  const problems = bytes(path, found);
  if (found === undefined || problems.length > 0 || !exceeds(found, largestQuota)) return problems;
  return [
    error(
      "quota",
      path,
      `${found} is more than the hub's limit of ${largestQuota}.`,
      `Write ${largestQuota} or less, or leave it out.`,
    ),
  ];
}

/** Name of a project: the hub's own rule. (goharbor/harbor src/pkg/project/manager.go) */
export function projectName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || (name.length <= 255 && /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name))) return [];
  return [
    error(
      "project-name",
      path,
      "The value is not a project name.",
      "Use lower-case letters and digits, with single dots, dashes and underscores between them.",
    ),
  ];
}

/** Kind of a registry that the hub can pass on. */
export function cacheKind(path: string, kind: string | undefined): Problem[] {
  return fixedSet(path, kind, proxyCacheKinds);
}

/** Scheme, host and path: the hub drops all else without a word. (goharbor/harbor src/lib/endpoint.go, ValidateHTTPURL) */
export function registryUrl(path: string, url: string | undefined): Problem[] {
  if (url === undefined) return [];
  const found = URL.parse(url);
  const example = "Write it like https://hub.docker.com.";
  // A password may stand in the URL: then it is not shown.
  if (found?.username || found?.password || found?.search || found?.hash)
    return [
      error(
        "proxy-cache-url",
        path,
        "The URL has more than scheme, host and path. The hub drops everything else.",
        example,
      ),
    ];
  if (notInUrl.test(url) || (found?.protocol !== "https:" && found?.protocol !== "http:"))
    return [error("proxy-cache-url", path, "The value is not the URL of a registry.", example)];
  return [];
}
