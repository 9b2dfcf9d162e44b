/** A violation or advice of a policy, as the engine tells it. */
interface PolicyEvent {
  readonly resourceUrn?: string;
  readonly message: string;
  readonly policyName: string;
  readonly enforcementLevel: string;
  readonly severity?: string;
}

/** Which policies had something to judge. */
interface PolicySummary {
  readonly passed?: readonly string[];
  readonly failed?: readonly string[];
}

/** As much of the engine's events as the gate reads: `pkg/v3/display`, `sdk/v3/apitype/events.go`. */
export interface EngineEvent {
  readonly policyEvent?: PolicyEvent;
  readonly policyAnalyzeSummaryEvent?: PolicySummary;
  readonly policyAnalyzeStackSummaryEvent?: PolicySummary;
  readonly resourcePreEvent?: {
    readonly metadata: {
      readonly op: string;
      readonly urn: string;
      readonly type: string;
      readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
      readonly old?: { readonly inputs?: unknown } | null;
      readonly new?: { readonly inputs?: unknown } | null;
    };
  };
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string; readonly urn?: string };
  readonly summaryEvent?: { readonly PolicyPacks?: Readonly<Record<string, string>> };
}

/** What a text says in JSON, an object a line; lines of anything else are left out. */
export function jsonLines<Line>(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
