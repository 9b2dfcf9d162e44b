import { hexDigits, isPlainValue, plainType } from "@hearth-platform/hearth/core/data-safety/plain-values";
import { asSecret, type Export, type StateResource, unwrapped } from "./deployment.ts";
import { hashOf } from "./secret-values.ts";

/** Secret values that stand in plain text in a state: the ids of RandomBytes. The rewritten state has passwords of the same values. */

const type = "random:index/randomPassword:RandomPassword";

/** The resources of such values. */
export function plainValues({ deployment }: Export): StateResource[] {
  return (deployment?.resources ?? []).filter(isPlainValue);
}

/**
 * The state with each such value as a RandomPassword, recorded as the official provider records one; all else stays.
 * @param shown the same state with its secrets in the clear
 * @throws Error where a value is missing or the two are not the same state
 */
export function withoutPlainValues(state: Export, shown: Export): Export {
  const [recorded, clear] = [state, shown].map(({ deployment }) => deployment?.resources ?? []) as [
    StateResource[],
    StateResource[],
  ];
  const urns = new Set(plainValues(state).map(({ urn }) => urn));
  const resources = recorded.map((resource, index) => {
    if (!urns.has(resource.urn)) return resource;
    if (clear[index]?.urn !== resource.urn)
      throw new Error("The state changed meanwhile. Nothing was changed: try again.");
    return asPassword(resource, hexOf(clear[index]));
  });
  // Parents, dependencies and whatever else names another resource: a URN is no part of a longer text.
  const renamed = (_key: string, value: unknown) =>
    typeof value === "string" && urns.has(value) ? newUrn(value) : value;
  return { ...state, deployment: JSON.parse(JSON.stringify({ ...state.deployment, resources }), renamed) };
}

const newUrn = (urn: string) => urn.replace(plainType, type);

function hexOf({ urn, id, outputs }: StateResource): string {
  const { hex, base64 = id } = unwrapped(outputs ?? {}) as { hex?: string; base64?: string };
  const value = hex ?? Buffer.from(base64 ?? "", "base64").toString("hex");
  if (!/^([0-9a-f]{2})+$/.test(value)) throw new Error(`The state has no value of ${urn}. Nothing was changed.`);
  return value;
}

function asPassword(resource: StateResource, hex: string): StateResource {
  const inputs = { ...hexDigits, keepers: resource.inputs?.keepers, length: hex.length };
  // What the provider adds. Without its inputs among the outputs it would make another value, and without the version of
  // its schema another hash.
  const added = { id: "none", minLower: 0, minNumeric: 0, minSpecial: 0, minUpper: 0, number: false };
  return {
    ...resource,
    type,
    id: "none",
    inputs,
    outputs: {
      ...{ ...added, ...inputs, __meta: JSON.stringify({ schema_version: "3" }) },
      ...{ result: asSecret(hex), bcryptHash: asSecret(hashOf(hex)) },
    },
    additionalSecretOutputs: ["bcryptHash", "result"],
  } as StateResource;
}
