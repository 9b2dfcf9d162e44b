import { type RecordedResource, recordedState } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { today } from "@hearth-platform/hearth/core/days";
import * as pulumi from "@pulumi/pulumi";
import { stackParts, stackPlans } from "../../parts.ts";
import { clusterChoice } from "../../providers.ts";
import { warn } from "../../settings/warn.ts";
import type { Stack } from "../../stack-settings.ts";
import type { ClusterIdentity } from "../../state/cluster-identity.ts";
import { LiveCluster } from "../cluster/cluster.ts";
import { identityFinding, quickFindings } from "./checks.ts";
import { versionFinding } from "./cluster-version.ts";
import { dataFindings, placesToSee } from "./data-checks.ts";
import { dataNeedsOf } from "./data-needs.ts";
import { lookQuickly } from "./facts.ts";
import { type Finding, problemOf, Status } from "./finding.ts";
import { lookIntoBuckets } from "./look-into-buckets.ts";
import { keyFindings, keyNeedsOf, lostKeys } from "./lost-keys.ts";
import { isEmptyState, lostStateRefusal } from "./lost-state.ts";
import { needsOf, objectsOf } from "./needs.ts";
import { lookAtWorkloads, operatorFindings } from "./operators.ts";
import { askRights, awaitedRightsOf, rightsFindings } from "./rights.ts";
import { goneSecrets } from "./secret-checks.ts";
import { lookForNew, newObjects, takenFindings } from "./taken.ts";

/** Longest time that the cluster is waited for, in milliseconds. */
const patience = 15_000;

/** What `hearth heal` passes over in its previews, because it takes that into the state: what was `forgotten`, or with a `lost-state` everything. */
const healed = () => process.env.HEARTH_HEALS;

/**
 * Refuses a stack whose cluster lacks what the update can't be finished without: a kind, a storage class, an issuer, a
 * secret store, a right to see what it waits for; one that would begin empty beside data in use; and one of which something is in the cluster already, and
 * not in the state. What else is wrong there is warned of. A cluster that can't be seen is passed over before the first update
 * and with `HEARTH_OFFLINE`: no object depends on what the cluster has.
 * @returns which cluster it is
 * @throws pulumi.RunError with everything that is missing, before any resource is registered
 */
export async function preflight(stack: Stack): Promise<ClusterIdentity> {
  const accepted = stack.settings.kubernetes?.identity;
  // Under mocks there is no cluster to be asked.
  if (!pulumi.runtime.hasEngine()) return { live: undefined, accepted };
  const { live, found } = await quickLook(stack).catch(async (error: Error) => {
    if (error instanceof pulumi.RunError) throw error;
    const refusal = unseenRefusal(error.message, (await recordedState())?.resources, process.env);
    if (refusal !== undefined) throw new pulumi.RunError(refusal);
    pulumi.log.info(`The cluster could not be checked: ${error.message}`);
    return { live: undefined, found: [] };
  });
  const refusal = refusalOf(found);
  if (refusal !== undefined) throw new pulumi.RunError(refusal);
  for (const each of found.filter(({ status }) => status === Status.warning || status === Status.problem))
    warn(problemOf(each));
  return { live, accepted };
}

/**
 * Why a stack that was up before goes no further without its cluster: nobody would see what is wrong there, and a pipeline
 * would pass. Undefined for a stack that has nothing in its state yet, and where the environment has `HEARTH_OFFLINE`.
 * @param why the cluster could not be checked
 * @param recorded its state; undefined where it can't be read
 */
export function unseenRefusal(
  why: string,
  recorded: readonly RecordedResource[] | undefined,
  { HEARTH_OFFLINE }: NodeJS.ProcessEnv,
): string | undefined {
  if (!recorded || isEmptyState(recorded) || HEARTH_OFFLINE) return undefined;
  return [
    `Nothing was created. The stack was up before, and its cluster could not be checked: ${why}`,
    "- Make it answer, with credentials that it accepts.",
    "- For a preview without the cluster set `HEARTH_OFFLINE=1`. It does not see what is wrong in the cluster.",
  ].join("\n");
}

/** Statuses that refuse an update, each with the headline of its findings. */
const refusing = [
  [Status.missing, "The update could not finish, because the cluster lacks:"],
  [Status.taken, "The update would stop at what exists in the cluster already, and is not in the stack's state:"],
  [Status.unsafe, "The update would begin anew beside data that is in use:"],
] as const;

/** The text that refuses an update; undefined where nothing stands in its way. */
export function refusalOf(found: readonly Finding[]): string | undefined {
  const paragraphs = refusing.flatMap(([status, headline]) => {
    const own = found.filter((each) => each.status === status);
    const lines = own.map(({ subject, message, remedy }) => `- ${subject}: ${message}\n    ${remedy}`);
    return own.length === 0 ? [] : [[headline, ...lines].join("\n")];
  });
  if (paragraphs.length === 0) return undefined;
  return `Nothing was created. ${paragraphs.join("\n")}\n./hearth doctor shows every finding.`;
}

async function quickLook(stack: Stack): Promise<{ live: string | undefined; found: Finding[] }> {
  const cluster = await LiveCluster.open(clusterChoice(stack), process.env, patience);
  try {
    const objects = objectsOf(stackPlans(stack));
    const [needs, data] = [needsOf(objects, stack.settings), dataNeedsOf(stack, objects)];
    const [looked, state] = await Promise.all([lookQuickly(cluster, needs, data), recordedState()]);
    const { made, generated, resources } = state ?? {};
    const facts = { ...looked, ...(resources && { made, generated, isEmpty: isEmptyState(resources) }) };
    const lost = lostStateRefusal(needs, data, facts, pulumi.getStack());
    if (lost !== undefined && healed() !== "lost-state") throw new pulumi.RunError(lost);
    const keys = healed() ? [] : lostKeys(keyNeedsOf(stack, stackParts(stack), data), facts);
    const [seen, rights, there, workloads] = await Promise.all([
      lookIntoBuckets([...placesToSee(data, facts), ...keys.flatMap(({ beside }) => beside)]),
      askRights(cluster, awaitedRightsOf(objects)),
      healed() ? [] : lookForNew(cluster, newObjects(objects, facts)),
      lookAtWorkloads(cluster),
    ]);
    const gone = goneSecrets(needs.secrets, facts, facts.made);
    const taken = takenFindings(there, pulumi.getStack());
    const lostData = [...dataFindings(data, facts, seen), ...keyFindings(keys, facts, seen)];
    const found = [...quickFindings(needs, facts), ...taken, ...gone, ...rightsFindings(rights), ...lostData];
    const identity = identityFinding(facts.identity, stack.settings.kubernetes?.identity);
    const day = today();
    const version = versionFinding(cluster.server, cluster.version.gitVersion, day);
    const operators = operatorFindings(needs.kinds, workloads, day);
    return { live: facts.identity, found: [version, ...operators, identity, ...found] };
  } finally {
    cluster.close();
  }
}
