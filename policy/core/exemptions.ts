import { dayOf, isDay } from "@hearth-platform/hearth/core/days";
import type { Violation } from "./policy.ts";
import type { PolicyResource } from "./resource.ts";

/** A resource a policy lets pass for a time: `exempt` in the policy's configuration. */
export interface Exemption {
  /** Kubernetes' name of the object, or of a component in the program. */
  readonly name?: string;
  /** Its namespace. @default any */
  readonly namespace?: string;
  /** Its kind, e.g. `Deployment`. @default any */
  readonly kind?: string;
  /** Why it may pass. */
  readonly reason?: string;
  /** Last day it passes, `2026-12-31`, in UTC. */
  readonly until?: string;
}

/** JSON Schema of `exempt`. Reason and date are optional here: their absence is a violation with a remedy, told by the policy itself. */
export const exemptionsSchema = {
  type: "array",
  description: "Resources that pass for a time; each needs a name, a reason and a last day.",
  items: {
    type: "object",
    properties: {
      name: { type: "string", description: "Kubernetes' name of the object, or of a component in the program." },
      namespace: { type: "string", description: "Its namespace; left out: any." },
      kind: { type: "string", description: "Its kind, e.g. Deployment; left out: any." },
      reason: { type: "string", description: "Reason why it may pass." },
      until: { type: "string", description: "Last day on which it may pass, in UTC, e.g. 2026-12-31." },
    },
    additionalProperties: false,
  },
} as const;

/** The exemptions in a policy's configuration. What is no text in them counts as missing. */
export function exemptionsIn(config: Readonly<Record<string, unknown>>): readonly Exemption[] {
  const found = Object.hasOwn(config, "exempt") ? config.exempt : undefined;
  if (!Array.isArray(found)) return [];
  return found.map((entry) => {
    const texts = Object.entries(entry ?? {}).filter(([, value]) => typeof value === "string" && value.trim() !== "");
    return Object.fromEntries(texts);
  });
}

/** Problems of exemptions: no name, reason or day, or a day that has passed. */
export function exemptionProblems(exemptions: readonly Exemption[], now: Date): Violation[] {
  return exemptions.flatMap(({ name, reason, until }, index) => {
    const at = (key: string, message: string): Violation => ({ path: `exempt[${index}].${key}`, message });
    return [
      ...(name === undefined ? [at("name", "An exemption needs the name of its resource.")] : []),
      ...(reason === undefined ? [at("reason", "An exemption needs a reason.")] : []),
      ...(isDay(until) ? [] : [at("until", "An exemption needs a last day, like 2026-12-31.")]),
      ...(isDay(until) && until < dayOf(now)
        ? [at("until", "The exemption has ended: correct the resource, or renew the exemption.")]
        : []),
    ];
  });
}

/** Whether an exemption without problems covers the resource. */
export function isExempt(resource: PolicyResource, exemptions: readonly Exemption[], now: Date): boolean {
  return exemptions.some(
    (exemption) => exemptionProblems([exemption], now).length === 0 && covers(exemption, resource),
  );
}

function covers({ name, namespace, kind }: Exemption, resource: PolicyResource): boolean {
  const field = (key: string) => {
    const found = resource.get("metadata", key);
    return found.isUnknown ? undefined : found.text;
  };
  const isComponent = resource.groupKind.startsWith("hearth/");
  const place = isComponent ? resource.get("namespace") : resource.get("metadata", "namespace");
  return (
    name === (isComponent ? resource.programName : field("name")) &&
    (namespace === undefined || (!place.isUnknown && namespace === place.text)) &&
    (kind === undefined || kind === resource.kind)
  );
}
