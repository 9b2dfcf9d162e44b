import type { IncomingHttpHeaders } from "node:http";

/** What a call is about: `manual` has no provider's event header, `other` is an event that is not a push. */
export type EventKind = "manual" | "push" | "ping" | "other";

/** Gitea and Forgejo send several of these at once, with the same value. */
const eventHeaders = [
  "x-github-event",
  "x-gitlab-event",
  "x-forgejo-event",
  "x-gitea-event",
  "x-gogs-event",
  "x-event-key",
] as const;

const deliveryHeaders = [
  "x-github-delivery",
  "x-gitlab-event-uuid",
  "x-forgejo-delivery",
  "x-gitea-delivery",
  "x-gogs-delivery",
  "x-request-uuid",
  "x-request-id",
] as const;

/** GitHub, Gitea and Forgejo; GitLab; Bitbucket Cloud; Bitbucket Data Center. */
const pushes = new Set(["push", "push hook", "repo:push", "repo:refs_changed"]);
/** GitHub at creation; Bitbucket Data Center's "Test connection". */
const pings = new Set(["ping", "diagnostics:ping"]);

function first(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Decides from the headers alone: the body is never read for its meaning. */
export function eventKind(headers: IncomingHttpHeaders): EventKind {
  const event = first(headers, eventHeaders)?.toLowerCase();
  if (event === undefined) return "manual";
  if (pushes.has(event)) return "push";
  return pings.has(event) ? "ping" : "other";
}

/** The provider's event name as it may stand in a log, cut to 40 characters; undefined when it is none. */
export function eventName(headers: IncomingHttpHeaders): string | undefined {
  return first(headers, eventHeaders)
    ?.replace(/[^A-Za-z0-9:_. -]/g, "")
    .slice(0, 40);
}

/** The provider's id of this delivery, to be found again in its delivery log; letters, digits and `-`, at most 64. */
export function deliveryId(headers: IncomingHttpHeaders): string | undefined {
  return first(headers, deliveryHeaders)
    ?.replace(/[^A-Za-z0-9-]/g, "")
    .slice(0, 64);
}
