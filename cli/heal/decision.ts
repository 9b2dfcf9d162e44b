import type { Adopted, Resource } from "./deployment.ts";

/** The verdict on a create that was under way. */
export type Decision =
  | { readonly resource: Resource; readonly verdict: "adopt"; readonly adopted: Adopted; readonly why: string }
  | { readonly resource: Resource; readonly verdict: "forget" | "foreign"; readonly why: string };

/** The finding about an object. */
export type Finding =
  | { readonly found: "nothing" }
  /** It is as this stack sent it. */
  | { readonly found: "own"; readonly adopted: Adopted }
  | { readonly found: "foreign"; readonly why: string }
  /** Nothing is to be looked for: it is in the state or nowhere. */
  | { readonly found: "internal" };

/** The meaning of a finding. */
export function decide(resource: Resource, finding: Finding): Decision {
  switch (finding.found) {
    case "own":
      return { resource, verdict: "adopt", adopted: finding.adopted, why: "It exists as this stack sent it." };
    case "foreign":
      return { resource, verdict: "foreign", why: finding.why };
    case "nothing":
      return { resource, verdict: "forget", why: "It does not exist; the next up makes it." };
    case "internal":
      return { resource, verdict: "forget", why: "It exists only in the state; the next up makes it." };
  }
}

const words = { adopt: "adopt", forget: "forget", foreign: "leave" } as const;

/** The decisions for people, a line each; in the order of what needs attention. */
export function report(decisions: readonly Decision[]): string {
  const order = ["foreign", "adopt", "forget"];
  return [...decisions]
    .sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
    .map(({ resource, verdict, why }) => `  ${words[verdict].padEnd(6)}  ${shownAs(resource)}: ${why}\n`)
    .join("");
}

/** Kind and name of a resource: `Secret team/cloudsuite-admin`. */
export function shownAs({ urn, type }: Resource): string {
  return `${type.split(":").at(-1)} ${urn.split("::").at(-1)}`;
}
