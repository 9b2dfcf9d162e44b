import { judged, rulesOn } from "../core/arguments.ts";
import { type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { regionProblems } from "../stores/object-storage/rules.ts";
import type { HubArgs } from "./args.ts";
import { projectProblems, robotProblems } from "./project-rules.ts";
import { leastMemory } from "./registry-memory.ts";
import { hub } from "./schema.ts";

const rule = rulesOn(hub);

/** What has to fit together among a hub's arguments. */
export const hubRules = [
  rule(["objectStore"], ({ objectStore: { endpoint, region } }) =>
    regionProblems("objectStore.region", endpoint, region),
  ),
  rule(["projects"], ({ projects = [] }) => projectProblems(projects)),
  rule(["robots", "projects"], ({ robots = [], projects = [] }) => robotProblems(robots, projects)),
  rule(["resources"], registryMemory),
];

/** Everything wrong with a hub's arguments, before anything is created. */
export const hubProblems = judged(hub, hubRules);

function registryMemory({ resources }: Pick<HubArgs, "resources">): Problem[] {
  const limit = resources?.registry?.limits.memory ?? "";
  if ((parseQuantity(limit) ?? Number.POSITIVE_INFINITY) >= leastMemory) return [];
  return [
    warning(
      "registry-memory",
      "resources.registry.limits.memory",
      `${limit} is too little for one client that pushes five layers at once: the registry would be killed.`,
      `Write ${Math.ceil(leastMemory / 1024 ** 2)}Mi or more; 1Gi bears five such clients.`,
    ),
  ];
}
