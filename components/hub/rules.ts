import { judged, rulesOn } from "../core/arguments.ts";
import { parseImage } from "../core/image-reference.ts";
import { error, type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { limitProblems } from "../exposure/rendering.ts";
import { regionProblems } from "../stores/object-storage/rules.ts";
import { type HubArgs, HubRegistryRoute } from "./args.ts";
import { projectProblems, robotProblems } from "./project-rules.ts";
import { leastMemory } from "./registry-memory.ts";
import { hub } from "./schema.ts";

const rule = rulesOn(hub);

/** Rules between several of a hub's arguments. */
export const hubRules = [
  rule(["objectStore"], ({ objectStore: { endpoint, region } }) =>
    regionProblems("objectStore.region", endpoint, region),
  ),
  rule(["projects"], ({ projects = [] }) => projectProblems(projects)),
  rule(["robots", "projects"], ({ robots = [], projects = [] }) => robotProblems(robots, projects)),
  rule(["resources"], registryMemory),
  rule(["platform"], ({ platform }) => limitProblems(platform.ingress, tokenGuard)),
  rule(["forgeTokens", "signOn"], tokensWithoutForge),
  rule(["forgeTokens", "registryRoute"], tokensWithoutCore),
  rule(["forgeTokens", "domain"], tokensByOwnImage),
];

const tokenGuard = "Core still holds up wrong passwords, and `hub-sign-in` tokens that open nothing.";

/** Everything wrong with a hub's arguments, before anything is created. */
export const hubProblems = judged(hub, hubRules);

function registryMemory({ resources }: Pick<HubArgs, "resources">): Problem[] {
  const limit = resources?.registry?.limits.memory ?? "";
  if ((parseQuantity(limit) ?? Number.POSITIVE_INFINITY) >= leastMemory) return [];
  return [
    warning(
      "registry-memory",
      "resources.registry.limits.memory",
      `${limit} is not enough for one client that pushes five layers at once: the registry would be killed.`,
      `Write ${Math.ceil(leastMemory / 1024 ** 2)}Mi or more. 1Gi is enough for five such clients.`,
    ),
  ];
}

function tokensWithoutForge({ forgeTokens, signOn }: Pick<HubArgs, "forgeTokens" | "signOn">): Problem[] {
  if (!forgeTokens || signOn) return [];
  const message = "The tokens come from a forge, but users don't sign on with one.";
  return [error("forge-tokens", "forgeTokens", message, "Remove it, or set signOn.")];
}

function tokensWithoutCore({ forgeTokens, registryRoute }: Pick<HubArgs, "forgeTokens" | "registryRoute">): Problem[] {
  if (!forgeTokens || registryRoute !== HubRegistryRoute.registry) return [];
  const message = "The registry API goes straight to the registry, which does not check tokens.";
  return [error("forge-tokens", "forgeTokens", message, "Remove it, or remove registryRoute.")];
}

function tokensByOwnImage({ forgeTokens, domain }: Pick<HubArgs, "forgeTokens" | "domain">): Problem[] {
  if (!forgeTokens || !isOnHost(forgeTokens.image, domain)) return [];
  return [
    error(
      "forge-tokens",
      "forgeTokens.image",
      "The image is in this hub, so nobody could pull it before the hub's own pods run.",
      "Keep it in another registry.",
    ),
  ];
}

/** Whether an image, or a repository, is in the registry of this host. */
export function isOnHost(image: string, host: string): boolean {
  return parseImage(image)?.repository.split("/")[0] === host;
}
