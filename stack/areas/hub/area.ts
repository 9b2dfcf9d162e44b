import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { error, type Problem, warning } from "@hearth-platform/hearth/core/problems";
import { applicationConnection } from "@hearth-platform/hearth/forge/applications";
import { type HubArgs, HubRegistryRoute, type HubSignOnArgs } from "@hearth-platform/hearth/hub/args";
import { hubComponent } from "@hearth-platform/hearth/hub/component";
import { hubNames, hubSecrets, hubWorkloads, robotSecret } from "@hearth-platform/hearth/hub/hub-names";
import { hubRules } from "@hearth-platform/hearth/hub/rules";
import { hub as hubArgs } from "@hearth-platform/hearth/hub/schema";
import { hubDatabase } from "@hearth-platform/hearth/hub/store-needs";
import { clusterName } from "@hearth-platform/hearth/stores/database/recovery";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import type { StackSettings } from "../../settings/stack-schema.ts";
import type { Stack } from "../../stack-settings.ts";
import { type Area, type AreaPart, type ArgumentPlaces, argumentProblems, ofSettings } from "../area.ts";
import type { Claim } from "../claims.ts";
import { forgeArguments } from "../forge/area.ts";
import type { Shared } from "../shared.ts";
import { needless, withForge, withProvider } from "../sign-on.ts";
import {
  forgeTokensObstacle,
  HubSignOnSource,
  hubApplication,
  hubSettings,
  hubSources,
  knownHub,
  signsOnWithForge,
} from "./settings.ts";

type Settings<K extends keyof StackSettings> = Pick<StackSettings, K>;

const places: ArgumentPlaces = {
  key: "hub",
  schema: hubArgs,
  rules: hubRules,
  places: [
    ["namespace", "namespace"],
    ["bucket", "objectStorage.bucketSuffix"],
    ["forgeTokens.image", "hub.forgeTokens"],
    ["platform.", ""],
  ],
};

/** The hub on the shared stores, signed on by the forge where the stack has one: the forge makes the client it signs on with. */
export const hubArea: Area<typeof hubSettings, "Hub"> = {
  settings: hubSettings,
  component: hubComponent,
  after: ["stores", "forge", "serviceImage"],
  parts: hubParts,
  rules: [
    ofSettings(["domain", "hub", "forge", "objectStorage"], needed),
    ofSettings(["hub", "forge"], signOnProblems),
    ofSettings(["hub", "forge"], networkPolicyProblems),
    ofSettings(["hub", "forge", "domain", "siteWebhook"], forgeTokenProblems),
    ofSettings(hubSources, (settings, limits) => {
      const { hub } = settings;
      if (!hub) return [];
      const known = knownHub(settings, hub);
      const { domain, bucket } = known;
      return argumentProblems(places, known, limits, { ...(hub.domain === undefined && { domain }), bucket });
    }),
  ],
  claims: ofSettings(hubSources, hubClaims),
  versions: ofSettings(["hub"], ({ hub }) =>
    hub ? [{ path: "hub.version", program: "harbor", version: hub.version ?? programs.harbor.deployed }] : [],
  ),
  workloads: () => hubWorkloads,
  secrets: ({ hub }) => ({
    own: [...hubSecrets, ...(hub?.robots ?? []).map(({ name }) => robotSecret(name))],
    constant: [hubNames.encryptionKey],
    firstPasswords: [hubNames.administrator],
  }),
  data: [hubNames.encryptionKey, hubNames.administrator, hubNames.core],
};

function hubParts(stack: Stack, { platform, stores, serviceImage }: Shared): AreaPart<HubArgs>[] {
  const { settings } = stack;
  if (!settings.hub || !stores) return [];
  const { database, keystore, objectStore } = stores.connections;
  const { domain, bucket, signOn, ...known } = knownHub(settings, settings.hub, serviceImage.name);
  if (domain === undefined || bucket === undefined) return [];
  const forge = signsOnWithForge(settings) && forgeArguments(stack, stores.connections, platform);
  const args: HubArgs = {
    ...known,
    domain,
    bucket,
    database: { ...database, database: hubDatabase },
    databaseCluster: clusterName({ ...stores.args.database, name: sharedNames.database }),
    keystore,
    objectStore,
    signOn: signOnArgs({ ...signOn, ...(forge && applicationConnection(forge, hubApplication)) }),
    platform,
  };
  return [{ name: "hub", args }];
}

function signOnArgs({ issuer, clientId, clientSecret, ...rest }: Partial<HubSignOnArgs>): HubSignOnArgs | undefined {
  return issuer !== undefined && clientId && clientSecret ? { ...rest, issuer, clientId, clientSecret } : undefined;
}

