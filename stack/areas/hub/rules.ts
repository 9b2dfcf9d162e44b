import { rulesOn, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { error, type Problem, warning } from "@hearth-platform/hearth/core/problems";
import { HubRegistryRoute } from "@hearth-platform/hearth/hub/args";
import { hubRules } from "@hearth-platform/hearth/hub/rules";
import { hub as hubArgs } from "@hearth-platform/hearth/hub/schema";
import { HubSignOnSource } from "../../settings/areas-schema.ts";
import { StackSettings } from "../../settings/stack-schema.ts";
import { type Area, argumentProblems } from "../area.ts";
import type { Claim } from "../claim.ts";
import { forgeTokensObstacle, hubSources, knownHub, signsOnWithForge } from "./settings.ts";

type Settings<K extends keyof StackSettings> = Pick<StackSettings, K>;

const rule = rulesOn(StackSettings);

const area: Area = {
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

/** Conflicts between the hub's settings and those of its stores. */
export const hubSettingsRules = [
  rule(["domain", "hub", "forge", "objectStorage"], needed),
  rule(["hub", "forge"], signOnProblems),
  rule(["hub", "forge"], networkPolicyProblems),
  rule(["hub", "forge", "domain", "siteWebhook"], forgeTokenProblems),
  rule(hubSources, (settings, limits) => {
    const { hub } = settings;
    if (!hub) return [];
    const known = knownHub(settings, hub);
    const { domain, bucket } = known;
    return argumentProblems(area, known, limits, { ...(hub.domain === undefined && { domain }), bucket });
  }),
];

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
  const { hub, forge } = settings;
  const { with: source, issuer, clientId, clientSecret } = hub?.signOn ?? {};
  const own = Object.entries({ issuer, clientId, clientSecret });
  const path = (key: string) => `hub.signOn.${key}`;
  if (source === HubSignOnSource.forge && !forge)
    return [
      error(
        "sign-on",
        path("with"),
        "The stack has no forge to sign on with.",
        "Add hearth:forge, or set with: provider and its issuer and client, or with: local.",
      ),
    ];
  if (source === HubSignOnSource.provider)
    return own
      .filter(([, value]) => value === undefined)
      .map(([key]) =>
        error(
          "required",
          path(key),
          `Sign-on with a provider needs ${key}.`,
          key === "issuer"
            ? "Take it from the provider's /.well-known/openid-configuration."
            : "Name the Secret that has it, in the stack's namespace, and its key there.",
        ),
      );
  return own
    .filter(([, value]) => value !== undefined)
    .map(([key]) =>
      error(
        "sign-on",
        path(key),
        `${key} is for sign-on with a provider, but sign-on is ${signsOnWithForge(settings) ? "with the forge, which has its own" : "local"}.`,
        "Remove it, or set with: provider.",
      ),
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

/** Names that the hub claims exclusively. */
export function hubClaims(known: unknown): Claim[] {
  const settings = wholeParts(StackSettings, known, hubSources);
  if (!settings?.hub) return [];
  const { namespace, domain, bucket } = knownHub(settings, settings.hub);
  return [
    { path: "hearth:namespace", kind: "namespace", value: namespace },
    { path: "hearth:hub.domain", kind: "host", value: domain },
    { path: "hearth:objectStorage.bucketSuffix", kind: "bucket", value: bucket },
  ];
}
