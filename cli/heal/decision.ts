import type { Adopted, Resource } from "./deployment.ts";

/** What becomes of a create that was under way. */
export type Decision =
  | { readonly resource: Resource; readonly verdict: "adopt"; readonly adopted: Adopted; readonly why: string }
  | { readonly resource: Resource; readonly verdict: "forget" | "foreign"; readonly why: string };

/** What was found of an object. */
export type Finding =
  | { readonly found: "nothing" }
  /** It is as this stack sent it. */
  | { readonly found: "own"; readonly adopted: Adopted }
  | { readonly found: "foreign"; readonly why: string }
  /** Nothing is to be looked for: it is in the state or nowhere. */
  | { readonly found: "internal" };

/** What a finding means. */
export function decide(resource: Resource, finding: Finding): Decision {
  switch (finding.found) {
    case "own":
      return { resource, verdict: "adopt", adopted: finding.adopted, why: "It is there as it was sent." };
    case "foreign":
      return { resource, verdict: "foreign", why: finding.why };
    case "nothing":
      return { resource, verdict: "forget", why: "It is not there; the next up makes it." };
    case "internal":
      return { resource, verdict: "forget", why: "It is nothing outside the state; the next up makes it." };
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