/** Settings outside the hub's own that it requires. With a forge, the forge's rules cover the stores. */
function needed({
  domain,
  hub,
  forge,
  objectStorage,
}: Settings<"domain" | "hub" | "forge" | "objectStorage">): Problem[] {
  if (!hub) return [];
  const missing = (path: string, found: unknown, what: string, remedy: string) =>
    found === undefined ? [error("required", path, `${what} is missing, and the stack has a hub.`, remedy)] : [];
  return [
    ...missing("domain", hub.domain ?? domain ?? forge, "The domain of the hub's host", "Write it like example.org."),
    ...(forge
      ? []
      : [
          ...missing("objectStorage.endpoint", objectStorage?.endpoint, "The object store", "Write its URL."),
          ...missing("objectStorage.region", objectStorage?.region, "Its region", "Write it like fsn1."),
          ...missing(
            "objectStorage.bucketSuffix",
            objectStorage?.bucketSuffix,
            "The suffix that makes the buckets' names unique",
            "Choose a few letters and digits, e.g. a1b2, and never change them.",
          ),
        ]),
  ];
}

function signOnProblems(settings: Settings<"hub" | "forge">): Problem[] {
  const { with: source, ...all } = settings.hub?.signOn ?? {};
  const { issuer, clientId, clientSecret } = all;
  const own = { issuer, clientId, clientSecret };
  const path = (key: string) => `hub.signOn.${key}`;
  if (source === HubSignOnSource.provider) return withProvider(own, path, "stack's");
  if (source === HubSignOnSource.forge || signsOnWithForge(settings))
    return withForge(own, path, settings.forge !== undefined, ", or with: local");
  return needless(
    all,
    path,
    "is for sign-on with the forge or a provider, but sign-on is local.",
    "Remove it, or set with: forge or with: provider.",
  );
}

function networkPolicyProblems({ hub, forge }: Settings<"hub" | "forge">): Problem[] {
  if (!forge || hub?.networkPolicies === undefined) return [];
  return [
    error(
      "network-policies",
      "hub.networkPolicies",
      "Forge and hub share a namespace, and one option covers all its connections.",
      `Set hearth:forge.networkPolicies to ${hub.networkPolicies} instead.`,
    ),
  ];
}

/** Registry login with the forge's tokens: advice where it is off without a word, an error where it is wanted and can't be. */
function forgeTokenProblems(settings: Settings<"hub" | "forge" | "domain" | "siteWebhook">): Problem[] {
  const { forge, hub } = settings;
  const path = "hub.forgeTokens";
  const wanted = hub?.forgeTokens;
  if (!hub || wanted === false) return [];
  // That is said of the sign-on.
  if (!forge && hub.signOn?.with === HubSignOnSource.forge) return [];
  if (!signsOnWithForge(settings)) {
    const message = "The tokens come from the stack's forge, but the hub's users don't sign on with it.";
    return wanted ? [error("forge-tokens", path, message, "Remove it, or set signOn.with: forge.")] : [];
  }
  if (!wanted && hub.registryRoute === HubRegistryRoute.registry) return [];
  const obstacle = forgeTokensObstacle(settings);
  if (obstacle === "no image") {
    const message =
      "Nobody can sign in to the registry with a token of the forge: the stack names no image for the adapter.";
    const remedy =
      "Set the repository to push it to, or an existing image, in hearth:siteWebhook (with enabled: false if you don't want the webhook). Or set hub.forgeTokens: false.";
    return [(wanted ? error : warning)("forge-tokens", path, message, remedy)];
  }
  // Where it is wanted, the component says it.
  if (obstacle === undefined || wanted) return [];
  return [
    warning(
      "forge-tokens",
      path,
      "Nobody can sign in to the registry with a token of the forge: the adapter's image would be in this hub, and the hub can't serve it before the adapter runs.",
      "Use another registry in hearth:siteWebhook.repository or image. Or set hub.forgeTokens: false.",
    ),
  ];
}

/** Forge and hub share a namespace. */
function hubClaims(settings: Settings<(typeof hubSources)[number]>): Claim[] {
  if (!settings.hub) return [];
  const { namespace, domain, bucket } = knownHub(settings, settings.hub);
  return [
    ...(settings.forge ? [] : [{ path: "hearth:namespace", kind: "namespace" as const, value: namespace }]),
    { path: "hearth:hub.domain", kind: "host", value: domain },
    { path: "hearth:objectStorage.bucketSuffix", kind: "bucket", value: bucket },
  ];
}
