import { groupOf, prerequisites } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { Day } from "@hearth-platform/hearth/core/days";
import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import type { DaemonSet, Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { LiveCluster } from "../cluster/cluster.ts";
import { endingOf } from "./cluster-version.ts";
import { look } from "./facts.ts";
import { type Finding, findings } from "./finding.ts";
import type { ApiKind } from "./needs.ts";

/** A workload of the cluster, of any namespace. */
export type Workload = Deployment | DaemonSet;

/** The Deployments and DaemonSets of all namespaces; `unseen` where the caller may not list both. */
export async function lookAtWorkloads(cluster: Pick<LiveCluster, "read">): Promise<readonly Workload[] | "unseen"> {
  const lists = await Promise.all(
    ["deployments", "daemonsets"].map((kinds) => look<{ items: Workload[] }>(cluster, `/apis/apps/v1/${kinds}`)),
  );
  return lists.some((found) => typeof found === "string")
    ? "unseen"
    : lists.flatMap((found) => (found as { items: Workload[] }).items);
}

/** The repository of an image: what stands before tag and digest. */
export function repositoryOf(image: string): string {
  return image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
}

/** The containers of workloads whose image is meant, each with its workload. */
export function containersByImage(workloads: readonly Workload[], image: RegExp) {
  return workloads.flatMap((workload) =>
    (workload.spec?.template.spec?.containers ?? [])
      .filter((container) => image.test(repositoryOf(container.image ?? "")))
      .map((container) => ({ workload, container })),
  );
}

/** Whether the operators run whose kinds the stack has, and get fixes. @param today in UTC */
export function operatorFindings(
  kinds: readonly ApiKind[],
  workloads: readonly Workload[] | "unseen",
  today: Day,
): Finding[] {
  const { ok, unknown, warning, problem } = findings("operators");
  const groups = new Set(kinds.map(({ apiVersion }) => groupOf(apiVersion)));
  return prerequisites
    .filter(({ group }) => groups.has(group))
    .map(({ name, image, release }) => {
      if (workloads === "unseen") return unknown(name, "You may not list Deployments of all namespaces.");
      const [first, ...more] = containersByImage(workloads, image);
      if (!first) return unknown(name, "No pod with its image was found.", "Check whether it runs.");
      const all = [first, ...more];
      const running = all.find(({ workload }) => readyPods(workload) > 0);
      const { workload, container } = running ?? first;
      const where = `${workload.metadata?.namespace}/${workload.metadata?.name}`;
      if (!running)
        return problem(
          name,
          `${where} has no ready pod.`,
          "Look at kubectl describe: without this pod, objects of its kinds are not processed.",
        );
      const runs = `${where} runs ${container.image}`;
      const ending = release && endingOf(release, parseImage(container.image ?? "")?.tag, today);
      return ending === undefined ? ok(name, `${runs}.`) : warning(name, `${runs}: ${ending.message}`, ending.remedy);
    });
}

function readyPods({ status }: Workload): number {
  if (!status) return 0;
  return ("numberReady" in status ? status.numberReady : (status as { readyReplicas?: number }).readyReplicas) ?? 0;
}
