/** A status condition, as Kubernetes' API conventions describe it. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

/** A time the way Kubernetes writes it: RFC 3339, UTC, whole seconds. */
export function timestamp(date = new Date()): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The condition with the time of its last transition: kept while the status stays what it was, else `now`. */
export function transition(
  previous: readonly Condition[] | undefined,
  next: Condition,
  now = timestamp(),
): Required<Pick<Condition, "lastTransitionTime">> & Condition {
  const before = previous?.find(({ type }) => type === next.type);
  const unchanged = before?.status === next.status && before.lastTransitionTime;
  return { ...next, lastTransitionTime: unchanged || now };
}
