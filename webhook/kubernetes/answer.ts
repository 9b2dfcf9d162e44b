import type { PatchAnswer } from "../site-syncs.ts";

/** The fields looked at in the API server's answers: a PartialObjectMetadata, or a Status. */
interface Answer {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> };
  readonly details?: { readonly name?: unknown };
}

function parse(body: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What an answer of the API server means for a patch of `annotation` to `value` on the site called `name`.
 * A 404 is the site's only when the Status names it: without its CRD the API server answers 404 too.
 */
export function judgeAnswer(
  status: number,
  body: string,
  name: string,
  annotation: string,
  value: string,
): PatchAnswer {
  if (status === 429) return { outcome: "busy", status, reason: "throttled" };
  if (status !== 200 && status !== 404) return { outcome: "failed", status, reason: "refused" };
  const answer = parse(body);
  if (!answer) return { outcome: "failed", status, reason: "garbage" };
  if (status === 404) {
    return answer.details?.name === name
      ? { outcome: "not_found", status }
      : { outcome: "failed", status, reason: "resource_missing" };
  }
  return answer.metadata?.annotations?.[annotation] === value
    ? { outcome: "written", status }
    : { outcome: "failed", status, reason: "not_kept" };
}
