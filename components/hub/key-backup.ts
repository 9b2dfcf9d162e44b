import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { copyEnvironment, copyResources, nightlyCopy } from "../stores/copying.ts";
import { scriptNames, scriptsPath } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { configVolume, hubPod, scriptsMount } from "./hub-pod.ts";
import { images } from "./images.ts";
import { hubMetadata } from "./metadata.ts";
import { scripts } from "./scripts.ts";
import { secretVolumes } from "./secrets.ts";

const name = hubNames.keyBackup;

/** Copies the encryption key to the bucket of the database's backups every night, before the base backup. */
export function keyBackupObjects(args: ResolvedHub): PlannedObject[] {
  const { backups, objectStore, platform } = args;
  if (backups === undefined) return [];
  const template = hubPod(args, {
    name,
    gracePeriodSeconds: 30,
    restartPolicy: "OnFailure",
    configuration: { script: scripts[scriptNames.copyKey] ?? "" },
    secrets: [hubNames.encryptionKey],
    containers: [
      {
        name,
        image: images(args).copy,
        command: ["sh", `${scriptsPath}/${scriptNames.copyKey}`],
        env: copyEnvironment(objectStore, backups),
        resources: copyResources,
        volumeMounts: [
          scriptsMount,
          { name: hubNames.encryptionKey, mountPath: "/key", readOnly: true },
          { name: "scratch", mountPath: "/tmp" },
          // A Go program reads every file of this folder besides the image's bundle.
          ...(platform.privateCa
            ? [
                {
                  name: "private-ca",
                  mountPath: "/etc/ssl/certs/private-ca.crt",
                  subPath: "private-ca.crt",
                  readOnly: true,
                },
              ]
            : []),
        ],
      },
    ],
    volumes: [
      configVolume(hubNames.scripts),
      ...secretVolumes(args, ["encryptionKey"]),
      { name: "scratch", emptyDir: {} },
    ],
  });
  const object = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: hubMetadata(args, name),
    spec: nightlyCopy("30 2 * * *", template),
  } satisfies CronJob;
  return [{ object }];
}
