import type { DrillApplication } from "@hearth-platform/hearth/drill/args";
import { resultKeys } from "@hearth-platform/hearth/drill/drill-names";
import type { DrillResult } from "@hearth-platform/hearth/drill/scripts/findings";
import type { NewObject } from "@hearth-platform/stack/live/cluster/cluster";
import type { CronJob, Job } from "kubernetes-types/batch/v1.d.ts";
import type { Container } from "kubernetes-types/core/v1.d.ts";

/** A drill that a person asks for. */
export interface AskedDrill {
  readonly namespace: string;
  /** Name of the database. */
  readonly running: string;
  readonly cronJob: string;
  readonly resultMap: string;
  readonly checks: readonly DrillApplication[];
}

/** A CronJob of the cluster. */
export type LiveCronJob = CronJob & { readonly metadata: { readonly name: string; readonly uid: string } };

/** A Job of the cluster, as far as its end is read. */
export type DrillJob = Pick<Job, "status">;

/**
 * The Job that the schedule would start, for some of its checks and another time. It belongs to the CronJob, so that a good one
 * counts as its last success.
 */
export function jobOf(live: LiveCronJob, { namespace, checks }: AskedDrill, target: string | undefined): NewObject {
  const { name, uid, labels } = live.metadata;
  const spec = live.spec?.jobTemplate.spec;
  const pod = spec?.template.spec;
  const asked = (container: Container): Container => ({
    ...container,
    env: [
      ...(container.env ?? []).map((variable) =>
        variable.name === "CHECKS" ? { name: "CHECKS", value: checks.join(" ") } : variable,
      ),
      ...(target !== undefined && container.name === "recover" ? [{ name: "TARGET_TIME", value: target }] : []),
    ],
  });
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      generateName: `${name}-now-`,
      namespace,
      labels,
      ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name, uid, controller: true }],
    },
    spec: {
      ...spec,
      template: {
        ...spec?.template,
        spec: {
          ...pod,
          initContainers: pod?.initContainers?.map(asked),
          containers: pod?.containers.map(asked),
        },
      },
    },
  } as NewObject;
}

/** How a Job ended; undefined while it runs. */
export function jobEnd(
  job: DrillJob | undefined,
): { readonly complete: boolean; readonly reason?: string } | undefined {
  if (!job) return { complete: false, reason: "The Job was deleted." };
  const ended = (job.status?.conditions ?? []).filter(({ status }) => status === "True");
  if (ended.some(({ type }) => type === "Complete")) return { complete: true };
  const failed = ended.find(({ type }) => type === "Failed");
  if (!failed) return undefined;
  return {
    complete: false,
    reason: failed.reason === "DeadlineExceeded" ? "It was ended by its deadline." : `${failed.message}`,
  };
}

/** The result that a Job's pod wrote, with its line; undefined where the last result is another drill's. */
export function resultOf(
  data: Readonly<Record<string, string>> | undefined,
  job: string,
): (DrillResult & { line?: string }) | undefined {
  const json = data?.[resultKeys.json];
  if (json === undefined) return undefined;
  const result: DrillResult = JSON.parse(json);
  const line = data?.[resultKeys.line];
  return result.pod.startsWith(`${job}-`) ? { ...result, ...(line !== undefined && { line }) } : undefined;
}
