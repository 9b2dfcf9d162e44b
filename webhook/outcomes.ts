import type { SyncResult } from "./site-syncs.ts";

/** What became of a call: the label of metrics and the word in logs. */
export type Outcome =
  | "triggered"
  | "coalesced"
  | "checked"
  | "ignored"
  | "not_found"
  | "invalid"
  | "denied"
  | "method"
  | "too_large"
  | "shed"
  | "error";

/** The status that answers an outcome. Bodies are always empty: providers read and store them. */
export const statusOf: Readonly<Record<Outcome, number>> = {
  triggered: 202,
  coalesced: 202,
  checked: 204,
  ignored: 204,
  denied: 403,
  not_found: 404,
  invalid: 404,
  method: 405,
  too_large: 413,
  error: 500,
  shed: 503,
};

const plain = { "content-length": "0", "cache-control": "no-store" } as const;

/** Headers that go with an outcome's status. */
const headersOf: Readonly<Partial<Record<Outcome, Readonly<Record<string, string>>>>> = {
  checked: { "cache-control": "no-store" },
  ignored: { "cache-control": "no-store" },
  method: { ...plain, allow: "POST" },
  shed: { ...plain, "retry-after": "1" },
};

/** The empty answer to a call. `last` makes it the connection's last. */
export function answerTo(outcome: Outcome, last: boolean): Response {
  const headers = headersOf[outcome] ?? plain;
  const status = statusOf[outcome];
  return new Response(null, { status, headers: last ? { ...headers, connection: "close" } : headers });
}

/** What a sync's result means for the call that asked for it. */
export function callOutcome(sync: SyncResult, dryRun: boolean): Outcome {
  switch (sync.outcome) {
    case "written":
      if (dryRun) return "checked";
      return sync.merged ? "coalesced" : "triggered";
    case "failed":
      return "error";
    default:
      return sync.outcome;
  }
}
