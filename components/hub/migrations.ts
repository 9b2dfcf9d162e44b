import type { Job } from "kubernetes-types/batch/v1.d.ts";
import { objectId, type PlannedObject } from "../core/plan.ts";
import type { Backup } from "../kubernetes/custom-resources/backup.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { awaitedFor } from "../kubernetes/workload.ts";
import { barmanPlugin } from "../stores/database/backup.ts";
import { scriptNames, scriptsPath } from "./configuration.ts";
import { coreContainer, coreSecretFiles, coreVariables, coreVolumes } from "./core.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { configVolume, hubContainer, hubPod, scriptsMount } from "./hub-pod.ts";
import { hubMetadata } from "./metadata.ts";
import { readSecrets } from "./secrets.ts";

const deadlineSeconds = 3600;
const name = hubNames.migrations;

/** The Job that makes or migrates the schema before core's new pods, and before it a backup, since no migration can be undone. */
export function migrationObjects(args: ResolvedHub): { objects: PlannedObject[]; id: string } {
  const backup = args.databaseCluster === undefined ? undefined : backupOf(args, args.databaseCluster);
  const migrations = job(args);
  return {
    objects: [
      ...(backup ? [{ object: backup }] : []),
      // Its pods never change, so a changed one runs anew: migrating twice does nothing the second time.
      { object: migrations, after: backup ? [objectId(backup)] : [], replaceOnChanges: ["spec.template"] },
    ],
    id: objectId(migrations),
  };
}

function tag(args: ResolvedHub): string {
  return args.version.replaceAll(".", "-");
}

function backupOf(args: ResolvedHub, cluster: string) {
  const metadata = hubMetadata(args, name, `${cluster}-hub-${tag(args)}`);
  return {
    apiVersion: "postgresql.cnpg.io/v1",
    kind: "Backup",
    metadata: {
      ...metadata,
      annotations: {
        "pulumi.com/waitFor": "jsonpath={.status.phase}=completed",
        "pulumi.com/timeoutSeconds": String(deadlineSeconds),
      },
    },
    spec: { cluster: { name: cluster }, method: "plugin", pluginConfiguration: { name: barmanPlugin } },
  } satisfies Backup;
}

function job(args: ResolvedHub) {
  const core = coreContainer(args);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { ...hubMetadata(args, name, `${name}-${tag(args)}`), ...awaitedFor(deadlineSeconds) },
    spec: {
      backoffLimit: 6,
      activeDeadlineSeconds: deadlineSeconds,
      template: hubPod(args, {
        name,
        restartPolicy: "OnFailure",
        secrets: readSecrets(args, coreVariables, coreSecretFiles),
        containers: [
          hubContainer(args, {
            ...core,
            name: "migrations",
            command: ["sh", `${scriptsPath}/${scriptNames.migrate}`],
            resources: resourceRequirements(args.resources.jobs),
            volumeMounts: [...(core.volumeMounts ?? []), scriptsMount],
          }),
        ],
        volumes: [...coreVolumes(args), configVolume(hubNames.scripts)],
      }),
    },
  } satisfies Job;
}
