import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { EnvVar, PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import { repositories } from "../catalogue/images.ts";
import { programs } from "../catalogue/releases.ts";
import { fromSecret } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { objectStoreKeys } from "./connections.ts";
import type { ObjectStoreConnection } from "./connections-args.ts";

/** What a nightly Job needs to copy a file into a bucket with rclone, whose remote is called `store`. */

/** The image of rclone. */
export const copyImage = `${repositories.copy}:${programs.rclone.deployed}`;

/** The remote, and the bucket as `BUCKET`; the Job needs a writable `/tmp`. */
export function copyEnvironment(store: ObjectStoreConnection, bucket: string): EnvVar[] {
  return [
    { name: "BUCKET", value: bucket },
    { name: "RCLONE_CONFIG", value: "/tmp/rclone.conf" },
    { name: "RCLONE_CONFIG_STORE_TYPE", value: "s3" },
    { name: "RCLONE_CONFIG_STORE_PROVIDER", value: "Other" },
    { name: "RCLONE_CONFIG_STORE_ENDPOINT", value: store.endpoint },
    { name: "RCLONE_CONFIG_STORE_REGION", value: store.region },
    { name: "RCLONE_CONFIG_STORE_FORCE_PATH_STYLE", value: String(store.pathStyle) },
    fromSecret("RCLONE_CONFIG_STORE_ACCESS_KEY_ID", { name: store.credentials, key: objectStoreKeys.accessKeyId }),
    fromSecret("RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY", {
      name: store.credentials,
      key: objectStoreKeys.secretAccessKey,
    }),
  ];
}

export const copyResources = resourceRequirements({
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { cpu: "500m", memory: "256Mi" },
});

/** The Job that copies every night. @param schedule in the cluster's time */
export function nightlyCopy(schedule: string, template: PodTemplateSpec): NonNullable<CronJob["spec"]> {
  return {
    schedule,
    concurrencyPolicy: "Forbid",
    startingDeadlineSeconds: 3600,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 3,
    jobTemplate: { spec: { backoffLimit: 3, activeDeadlineSeconds: 600, template } },
  };
}
