import type { Known } from "../core/known.ts";
import { error, oneOf, type Problem, shown } from "../core/problems.ts";
import { exceeds } from "../core/quantities.ts";
import { isSchedule } from "../core/schedule.ts";
import { bytes, dnsLabel, fixedSet } from "../core/value-rules.ts";
import { HubAccess, type HubProjectArgs, type HubRetentionArgs, type HubRobotArgs } from "./args.ts";
import { firstProject, retentionCounts, retentionRule } from "./defaults.ts";
import { proxyCacheKinds } from "./proxy-caches.ts";

/** All projects, also later ones. */
const everyProject = "*";

/** Most bytes a quota may say. (goharbor/harbor src/lib/quota_storage_limit.go) */
const largestQuota = "1024Ti";

/** A schedule of the hub: six fields, of which the seconds are 0. (goharbor/harbor src/common/utils/utils.go, ValidateCronString) */
export function schedule(path: string, found: string | undefined): Problem[] {
  if (found === undefined) return [];
  const refused = (problem: string) => [
    error("schedule", path, `${shown(found)} ${problem}.`, "Seconds come first: `0 0 3 * * 0` is every Sunday at 3."),
  ];
  if (!isSchedule(found, { seconds: true })) return refused("is not a schedule of six fields");
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

/** Everything wrong with the projects. */
export function projectProblems(projects: Known<HubProjectArgs[]> | undefined): Problem[] {
  const named = (projects ?? []).map((project) => project?.name);
  return (projects ?? []).flatMap((project, index) => {
    const path = `projects[${index}]`;
    const { name, storageQuota, retention, proxyCache } = project ?? {};
    return [
      ...projectName(`${path}.name`, name),
      ...doubled(`${path}.name`, name, named, index, "project"),
      ...quota(`${path}.storageQuota`, storageQuota),
      ...retentionProblems(`${path}.retention`, retention),
      ...proxyCacheProblems(path, name, proxyCache),
    ];
  });
}

/** Everything wrong with the robots; the projects they may use are those of the settings, or made by hand and then `library` or `*`. */
export function robotProblems(
  robots: Known<HubRobotArgs[]> | undefined,
  projects: Known<HubProjectArgs[]> | undefined,
): Problem[] {
  const named = (robots ?? []).map((robot) => robot?.name);
  return (robots ?? []).flatMap((robot, index) => {
    const path = `robots[${index}]`;
    const { name, access } = robot ?? {};
    return [
      ...dnsLabel(`${path}.name`, name),
      ...doubled(`${path}.name`, name, named, index, "robot"),
      ...fixedSet(`${path}.access`, access, Object.values(HubAccess)),
      ...(robot?.projects?.length === 0
        ? [error("robot-projects", `${path}.projects`, "The robot may use no project.", "Name one, or `*` for all.")]
        : []),
      ...(robot?.projects ?? []).flatMap((project, place) =>
        robotProject(`${path}.projects[${place}]`, project, access, projects ?? []),
      ),
    ];
  });
}

function robotProject(
  path: string,
  name: string | undefined,
  access: string | undefined,
  projects: Known<HubProjectArgs[]>,
): Problem[] {
  if (name === undefined || name === everyProject || name === firstProject) return [];
  const project = projects.find((each) => each?.name === name);
  if (!project)
    return [
      error(
        "robot-projects",
        path,
        `There is no project ${shown(name)} in the settings.`,
        `Add it to projects, or write ${oneOf([...projects.flatMap((each) => each?.name ?? []), firstProject, everyProject])}.`,
      ),
    ];
  if (access !== HubAccess.push || !project.proxyCache) return [];
  return [
    error(
      "robot-pushes-cache",
      path,
      `The robot may push, but ${name} is a cache of another registry, into which nothing is pushed.`,
      "Write access pull, or take another project.",
    ),
  ];
}

/** The hub's own rule. (goharbor/harbor src/pkg/project/manager.go) */
function projectName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || (name.length <= 255 && /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name))) return [];
  return [
    error(
      "project-name",
      path,
      `${shown(name)} is not a project name.`,
      "Use lower-case letters and digits, with single dots, dashes and underscores between them.",
    ),
  ];
}

