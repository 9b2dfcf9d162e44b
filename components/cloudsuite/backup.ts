import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { podTemplate } from "../kubernetes/pod.ts";
import { authorityFileMount, authorityVolumes } from "../kubernetes/private-ca.ts";
import { copyEnvironment, copyResources, nightlyCopy } from "../stores/copying.ts";
import { images } from "./images.ts";
import { partOf, suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsMount, scriptsPath, scriptsVolume } from "./scripts.ts";
import { suiteObjectStoreConnection } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";
import { besideWeb, suiteUser } from "./suite-pod.ts";
import { isShared, suiteVolume } from "./volumes.ts";

const configPath = "/config";

/** Copies config.php to the backups bucket every night: without its keys, neither the database nor the files can be used. */
export function configurationBackupObject(args: ResolvedSuite): PlannedObject {
  const { platform, s3 } = args;
  const name = suiteNames.configurationBackup;
  const template = podTemplate(
    {
      name,
      partOf,
      user: suiteUser,
      group: suiteUser,
      restartPolicy: "OnFailure",
      secrets: [suiteNames.objectStoreCredentials],
      volumes: [suiteVolume, scriptsVolume, { name: "scratch", emptyDir: {} }, ...authorityVolumes(args)],
      containers: [
        {
          name,
          image: images(args).copy,
          command: ["sh", `${scriptsPath}/copy-configuration.sh`],
          env: copyEnvironment(suiteObjectStoreConnection(args), s3.buckets.backups),
          resources: copyResources,
          volumeMounts: [
            scriptsMount,
            { name: suiteVolume.name, mountPath: configPath, subPath: "html/config", readOnly: true },
            { name: "scratch", mountPath: "/tmp" },
            // A Go program reads every file of this folder besides the image's bundle.
            ...authorityFileMount(args, "/etc/ssl/certs"),
          ],
        },
      ],
    },
    platform,
  );
  const object = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: suiteMetadata(args, name),
    spec: nightlyCopy("17 2 * * *", isShared(args) ? template : besideWeb(template)),
  } satisfies CronJob;
  return { object, after: [`Deployment/${suiteNames.web}`] };
}
