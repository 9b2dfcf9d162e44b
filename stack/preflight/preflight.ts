import { Severity } from "@hearth-platform/hearth/core/problems";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../cluster/cluster.ts";
import { stackPlans } from "../parts.ts";
import { clusterChoice } from "../providers.ts";
import { formatProblem } from "../report.ts";
import type { Stack } from "../stack-settings.ts";
import { quickFindings } from "./checks.ts";
import { lookQuickly } from "./facts.ts";
import { type Finding, Status } from "./finding.ts";
import { needsOf, objectsOf } from "./needs.ts";

/** Longest time that the cluster is waited for, in milliseconds. */
const patience = 5_000;

/**
 * Refuses a stack whose cluster lacks what the update can't be finished without: a kind, a storage class, an issuer, a
 * secret store. What else is wrong there is warned of. A cluster that does not answer is passed over, and so is none:
 * no object depends on what the cluster has.
 * @throws pulumi.RunError with everything that is missing, before any resource is registered
 */
export async function preflight(stack: Stack): Promise<void> {
  // Under mocks there is no cluster to be asked.
  if (!pulumi.runtime.hasEngine()) return;
  const found = await quickLook(stack).catch((error: Error) => {
    pulumi.log.info(`The cluster was not asked what it lacks: ${error.message}`);
    return [];
  });
  const refusal = refusalOf(found);
  if (refusal !== undefined) throw new pulumi.RunError(refusal);
  for (const each of found.filter(({ status }) => status === Status.warning || status === Status.problem))
    pulumi.log.warn(warningOf(each));
}

/** The text that refuses an update; undefined where nothing stands in its way. */
export function refusalOf(found: readonly Finding[]): string | undefined {
  const missing = found.filter(({ status }) => status === Status.missing);
  if (missing.length === 0) return undefined;
  const lines = missing.map(({ subject, message, remedy }) => `- ${subject}: ${message}\n    ${remedy}`);
  return [
    "Nothing was created. The cluster lacks what the update can't be finished without:",
    ...lines,
    "./hearth doctor tells all that can be seen of the cluster.",
  ].join("\n");
}

/** In the form of all warnings, which the gate reads. */
function warningOf({ code, subject, message, remedy }: Finding): string {
  const problem = { severity: Severity.warning, code, path: "", message: `${subject}: ${message}`, remedy };
  return formatProblem({ ...problem, file: "cluster" });
}

async function quickLook(stack: Stack): Promise<Finding[]> {
  const cluster = await Cluster.open(clusterChoice(stack), process.env, patience);
  try {
    const needs = needsOf(objectsOf(stackPlans(stack)));
    return quickFindings(needs, await lookQuickly(cluster, needs));
  } finally {
    cluster.close();
  }
}
