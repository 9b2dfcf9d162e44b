import type { Known } from "@hearth-platform/hearth/core/known";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { hostName, namespaceName } from "@hearth-platform/hearth/core/value-rules";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import { jobNamespace } from "@hearth-platform/hearth/forge/defaults";
import { forgeProblems } from "@hearth-platform/hearth/forge/rules";
import type { Claim } from "./claim.ts";
import { knownForge } from "./forge-settings.ts";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;

/** Everything wrong with the forge's settings and those of its stores, at their paths in the stack; nothing without a forge. */
export function forgeSettingsProblems(settings: Settings): Problem[] {
  if (!settings.forge) return [];
  return [
    ...namespaceName("namespace", settings.namespace),
    ...hostName("domain", settings.domain),
    ...needed(settings),
    ...forgeProblems(knownForge(settings, settings.forge)).map((problem) => ({
      ...problem,
      path: stackPath(problem.path),
    })),
  ].filter(
    (problem, index, all) =>
      all.findIndex(({ path, code }) => path === problem.path && code === problem.code) === index,
  );
}

/** What the forge needs beyond its own settings. */
function needed({ domain, forge, objectStorage }: Settings): Problem[] {
  const missing = (path: string, what: string, remedy: string) =>
    error("required", path, `${what} is missing, and the stack has a forge.`, remedy);
  return [
    ...(domain === undefined && (forge?.domain === undefined || (forge.pages && forge.pages.domain === undefined))
      ? [
          missing(
            "domain",
            "The domain of the forge's hosts",
            "Write it like example.org: the forge is forge.example.org.",
          ),
        ]
      : []),
    ...(objectStorage?.endpoint === undefined
      ? [missing("objectStorage.endpoint", "The object store", "Write it like https://fsn1.your-objectstorage.com.")]
      : []),
    ...(objectStorage?.region === undefined
      ? [missing("objectStorage.region", "The object store's region", "Write it like fsn1.")]
      : []),
    ...(objectStorage?.bucketSuffix === undefined
      ? [
          missing(
            "objectStorage.bucketSuffix",
            "What makes the buckets' names unique",
            "Write a few letters and digits of your own, e.g. a1b2, and never change them.",
          ),
        ]
      : []),
  ];
}

/** Arguments of the forge that stand elsewhere in the stack than below `forge`. */
const places: readonly (readonly [prefix: string, place: string])[] = [
  ["namespace", "namespace"],
  ["databaseVersion", "database.version"],
  ["objectStore.", "objectStorage."],
  ["bucketSuffix", "objectStorage.bucketSuffix"],
  ["platform.", ""],
];

function stackPath(path: string): string {
  const found = places.find(([prefix]) => path.startsWith(prefix));
  return found ? `${found[1]}${path.slice(found[0].length)}` : `forge.${path}`;
}

/** What the forge and its stores have for themselves. */
export function forgeClaims(settings: Settings): Claim[] {
  if (!settings.forge) return [];
  const { namespace = "", domain, pages, ssh, runner, bucketSuffix } = knownForge(settings, settings.forge);
  const { objects, ...others } = forgeBuckets(bucketSuffix ?? "", namespace);
  const buckets = bucketSuffix === undefined ? [] : [...Object.values(objects), ...Object.values(others)];
  return [
    { path: "hearth:namespace", kind: "namespace", value: namespace },
    ...(runner
      ? [{ path: "hearth:forge.runner", kind: "namespace" as const, value: jobNamespace({ namespace, runner }) }]
      : []),
    { path: "hearth:forge.domain", kind: "host", value: domain },
    { path: "hearth:forge.pages.domain", kind: "host", value: pages?.domain, below: true },
    { path: "hearth:forge.ssh.domain", kind: "host", value: ssh?.domain },
    ...buckets.map((value) => ({ path: "hearth:objectStorage.bucketSuffix", kind: "bucket" as const, value })),
  ];
}
