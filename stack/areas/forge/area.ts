import { programs } from "@hearth-platform/hearth/catalogue/releases";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import type { ForgeApplicationArgs, ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import { forgeComponent } from "@hearth-platform/hearth/forge/component";
import { jobNamespace } from "@hearth-platform/hearth/forge/defaults";
import { applicationNames, forgeNames, forgeSecrets, forgeWorkloads } from "@hearth-platform/hearth/forge/forge-names";
import { forgeRules } from "@hearth-platform/hearth/forge/rules";
import { forge as forgeArgs } from "@hearth-platform/hearth/forge/schema";
import type { StoreConnections } from "@hearth-platform/hearth/stores/shared/plan";
import type { StackSettings } from "../../settings/stack-schema.ts";
import type { Stack } from "../../stack-settings.ts";
import { type Area, type ArgumentPlaces, argumentProblems, ofSettings, only } from "../area.ts";
import type { Claim } from "../claims.ts";
import { hubApplication, hubCallback, signsOnWithForge } from "../hub/settings.ts";
import { suiteApplication, suiteCallback, suiteSignsOnWithForge } from "../suites/settings.ts";
import { forgeSettings, forgeSources, knownForge } from "./settings.ts";

const places: ArgumentPlaces = {
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

/** The forge on the shared stores. */
export const forgeArea: Area<typeof forgeSettings, "Forge"> = {
  settings: forgeSettings,
  component: forgeComponent,
  after: ["stores"],
  parts: (stack, { platform, stores }) => only("forge", stores && forgeArguments(stack, stores.connections, platform)),
  rules: [
    ofSettings(["domain", "forge", "objectStorage"], needed),
    ofSettings(forgeSources, (settings, limits) => {
      const { forge } = settings;
      if (!forge) return [];
      const known = knownForge(settings, forge);
      return argumentProblems(places, known, limits, {
        ...(forge.domain === undefined && { domain: known.domain }),
        ...(forge.pages && forge.pages.domain === undefined && { pages: { domain: known.pages?.domain } }),
      });
    }),
  ],
  claims: ofSettings(forgeSources, forgeClaims),
  versions: ofSettings(["forge"], ({ forge }) =>
    forge ? [{ path: "forge.version", program: "gitlab", version: forge.version ?? programs.gitlab.deployed }] : [],
  ),
  workloads: (settings) => [...forgeWorkloads, ...namesOfApplications(settings).map(({ job }) => job)],
  secrets: (settings) => ({
    own: [...forgeSecrets, ...namesOfApplications(settings).map(({ secret }) => secret)],
    constant: [forgeNames.railsSecrets],
    firstPasswords: [forgeNames.administrator],
  }),
  data: [forgeNames.repositories, forgeNames.railsSecrets, forgeNames.administrator],
};

/** The forge's arguments; undefined where the stack has none. */
export function forgeArguments(
  { settings, suites }: Pick<Stack, "settings" | "suites">,
  connections: StoreConnections,
  platform: PlatformArgs,
): ForgeArgs | undefined {
  if (!settings.forge) return undefined;
  const { domain, bucketSuffix, ...known } = knownForge(settings, settings.forge);
  if (domain === undefined || bucketSuffix === undefined) return undefined;
  const applications = applicationsOf({ settings, suites });
  return {
    ...(settings.storageClass && { repositoryClass: settings.storageClass }),
    ...known,
    domain,
    bucketSuffix,
    ...connections,
    ...(applications.length > 0 && { applications }),
    platform,
  };
}

/** Names of what belongs to each that may sign on with the forge. */
function namesOfApplications({ cloudsuites = [] }: Pick<StackSettings, "cloudsuites">) {
  return [hubApplication, ...cloudsuites.filter(suiteSignsOnWithForge).map(suiteApplication)].map(applicationNames);
}

/** Who signs on with the forge. */
function applicationsOf({ settings, suites }: Pick<Stack, "settings" | "suites">): ForgeApplicationArgs[] {
  return [
    ...(signsOnWithForge(settings) ? [{ name: hubApplication, redirectUri: hubCallback(settings) }] : []),
    ...suites
      .filter((suite) => suiteSignsOnWithForge(suite.settings))
      .map((suite) => ({ name: suiteApplication(suite.settings), redirectUri: suiteCallback(suite.config.domain) })),
  ];
}

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
function forgeClaims(settings: Pick<StackSettings, (typeof forgeSources)[number]>): Claim[] {
  if (!settings.forge) return [];
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