function doubled(
  path: string,
  name: string | undefined,
  named: readonly (string | undefined)[],
  index: number,
  what: string,
): Problem[] {
  if (name === undefined || named.indexOf(name) === index) return [];
  return [error("shared", path, `${shown(name)} is also an earlier ${what}.`, "Each needs its own name.")];
}

/** The most rules a project may have. (goharbor/harbor src/server/v2.0/handler/retention.go, CreateRetention) */
const mostRetentionRules = 15;

function retentionProblems(path: string, retention: Known<HubRetentionArgs> | undefined): Problem[] {
  if (!retention) return [];
  const rules = retention.rules ?? [];
  const wrong = (place: string, problem: string, remedy: string) =>
    error("retention-rules", `${path}.rules${place}`, problem, remedy);
  const written = rules.map((rule) => JSON.stringify(Object.entries(retentionRule(rule ?? {})).sort()));
  return [
    ...schedule(`${path}.schedule`, retention.schedule),
    ...(retention.rules && rules.length === 0
      ? [wrong("", "No rule says what stays: all would be deleted.", "Add one.")]
      : []),
    ...(rules.length > mostRetentionRules
      ? [wrong("", `There are ${rules.length} rules; the hub takes ${mostRetentionRules}.`, "Join some by `{a,b}`.")]
      : []),
    // The hub takes no rule twice. (the same file, checkRuleConflict)
    ...written.flatMap((rule, index) =>
      written.indexOf(rule) < index
        ? [wrong(`[${index}]`, `The rule is that of rules[${written.indexOf(rule)}] again.`, "Leave it out.")]
        : [],
    ),
    ...rules.flatMap((rule, index) => {
      const set = retentionCounts.filter((count) => rule?.[count] !== undefined);
      const useless = set.find((count) => !Number.isInteger(rule?.[count]) || Number(rule?.[count]) < 1);
      if (set.length === 1 && useless === undefined) return [];
      return [
        wrong(
          `[${index}]`,
          set.length === 1
            ? `${useless} ${shown(rule?.[useless ?? "latestPushed"])} keeps nothing.`
            : `The rule has ${set.length === 0 ? "no count" : `the counts ${set.join(" and ")}`}.`,
          `Set one of ${oneOf(retentionCounts)} to 1 or more.`,
        ),
      ];
    }),
  ];
}

/** A cache's registry has its project's name, which may have 64 characters then. (goharbor/harbor src/controller/registry/controller.go, validate) */
const longestRegistryName = 64;

function proxyCacheProblems(
  path: string,
  name: string | undefined,
  cache: Known<HubProjectArgs>["proxyCache"],
): Problem[] {
  if (!cache) return [];
  const { kind, url, user, password } = cache;
  return [
    ...((name?.length ?? 0) <= longestRegistryName
      ? []
      : [
          error(
            "project-name",
            `${path}.name`,
            `The name of a cache has at most ${longestRegistryName} characters, and this one has ${name?.length}.`,
            "Take a shorter name.",
          ),
        ]),
    ...fixedSet(`${path}.proxyCache.kind`, kind, proxyCacheKinds),
    ...registryUrl(`${path}.proxyCache.url`, url),
    ...((user === undefined) === (password === undefined)
      ? []
      : [
          error(
            "proxy-cache-user",
            `${path}.proxyCache.${user === undefined ? "user" : "password"}`,
            `There is a ${user === undefined ? "password without a user" : "user without a password"}.`,
            "Name both, or neither for anonymous pulls.",
          ),
        ]),
  ];
}

/** Scheme, host and path: the hub drops all else without a word. (goharbor/harbor src/lib/endpoint.go, ValidateHTTPURL) */
function registryUrl(path: string, url: string | undefined): Problem[] {
  if (url === undefined) return [];
  const found = URL.parse(url);
  const example = "Write it like https://hub.docker.com.";
  // A password may stand in the URL: then it is not shown.
  if (found?.username || found?.password || found?.search || found?.hash)
    return [
      error("proxy-cache-url", path, "The URL has more than scheme, host and path, which the hub drops.", example),
    ];
  if (/\s/.test(url) || (found?.protocol !== "https:" && found?.protocol !== "http:"))
    return [error("proxy-cache-url", path, `${shown(url)} is not the URL of a registry.`, example)];
  return [];
}
