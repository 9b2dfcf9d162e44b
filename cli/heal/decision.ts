import type { Adopted, StateResource } from "./deployment.ts";
import type { StateLock } from "./file-backend.ts";

/** The verdict on a create that was under way. */
export type Decision =
  | { readonly resource: StateResource; readonly verdict: "adopt"; readonly adopted: Adopted; readonly why: string }
  | { readonly resource: StateResource; readonly verdict: "forget" | "foreign"; readonly why: string };

/** What is seen of an object. */
export type Sighting =
  | { readonly found: "nothing" }
  /** It is as this stack sent it. */
  | { readonly found: "own"; readonly adopted: Adopted }
  | { readonly found: "foreign"; readonly why: string }
  /** The state has it already. */
  | { readonly found: "recorded" }
  /** Nothing is to be looked for: it is in the state or nowhere. */
  | { readonly found: "internal" };

/** The meaning of a finding. */
export function decide(resource: StateResource, finding: Sighting): Decision {
  switch (finding.found) {
    case "own":
      return { resource, verdict: "adopt", adopted: finding.adopted, why: "It exists as this stack sent it." };
    case "foreign":
      return { resource, verdict: "foreign", why: finding.why };
    case "recorded":
      return { resource, verdict: "forget", why: "The state has it already." };
    case "nothing":
      return { resource, verdict: "forget", why: "It does not exist; the next up makes it." };
    case "internal":
      return { resource, verdict: "forget", why: "It exists only in the state; the next up makes it." };
  }
}

/** The meaning of a delete that was under way. */
export function decideDelete(resource: StateResource, isGone: boolean): Decision {
  const why = isGone
    ? "It was deleted; the next up makes it anew, if the settings have it."
    : "It was to be deleted and is still there; the next up deletes it, if it still has to go.";
  return { resource, verdict: "forget", why };
}

/** The meaning of an object of which the state lacks what it was sent. */
export function decideIncomplete(resource: StateResource): Decision {
  const { id, outputs = {} } = resource;
  return { resource, verdict: "adopt", adopted: { id, outputs }, why: "The state lacks what it was last sent." };
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

/** What was decided to take in, by URN. */
export function adoptedOf(decisions: readonly Decision[]): ReadonlyMap<string, Adopted> {
  return new Map(decisions.flatMap((each) => (each.verdict === "adopt" ? [[each.resource.urn, each.adopted]] : [])));
}

/** How many of each kind are taken in, in one line: the names of all of a platform tell nothing. */
export function adoptedKinds(decisions: readonly Decision[]): string {
  const adopted = decisions.filter(({ verdict }) => verdict === "adopt");
  if (adopted.length === 0) return "";
  const kinds = [...Map.groupBy(adopted, ({ resource: { type } }) => type.split(":").at(-1) ?? "")];
  const counts = kinds
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([kind, of]) => `${of.length} ${kind}`);
  return `  ${words.adopt.padEnd(6)}  ${adopted.length} resources: ${counts.join(", ")}\n`;
}

/** What heal did, for programs. */
export function healAnswer(
  stack: string,
  healed: boolean,
  done: { locks: readonly StateLock[]; rewritten: readonly StateResource[]; decisions: readonly Decision[] },
) {
  const of = (verdict: Decision["verdict"]) =>
    done.decisions.filter((each) => each.verdict === verdict).map(({ resource: { urn }, why }) => ({ urn, why }));
  return {
    ...{ stack, healed, locks: done.locks.map(({ pid, host }) => ({ pid, host })) },
    rewritten: done.rewritten.map(({ urn }) => urn),
    ...{ adopted: of("adopt"), forgotten: of("forget"), foreign: of("foreign") },
  };
}

/** Kind and name of a resource: `Secret team/cloudsuite-admin`. */
export function shownAs({ urn, type }: StateResource): string {
  return `${type.split(":").at(-1)} ${urn.split("::").at(-1)}`;
}
