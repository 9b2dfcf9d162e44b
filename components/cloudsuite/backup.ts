import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { Volume } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { type ContainerRequest, podTemplate } from "../kubernetes/pod.ts";
import { authorityFileMount, authorityVolumes } from "../kubernetes/private-ca.ts";
import { copyEnvironment, copyResources, nightlyCopy } from "../stores/copying.ts";
import { givenSecrets } from "./environment.ts";
import { images } from "./images.ts";
import { jobResources } from "./job-resources.ts";
import { partOf, suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsMount, scriptsPath, scriptsVolume } from "./scripts.ts";
import { suiteObjectStoreConnection } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";
import { besideWeb, suiteUser } from "./suite-pod.ts";
import { isShared, suiteVolume } from "./volumes.ts";

const configPath = "/config";

/** The copy on its way, in memory: it has the keys to the data. */
const copyVolume = { name: "copy", emptyDir: { medium: "Memory", sizeLimit: "16Mi" } } as const satisfies Volume;
const copyPath = "/copy";

/**
 * Copies config.php to the backups bucket every night: without its keys, neither the database nor the files can be used. Passwords of the
 * stores stay out, since every pod has them from its environment.
 */
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
      volumes: [suiteVolume, scriptsVolume, copyVolume, { name: "scratch", emptyDir: {} }, ...authorityVolumes(args)],
      initContainers: [withoutSecrets(args)],
      containers: [
        {
          name,
          image: images(args).copy,
          command: ["sh", `${scriptsPath}/copy-configuration.sh`],
          env: copyEnvironment(suiteObjectStoreConnection(args), s3.buckets.backups),
          resources: copyResources,
          volumeMounts: [
            scriptsMount,
            { name: copyVolume.name, mountPath: copyPath, readOnly: true },
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

function withoutSecrets(args: ResolvedSuite): ContainerRequest {
  const script = `${scriptsPath}/without-secrets.php`;
  return {
    name: "without-secrets",
    image: images(args).web,
    command: ["php", script, `${configPath}/config.php`, `${copyPath}/config.php`, ...givenSecrets(args)],
    resources: jobResources,
    volumeMounts: [
      scriptsMount,
      { name: suiteVolume.name, mountPath: configPath, subPath: "html/config", readOnly: true },
      { name: copyVolume.name, mountPath: copyPath },
    ],
  };
}
