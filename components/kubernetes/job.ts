import type { Job } from "kubernetes-types/batch/v1.d.ts";
import type { PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import { configurationHash } from "./pod.ts";
import { awaitedFor, type WorkloadMetadata } from "./workload.ts";

/** A Job that applies settings, and its pod template. */
export interface ApplyingJobRequest {
  /** Its name without the hash. */
  readonly metadata: WorkloadMetadata;
  readonly template: PodTemplateSpec;
  /** Plain values beside the pod's that make it run again when they change. @default none */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Seconds it may take, with all its tries. */
  readonly deadlineSeconds: number;
}

/**
 * A Job that can run any number of times with the same result. Jobs never change, so it carries a hash of what it does in its name: whatever
 * changes that makes a new one, which runs, and removes the old.
 */
export function applyingJob({ metadata, template, inputs, deadlineSeconds }: ApplyingJobRequest) {
  const hash = configurationHash({ ...inputs, pod: JSON.stringify(template) }).slice(0, 8);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { ...metadata, name: `${metadata.name}-${hash}`, ...awaitedFor(deadlineSeconds) },
    spec: { backoffLimit: 5, activeDeadlineSeconds: deadlineSeconds, template },
  } satisfies Job;
}
