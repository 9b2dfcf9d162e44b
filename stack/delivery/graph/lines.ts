import { counted } from "../../settings/report.ts";
import type { GraphNode, GraphWorkload } from "./graph.ts";

/** How something stands, for its colour: as wanted, on its way, or not as wanted for long. */
export type Tone = "good" | "waiting" | "bad";

/** Extra text of a line, after the plan's own. */
export interface LineState {
  readonly text: string;
  readonly tone: Tone;
}

/** State of the running platform. @default none; the picture shows the plan alone */
export interface GraphState {
  readonly workload?: (workload: GraphWorkload) => LineState | undefined;
  /** @param certificate as `namespace/name` */
  readonly certificate?: (certificate: string) => LineState | undefined;
  /** Address of more about a component; with it, hosts are links too. @default none: the picture has no links */
  readonly link?: (node: GraphNode) => string | undefined;
}

/** A line of a box. */
export interface BoxLine {
  readonly text: string;
  readonly right?: string;
  readonly tone?: Tone | undefined;
  readonly href?: string | undefined;
}

const titles: Readonly<Record<string, string>> = {
  Admission: "Limits in the cluster",
  Forge: "Forge",
  Hub: "Hub",
  CloudSuite: "Suite",
  SiteWebhook: "Site webhook",
  ObjectStorage: "Buckets",
  Database: "PostgreSQL",
  Keystore: "Keystore",
};

/** What is said of a component, below its title. */
export function linesOf(
  node: GraphNode,
  { workload: ofWorkload, certificate: ofCertificate, link }: GraphState,
): BoxLine[] {
  const bucketLines = node.buckets.length > 3 ? [`${node.buckets.length} buckets`] : node.buckets;
  return [
    ...node.hosts.map((host) => ({ text: `https://${host}`, href: link && hostAddress(host) })),
    ...node.workloads.map((workload) => {
      const state = ofWorkload?.(workload);
      const count = state?.text ?? (workload.pods === undefined ? "" : `× ${workload.pods}`);
      return { text: workload.name, right: [workload.version, count].filter(Boolean).join("  "), tone: state?.tone };
    }),
    ...bucketLines.map((text) => ({ text })),
    ...node.backups.map((schedule) => ({ text: "backup", right: inWords(schedule) })),
    ...node.certificates.flatMap((certificate) => {
      const state = ofCertificate?.(certificate);
      return state ? [{ text: certificate.replace(/^.*\//, ""), right: state.text, tone: state.tone }] : [];
    }),
    ...node.sites.map((site) => ({ text: site })),
    ...(node.admissionPolicies > 0
      ? [{ text: counted(node.admissionPolicies, "admission policy", "admission policies") }]
      : []),
  ];
}

/** Where a browser opens a host; undefined for the wildcard of many. */
export function hostAddress(host: string): string | undefined {
  return host.includes("*") ? undefined : `https://${host}/`;
}

/** A schedule of cron, with or without seconds, as people say it where it is simple. */
function inWords(schedule: string): string {
  const [, minute = "", hour = ""] = /^(?:0 )?(\d+) (\d+) \* \* \*$/.exec(schedule) ?? [];
  return minute ? `every day at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")} UTC` : schedule;
}

/** What a component is called in pictures and pages, e.g. `Suite team`. */
export function titleOf({ component, id }: Pick<GraphNode, "component" | "id">): string {
  const title = titles[component] ?? component;
  return component === "CloudSuite" ? `${title} ${id}` : title;
}
