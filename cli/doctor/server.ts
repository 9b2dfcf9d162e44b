import { dayOf } from "@hearth-platform/hearth/core/days";
import { versionFinding } from "@hearth-platform/stack/live/preflight/cluster-version";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";

/** Facts about the API server. */
export interface ServerFacts {
  readonly server: string;
  /** e.g. `v1.34.2`. */
  readonly version: string;
  /** Its clock as it answered; undefined where it does not say. */
  readonly date: Date | undefined;
  /** The clock here, then. */
  readonly now: Date;
  /** Public addresses of the nodes; `unseen` where the caller may not list them. */
  readonly publicNodes: readonly string[] | "unseen";
}

/** Seconds that clocks may differ by; beyond the second, object stores and sign-ins refuse. */
const skew = { warning: 5, problem: 60 };

/** The API server: its version, its clock, and where it can be reached from. */
export function serverFindings(facts: ServerFacts): Finding[] {
  return [
    versionFinding(facts.server, facts.version, dayOf(facts.now)),
    clockFinding(facts),
    ...networkFindings(facts),
  ];
}

function clockFinding({ date, now }: ServerFacts): Finding {
  const { ok, unknown, warning, problem } = findings("clock");
  if (!date || Number.isNaN(date.getTime())) return unknown("clock", "The API server does not report its time.");
  // The header has whole seconds.
  const seconds = Math.round(Math.abs(date.getTime() - now.getTime()) / 1000);
  const message = `The clocks of the API server and of this machine differ by ${seconds} s.`;
  const remedy = "Synchronise both machines with NTP.";
  if (seconds > skew.problem) return problem("clock", message, remedy);
  return seconds > skew.warning ? warning("clock", message, remedy) : ok("clock", message);
}

/** Rows of the specification's network table that no object shows: ports 6443 and 10250. */
function networkFindings({ server, publicNodes }: ServerFacts): Finding[] {
  const { ok, unknown } = findings("network");
  const { hostname, port } = new URL(server);
  const remedy = "Let the firewall allow only authorised addresses.";
  const api = isPrivate(hostname)
    ? ok("cluster API", `${hostname} is not a public address.`)
    : unknown("cluster API", `The doctor can't see whether everybody can reach ${hostname}:${port || 443}.`, remedy);
  if (publicNodes === "unseen") return [api, unknown("kubelet API", "You may not list nodes.")];
  if (publicNodes.length === 0) return [api, ok("kubelet API", "No node has a public address.")];
  const nodes = counted(publicNodes.length, "node has a public address", "nodes have public addresses");
  return [
    api,
    unknown(
      "kubelet API",
      `${nodes}. The doctor can't see whether port 10250 is open there.`,
      "Let the firewall allow only the cluster's nodes.",
    ),
  ];
}

function isPrivate(host: string): boolean {
  return (
    /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(host) ||
    /^\[?(::1|f[cd])/.test(host) ||
    /\.(local|internal|svc|lan)$/.test(host)
  );
}
