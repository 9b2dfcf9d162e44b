import type { CronJob, JobSpec } from "kubernetes-types/batch/v1.d.ts";
import type { EnvVar, PersistentVolumeClaim, Volume } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { canonicalQuantity } from "../core/quantities.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment } from "../kubernetes/workload.ts";
import { forgeBuckets } from "./buckets.ts";
import { backupEnvironment, repositoriesFolder, type ScriptName, scriptNames, scriptPath } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { type ForgeContainerRequest, forgePod, railsEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";

/** Where the toolbox's tool puts archives while it makes and reads them. */
const scratchPath = "/srv/gitlab/tmp";
/** The toolbox restores what the backup made. */
const folderVariable: EnvVar = { name: backupEnvironment.folder, value: repositoriesFolder };
/** A backup that takes longer than half a day is stuck. */
const backupDeadlineSeconds = 12 * 3600;

/** The toolbox, for administrators and restores; it stays up under maintenance. Beside it the scheduled backup. */
export function toolboxObjects(args: ResolvedForge, migrated: string): PlannedObject[] {
  return [
    { object: scratchClaim(args) },
    { object: toolbox(args), after: [migrated] },
    { object: backup(args), after: [migrated] },
  ];
}

/** A volume for restores, which need room for two copies of all data. Each backup has an ephemeral volume instead. */
function scratchClaim(args: ResolvedForge) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: forgeMetadata(args, forgeNames.toolbox, forgeNames.scratch),
    spec: claimSpec(args),
  } satisfies PersistentVolumeClaim;
}

function claimSpec({ backup: { scratchSize }, repositoryClass }: ResolvedForge) {
  return {
    accessModes: ["ReadWriteOnce"],
    storageClassName: repositoryClass,
    resources: {
      requests: { storage: canonicalQuantity(scratchSize) },
    },
  };
}

function toolbox(args: ResolvedForge) {
  const name = forgeNames.toolbox;
  return deployment({
    metadata: forgeMetadata(args, name),
    replicas: 1,
    // Its volume has a single writer.
    strategy: "Recreate",
    template: forgePod(args, {
      name,
      programs: ["toolbox"],
      gracePeriodSeconds: 5,
      containers: [toolboxContainer(args, name, scriptNames.toolbox, [folderVariable])],
      volumes: [{ name: "scratch", persistentVolumeClaim: { claimName: forgeNames.scratch } }],
    }),
  });
}

/** A container of the toolbox's image that runs a script of ours after the entrypoint rendered the configuration. */
export function toolboxContainer(
  args: ResolvedForge,
  name: string,
  script: ScriptName,
  environment: readonly EnvVar[] = [],
  scriptArguments: readonly string[] = [],
): ForgeContainerRequest {
  const run = script.endsWith(".rb") ? ["gitlab-rails", "runner"] : ["bash"];
  return {
    name,
    program: "toolbox",
    image: images(args).toolbox,
    script,
    args: [...run, scriptPath(script), ...scriptArguments],
    env: [...railsEnvironment(args, "toolbox"), ...bucketEnvironment(args), ...environment],
    resources: resourceRequirements(args.resources.toolbox),
    volumeMounts: [{ name: "scratch", mountPath: scratchPath }],
  };
}

/** Buckets by the names the tool has for them. */
function bucketEnvironment(args: ResolvedForge): EnvVar[] {
  const { objects, backups, temporary } = forgeBuckets(args.bucketSuffix, args.namespace, args);
  return [
    { name: "BACKUP_BACKEND", value: "s3" },
    { name: "BACKUP_BUCKET_NAME", value: backups },
    { name: "TMP_BUCKET_NAME", value: temporary },
    ...Object.entries(objects).map(([type, bucket]) => ({ name: `${type.toUpperCase()}_BUCKET_NAME`, value: bucket })),
  ];
}

function backup(args: ResolvedForge) {
  const name = forgeNames.backup;
  const { keep, objects, repositories, schedule } = args.backup;
  const scratch: Volume = {
    name: "scratch",
    ephemeral: { volumeClaimTemplate: { spec: { ...claimSpec(args), volumeMode: "Filesystem" } } },
  };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: forgeMetadata(args, name),
    spec: {
      schedule,
      timeZone: args.administration.timeZone ?? "Etc/UTC",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 3600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      ...(args.maintenance && { suspend: true }),
      jobTemplate: {
        spec: {
          backoffLimit: 1,
          activeDeadlineSeconds: backupDeadlineSeconds,
          template: forgePod(args, {
            name,
            programs: ["toolbox"],
            restartPolicy: "Never",
            containers: [
              toolboxContainer(args, name, scriptNames.backup, [
                { name: backupEnvironment.keep, value: String(keep) },
                { name: backupEnvironment.repositories, value: repositories },
                { name: backupEnvironment.objects, value: String(objects) },
                folderVariable,
              ]),
            ],
            volumes: [scratch],
          }),
        } satisfies JobSpec,
      },
    },
  } satisfies CronJob;
}
