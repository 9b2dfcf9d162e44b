import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { EnvVar, PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import { repositories } from "../catalogue/images.ts";
import { programs } from "../catalogue/releases.ts";
import { fromSecret } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { objectStoreKeys } from "./connections.ts";
import type { ObjectStoreConnection } from "./connections-args.ts";

/** What a nightly Job needs to copy into a bucket with rclone. */

/** The image of rclone. */
export const copyImage = `${repositories.copy}:${programs.rclone.deployed}`;

/** The remote `store`, and the bucket as `BUCKET`; the Job needs a writable `/tmp`. */
export function copyEnvironment(store: ObjectStoreConnection, bucket: string): EnvVar[] {
  return [{ name: "BUCKET", value: bucket }, ...remotes({ store })];
}

/** Remotes of rclone by their names, in lower-case letters; the pod needs a writable `/tmp`. */
export function remotes(stores: Readonly<Record<string, ObjectStoreConnection>>): EnvVar[] {
  return [
    { name: "RCLONE_CONFIG", value: "/tmp/rclone.conf" },
    ...Object.entries(stores).flatMap(([name, store]) => remote(`RCLONE_CONFIG_${name.toUpperCase()}`, store)),
  ];
}

function remote(prefix: string, { endpoint, region, pathStyle, credentials }: ObjectStoreConnection): EnvVar[] {
  const key = (name: string) => ({ name: credentials, key: name });
  return [
    { name: `${prefix}_TYPE`, value: "s3" },
    { name: `${prefix}_PROVIDER`, value: "Other" },
    { name: `${prefix}_ENDPOINT`, value: endpoint },
    { name: `${prefix}_REGION`, value: region },
    { name: `${prefix}_FORCE_PATH_STYLE`, value: String(pathStyle) },
    fromSecret(`${prefix}_ACCESS_KEY_ID`, key(objectStoreKeys.accessKeyId)),
    fromSecret(`${prefix}_SECRET_ACCESS_KEY`, key(objectStoreKeys.secretAccessKey)),
  ];
}

export const copyResources = resourceRequirements({
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { cpu: "500m", memory: "256Mi" },
});

/**
 * The Job that copies every night.
 * @param schedule in the cluster's time
 * @param job how often a failed copy is tried again, and the seconds that all tries may take
 */
export function nightlyCopy(
  schedule: string,
  template: PodTemplateSpec,
  job = { backoffLimit: 3, activeDeadlineSeconds: 600 },
): NonNullable<CronJob["spec"]> {
  return {
    schedule,
    concurrencyPolicy: "Forbid",
    startingDeadlineSeconds: 3600,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 3,
    jobTemplate: { spec: { ...job, template } },
  };
}
