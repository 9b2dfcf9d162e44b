import { findings, isWrong } from "@hearth-platform/stack/live/preflight/finding";
import { troubleFindings } from "@hearth-platform/stack/live/trouble/troubles";
import { kitFindings } from "../doctor/kit.ts";
import { backupChecks, jobChecks } from "./backup-checks.ts";
import { componentChecks, settingsChecks, strangeCluster, versionChecks } from "./component-checks.ts";
import { type ComponentState, componentStates } from "./components.ts";
import { driftChecks } from "./drift-checks.ts";
import type { StatusFacts } from "./facts.ts";
import { certificateChecks, secretChecks, volumeChecks } from "./object-checks.ts";
import { momentText, type StatusRow } from "./row.ts";

/** What a check is made of. */
type Check = (facts: StatusFacts, states: readonly ComponentState[]) => readonly StatusRow[];

/** Every check, in the order of the screen. */
const checks: readonly Check[] = [
  (_, states) => componentChecks(states),
  ({ live }) => troubleFindings(live),
  ({ now }, states) => versionChecks(states, now),
  (_, states) => settingsChecks(states),
  driftChecks,
  certificateChecks,
  secretChecks,
  volumeChecks,
  backupChecks,
  jobChecks,
  ({ kit, now }) => kitFindings(kit, now),
  alertChecks,
];

/** A live stack as it stands. */
export interface StatusReport {
  readonly stack: string;
  /** URL of the API server. */
  readonly server: string;
  /** When it was looked at, as RFC 3339. */
  readonly at: string;
  /** Nothing is broken; warnings may be there. */
  readonly sound: boolean;
  readonly components: readonly ComponentState[];
  readonly checks: readonly StatusRow[];
}

/** What the facts say: pure. */
export function statusReport(facts: StatusFacts): StatusReport {
  const components = componentStates(facts);
  const strange = strangeCluster(components);
  const rows = strange.length > 0 ? strange : checks.flatMap((check) => check(facts, components));
  return {
    stack: facts.stack,
    server: facts.server,
    at: facts.now.toISOString(),
    sound: !rows.some(isWrong),
    components,
    checks: rows,
  };
}

/** Firing alerts: what pages is a problem. */
function alertChecks({ alerts }: StatusFacts): StatusRow[] {
  const { ok, unknown, warning, problem } = findings("alerts");
  if (!alerts) return [];
  if ("failure" in alerts) return [unknown("alerts", alerts.failure, "Name a Prometheus that this machine reaches.")];
  if (alerts.length === 0) return [ok("alerts", "None fires in the stack's namespaces.")];
  return alerts.map(({ name, namespace, severity, summary, since }) => {
    const says = `${severity} in ${namespace}, since ${momentText(since)}. ${summary}`.trim();
    const runbook = name.startsWith("Hearth") ? `See docs/reference/alerts.md#${name.toLowerCase()}.` : "";
    return (severity === "page" || severity === "critical" ? problem : warning)(name, says, runbook);
  });
}
