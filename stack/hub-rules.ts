import type { Known } from "@hearth-platform/hearth/core/known";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { hubProblems } from "@hearth-platform/hearth/hub/rules";
import { HubSignOnSource } from "./areas-schema.ts";
import type { Claim } from "./claim.ts";
import { knownHub, signsOnWithForge } from "./hub-settings.ts";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;

/** Everything wrong with the hub's settings, at their paths in the stack; nothing without a hub. */
export function hubSettingsProblems(settings: Settings): Problem[] {
  if (!settings.hub) return [];
  return [
    ...needed(settings),
    ...signOnProblems(settings),
    ...networkPolicyProblems(settings),
    ...hubProblems(knownHub(settings, settings.hub)).map((problem) => ({ ...problem, path: stackPath(problem.path) })),
  ];
}

/** What the hub needs beyond its own settings; where there is a forge, its rules say the same of the stores. */
function needed({ domain, hub, forge, objectStorage }: Settings): Problem[] {
  const missing = (path: string, found: unknown, what: string, remedy: string) =>
    found === undefined ? [error("required", path, `${what} is missing, and the stack has a hub.`, remedy)] : [];
  return [
    ...missing("domain", hub?.domain ?? domain ?? forge, "The domain of the hub's host", "Write it like example.org."),
    ...(forge
      ? []
      : [
          ...missing("objectStorage.endpoint", objectStorage?.endpoint, "The object store", "Write its URL."),
          ...missing("objectStorage.region", objectStorage?.region, "Its region", "Write it like fsn1."),
          ...missing(
            "objectStorage.bucketSuffix",
            objectStorage?.bucketSuffix,
            "What makes the buckets' names unique",
            "Write a few letters and digits of your own, e.g. a1b2, and never change them.",
          ),
        ]),
  ];
}

function signOnProblems(settings: Settings): Problem[] {
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
        "Add hearth:forge, or write provider with its issuer and client, or local.",
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
        `${key} is for sign-on with a provider, and this is ${signsOnWithForge(settings) ? "with the forge, which has its own" : "local"}.`,
        "Leave it out, or write with: provider.",
      ),
    );
}

function networkPolicyProblems({ hub, forge }: Settings): Problem[] {
  if (!forge || hub?.networkPolicies === undefined) return [];
  return [
    error(
      "network-policies",
      "hub.networkPolicies",
      "Forge and hub share a namespace, where one option decides on all connections.",
      `Write ${hub.networkPolicies} as hearth:forge.networkPolicies.`,
    ),
  ];
}

/** Arguments of the hub that stand elsewhere in the stack than below `hub`. */
const places: readonly (readonly [prefix: string, place: string])[] = [
  ["namespace", "namespace"],
  ["objectStore.", "objectStorage."],
  ["bucket", "objectStorage.bucketSuffix"],
  ["platform.", ""],
];

function stackPath(path: string): string {
  const found = places.find(([prefix]) => path.startsWith(prefix));
  return found ? `${found[1]}${path.slice(found[0].length)}` : `hub.${path}`;
}

/** What the hub has for itself. */
export function hubClaims(settings: Settings): Claim[] {
  if (!settings.hub) return [];
  const { namespace, domain, bucket } = knownHub(settings, settings.hub);
  return [
    { path: "hearth:namespace", kind: "namespace", value: namespace },
    { path: "hearth:hub.domain", kind: "host", value: domain },
    { path: "hearth:objectStorage.bucketSuffix", kind: "bucket", value: bucket },
  ];
}
