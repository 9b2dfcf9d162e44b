import { rulesOn, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import { jobNamespace } from "@hearth-platform/hearth/forge/defaults";
import { forgeRules } from "@hearth-platform/hearth/forge/rules";
import { forge as forgeArgs } from "@hearth-platform/hearth/forge/schema";
import { StackSettings } from "../../settings/stack-schema.ts";
import { type Area, argumentProblems } from "../area.ts";
import type { Claim } from "../claim.ts";
import { forgeSources, knownForge } from "./settings.ts";

const rule = rulesOn(StackSettings);

const area: Area = {
  key: "forge",
  schema: forgeArgs,
  rules: forgeRules,
  places: [
    ["namespace", "namespace"],
    ["databaseVersion", "database.version"],
    ["bucketSuffix", "objectStorage.bucketSuffix"],
    ["platform.", ""],
  ],
};

/** Problems between the forge's settings and those of its stores. */
export const forgeSettingsRules = [
  rule(["domain", "forge", "objectStorage"], needed),
  rule(forgeSources, (settings, limits) => {
    const { forge } = settings;
    if (!forge) return [];
    const known = knownForge(settings, forge);
    return argumentProblems(area, known, limits, {
      ...(forge.domain === undefined && { domain: known.domain }),
      ...(forge.pages && forge.pages.domain === undefined && { pages: { domain: known.pages?.domain } }),
    });
  }),
];

/** Settings outside the forge's own that it requires. */
function needed({
  domain,
  forge,
  objectStorage,
}: Pick<StackSettings, "domain" | "forge" | "objectStorage">): Problem[] {
  if (!forge) return [];
  const missing = (path: string, what: string, remedy: string) =>
    error("required", path, `${what} is missing, and the stack has a forge.`, remedy);
  return [
    ...(domain === undefined && (forge.domain === undefined || (forge.pages && forge.pages.domain === undefined))
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
            "The suffix that makes the buckets' names unique",
            "Choose a few letters and digits, e.g. a1b2, and never change them.",
          ),
        ]
      : []),
  ];
}

/** Names that the forge and its stores claim exclusively. */
export function forgeClaims(known: unknown): Claim[] {
  const settings = wholeParts(StackSettings, known, forgeSources);
  if (!settings?.forge) return [];
  const { namespace, domain, pages, ssh, runner, bucketSuffix, version } = knownForge(settings, settings.forge);
  const { objects, ...others } = forgeBuckets(bucketSuffix ?? "", namespace, { version });
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
