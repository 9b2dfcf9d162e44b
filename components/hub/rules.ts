import type { Known } from "../core/known.ts";
import { error, type Problem, shown, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { bucketName, endpointUrl, fixedSet, hostName, namespaceName } from "../core/value-rules.ts";
import { parseVersion } from "../core/versions.ts";
import { resourceProblems } from "../kubernetes/resource-rules.ts";
import { regionProblems } from "../stores/object-storage/rules.ts";
import { type HubArgs, HubRegistryRoute } from "./args.ts";
import { projectProblems, quota, robotProblems, schedule } from "./project-rules.ts";
import { leastMemory } from "./registry-memory.ts";
import { issuerUrl } from "./value-rules.ts";
import { defaultVersion, hubMajor, hubVersion, oldestMinor } from "./versions.ts";

type Hub = Known<HubArgs>;
type Rule = (hub: Hub) => readonly Problem[];

/** Everything wrong with a hub's arguments, before anything is created. */
export function hubProblems(hub: Hub): Problem[] {
  return rules.flatMap((rule) => rule(hub));
}

const rules: readonly Rule[] = [
  ({ namespace }) => namespaceName("namespace", namespace),
  ({ domain }) => hostName("domain", domain),
  version,
  ({ objectStore }) => endpointUrl("objectStore.endpoint", objectStore?.endpoint),
  ({ objectStore }) => regionProblems("objectStore.region", objectStore?.endpoint, objectStore?.region),
  ({ bucket }) => bucketName("bucket", bucket),
  signOn,
  ({ storageQuota }) => quota("storageQuota", storageQuota),
  ({ garbageCollection }) => schedule("garbageCollection.schedule", garbageCollection?.schedule),
  ({ projects }) => projectProblems(projects),
  ({ robots, projects }) => robotProblems(robots, projects),
  registryRoute,
  replicas,
  ({ resources }) =>
    Object.entries(resources ?? {}).flatMap(([part, spec]) => resourceProblems(`resources.${part}`, spec)),
  registryMemory,
];

function version(hub: Hub): Problem[] {
  const found = hubVersion(hub);
  const numbers = parseVersion(found);
  if (numbers?.length !== 3 || !/^[\d.]+$/.test(found))
    return [
      error(
        "hub-version",
        "version",
        `${shown(found)} is not a version of the hub.`,
        `Write it like ${defaultVersion}.`,
      ),
    ];
  const [major = 0, minor = 0] = numbers;
  if (major === hubMajor && minor >= oldestMinor) return [];
  return [
    error(
      "hub-version",
      "version",
      `Hub ${found} is not one whose configuration this is.`,
      `Take a version of ${hubMajor} from ${hubMajor}.${oldestMinor} on.`,
    ),
  ];
}

function signOn({ signOn: settings }: Hub): Problem[] {
  const issuer = settings?.issuer;
  if (issuer === undefined) return [];
  const problems = issuerUrl("signOn.issuer", issuer);
  if (problems.length > 0) return problems;
  if (!issuer.endsWith("/")) return [];
  const document = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  return [
    warning(
      "issuer-slash",
      "signOn.issuer",
      `${shown(issuer)} ends with a slash: few providers name themselves so, and by another name than theirs nobody signs in.`,
      `Compare it with \`issuer\` in ${document}, to the letter.`,
    ),
  ];
}

function registryRoute({ registryRoute: route }: Hub): Problem[] {
  const problems = fixedSet("registryRoute", route, Object.values(HubRegistryRoute));
  if (route !== HubRegistryRoute.registry) return problems;
  return [
    warning(
      "registry-route",
      "registryRoute",
      "Pushes and pulls go past core: no user or robot can sign in by docker, and no project, quota or retention knows the images.",
      "Leave it out, unless all clients have the registry's internal user.",
    ),
  ];
}

function registryMemory({ resources }: Hub): Problem[] {
  const limit = resources?.registry?.limits?.memory ?? "";
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

function replicas({ replicas: counts }: Hub): Problem[] {
  return Object.entries(counts ?? {}).flatMap(([part, count]) =>
    count === undefined || (Number.isInteger(count) && count >= 1)
      ? []
      : [error("number", `replicas.${part}`, `${shown(count)} is not allowed.`, "Write a whole number, 1 or more.")],
  );
}
