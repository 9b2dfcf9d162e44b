import { repeated } from "../core/arguments.ts";
import { alternatives, error, type Problem, shown } from "../core/problems.ts";
import { resolve } from "../core/resolve.ts";
import {
  HubAccess,
  type HubProjectArgs,
  type HubProxyCacheArgs,
  type HubRetentionArgs,
  type HubRobotArgs,
} from "./args.ts";
import { firstProject } from "./hub-names.ts";
import { hubRetentionRule } from "./schema.ts";

/** Rules between projects and robots, and within each. */

/** The counts of a retention rule, of which one is set. */
const retentionCounts = ["latestPushed", "latestPulled", "pushedWithinDays", "pulledWithinDays"] as const;

/** All projects, also later ones. */
const everyProject = "*";

/** Each project has a name of its own, a retention that keeps something, and a cache that the hub can make. */
export function projectProblems(projects: readonly HubProjectArgs[]): Problem[] {
  return [
    ...repeated(
      projects.map(({ name }) => name),
      (name, index) => alreadyNamed(`projects[${index}].name`, name, "project"),
    ),
    ...projects.flatMap(({ name, retention, proxyCache }, index) => [
      ...(retention ? retentionProblems(`projects[${index}].retention.rules`, retention) : []),
      ...(proxyCache ? proxyCacheProblems(`projects[${index}]`, name, proxyCache) : []),
    ]),
  ];
}

/** Each robot has a name of its own, and may use projects of the settings, or those made by hand: `library`, or `*` for all. */
export function robotProblems(robots: readonly HubRobotArgs[], projects: readonly HubProjectArgs[]): Problem[] {
  return [
    ...repeated(
      robots.map(({ name }) => name),
      (name, index) => alreadyNamed(`robots[${index}].name`, name, "robot"),
    ),
    ...robots.flatMap((robot, index) =>
      robot.projects.flatMap((name, place) =>
        robotProject(`robots[${index}].projects[${place}]`, name, robot.access, projects),
      ),
    ),
  ];
}

function alreadyNamed(path: string, name: string, what: string): Problem {
  return error("shared", path, `${shown(name)} is also an earlier ${what}.`, "Each needs its own name.");
}

function robotProject(
  path: string,
  name: string,
  access: string | undefined,
  projects: readonly HubProjectArgs[],
): Problem[] {
  if (name === everyProject || name === firstProject) return [];
  const project = projects.find((each) => each.name === name);
  if (!project)
    return [
      error(
        "robot-projects",
        path,
        `There is no project ${shown(name)} in the settings.`,
        `Add it to projects, or write ${alternatives([...projects.map((each) => each.name), firstProject, everyProject])}.`,
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

/** The most rules a project may have. (goharbor/harbor src/server/v2.0/handler/retention.go, CreateRetention) */
const mostRetentionRules = 15;

function retentionProblems(path: string, { rules }: HubRetentionArgs): Problem[] {
  const wrong = (place: string, problem: string, remedy: string) =>
    error("retention-rules", `${path}${place}`, problem, remedy);
  const written = rules.map((rule) => JSON.stringify(Object.entries(resolve(hubRetentionRule, rule)).sort()));
  return [
    ...(rules.length === 0 ? [wrong("", "No rule says what stays: all would be deleted.", "Add one.")] : []),
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
      const set = retentionCounts.filter((count) => rule[count] !== undefined);
      if (set.length === 1) return [];
      return [
        wrong(
          `[${index}]`,
          `The rule has ${set.length === 0 ? "no count" : `the counts ${set.join(" and ")}`}.`,
          `Set one of ${alternatives(retentionCounts)} to 1 or more.`,
        ),
      ];
    }),
  ];
}

/** A cache's registry has its project's name, which may have 64 characters then. (goharbor/harbor src/controller/registry/controller.go, validate) */
const longestRegistryName = 64;

function proxyCacheProblems(path: string, name: string, { user, password }: HubProxyCacheArgs): Problem[] {
  return [
    ...(name.length <= longestRegistryName
      ? []
      : [
          error(
            "project-name",
            `${path}.name`,
            `The name of a cache has at most ${longestRegistryName} characters, and this one has ${name.length}.`,
            "Take a shorter name.",
          ),
        ]),
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
