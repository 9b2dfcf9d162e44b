import * as pulumi from "@pulumi/pulumi";
import { stackPlans } from "../../parts.ts";
import { clusterChoice } from "../../providers.ts";
import { warn } from "../../settings/warn.ts";
import type { Stack } from "../../stack-settings.ts";
import { LiveCluster } from "../cluster/cluster.ts";
import { type Finding, problemOf, Status } from "../preflight/finding.ts";
import { namespacesOf, needsOf, objectsOf } from "../preflight/needs.ts";
import { lookAtLive } from "./live.ts";
import { outageFindings, serverPatience, storeFindings } from "./outage.ts";
import { troubleFindings } from "./troubles.ts";

/** Between two looks at the cluster, in milliseconds. */
const pause = 4_000;
/** More for each namespace of a large stack, so that a look asks the API server for no more than some 25 lists a second. */
const pauseOfNamespace = 400;

/** How long a trouble may last before it is named, in milliseconds: many pass while a stack comes up. */
const patience: Readonly<Partial<Record<Status, number>>> = { [Status.problem]: 5_000, [Status.warning]: 90_000 };

/**
 * Names what keeps an update from going on, while it waits: an image that can't be pulled, a claim without a volume, an
 * issuer that refuses, an API server that does not answer. Looks at the cluster until the program ends; one that can't be looked
 * at changes nothing.
 */
export function nameTroubles(stack: Stack): void {
  if (!pulumi.runtime.hasEngine() || pulumi.runtime.isDryRun()) return;
  let namespaces: readonly string[] | undefined;
  const lasting = lastingTroubles();
  const look = async () => {
    // After the program has registered its resources, which is what everybody waits for.
    namespaces ??= namespacesOf(needsOf(objectsOf(stackPlans(stack))));
    for (const each of lasting(await troublesOf(stack, namespaces), Date.now())) await warn(problemOf(each));
  };
  // The update ends when its resources are there, whatever is being looked at.
  const again = () => {
    const milliseconds = Math.max(pause, pauseOfNamespace * (namespaces?.length ?? 0));
    setTimeout(() => look().then(again, again), milliseconds).unref();
  };
  again();
}

/** What is wrong now; of a cluster that does not answer that alone. */
async function troublesOf(stack: Stack, namespaces: readonly string[]): Promise<Finding[]> {
  try {
    const cluster = await LiveCluster.open(clusterChoice(stack), process.env, serverPatience);
    try {
      const unanswered = await storeFindings(cluster, namespaces[0] ?? "default");
      return unanswered.length > 0 ? unanswered : troubleFindings(await lookAtLive(cluster, namespaces));
    } finally {
      cluster.close();
    }
  } catch (error) {
    return outageFindings(error);
  }
}

/** Of the troubles seen at a time, those that have lasted long enough and were not returned before. */
export function lastingTroubles() {
  const since = new Map<string, number>();
  const named = new Set<string>();
  return (found: readonly Finding[], now: number): Finding[] => {
    const keys = new Set(found.map(keyOf));
    for (const key of since.keys()) if (!keys.has(key)) since.delete(key);
    return found.filter((each) => {
      const key = keyOf(each);
      const first = since.get(key) ?? now;
      since.set(key, first);
      if (named.has(key) || now - first < (patience[each.status] ?? Number.POSITIVE_INFINITY)) return false;
      named.add(key);
      return true;
    });
  };
}

/** The message changes while a kubelet tries again. */
function keyOf({ code, subject, remedy }: Finding): string {
  return `${code} ${subject} ${remedy}`;
}
