import type { Known } from "../core/known.ts";
import { error, oneOf, type Problem, shown } from "../core/problems.ts";
import { bytes, dnsLabel, fixedSet } from "../core/value-rules.ts";
import { HubAccess, type HubProjectArgs, type HubRetentionArgs, type HubRobotArgs } from "./args.ts";
import { retentionCounts } from "./defaults.ts";
import { proxyCacheKinds } from "./proxy-caches.ts";

/** The project that every hub has. */
const firstProject = "library";
/** All projects, also later ones. */
const everyProject = "*";

/** A schedule of the hub: six fields, seconds first. */
export function schedule(path: string, found: string | undefined): Problem[] {
  if (found === undefined || found.trim().split(/\s+/).length === 6) return [];
  return [
    error(
      "schedule",
      path,
      `${shown(found)} does not have six fields.`,
      "Seconds come first: `0 0 3 * * 0` is every Sunday at 3.",
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
      ...bytes(`${path}.storageQuota`, storageQuota),
      ...retentionProblems(`${path}.retention`, retention),
      ...proxyCacheProblems(`${path}.proxyCache`, proxyCache),
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

/** The hub's own rule. (goharbor/harbor src/lib/validator) */
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

function retentionProblems(path: string, retention: Known<HubRetentionArgs> | undefined): Problem[] {
  if (!retention) return [];
  const rules = retention.rules ?? [];
  return [
    ...schedule(`${path}.schedule`, retention.schedule),
    ...(retention.rules && rules.length === 0
      ? [error("retention-rules", `${path}.rules`, "No rule says what stays: all would be deleted.", "Add one.")]
      : []),
    ...rules.flatMap((rule, index) => {
      const set = retentionCounts.filter((count) => rule?.[count] !== undefined);
      const wrong = set.find((count) => !Number.isInteger(rule?.[count]) || Number(rule?.[count]) < 1);
      if (set.length === 1 && wrong === undefined) return [];
      return [
        error(
          "retention-rules",
          `${path}.rules[${index}]`,
          set.length === 1
            ? `${wrong} ${shown(rule?.[wrong ?? "latestPushed"])} keeps nothing.`
            : `The rule has ${set.length === 0 ? "no count" : `the counts ${set.join(" and ")}`}.`,
          `Set one of ${oneOf(retentionCounts)} to 1 or more.`,
        ),
      ];
    }),
  ];
}

function proxyCacheProblems(path: string, cache: Known<HubProjectArgs>["proxyCache"]): Problem[] {
  if (!cache) return [];
  const { kind, url, user, password } = cache;
  const protocol = URL.parse(url ?? "")?.protocol;
  return [
    ...fixedSet(`${path}.kind`, kind, proxyCacheKinds),
    ...(url === undefined || protocol === "https:" || protocol === "http:"
      ? []
      : [
          error(
            "proxy-cache-url",
            `${path}.url`,
            `${shown(url)} is not the URL of a registry.`,
            "Write it like https://hub.docker.com.",
          ),
        ]),
    ...((user === undefined) === (password === undefined)
      ? []
      : [
          error(
            "proxy-cache-user",
            `${path}.${user === undefined ? "user" : "password"}`,
            `There is a ${user === undefined ? "password without a user" : "user without a password"}.`,
            "Name both, or neither for anonymous pulls.",
          ),
        ]),
  ];
}
