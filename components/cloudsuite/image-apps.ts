import type { Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { ContainerRequest } from "../kubernetes/pod.ts";
import { jobResources } from "./job-resources.ts";
import type { ResolvedSuite } from "./schema.ts";

/** Apps of Nextcloud that come as an image: for suites without a way to the app store. */

/** Where Nextcloud finds them, and browsers find their files. */
export const imageAppsPath = "/image-apps";

const volume = { name: "image-apps", emptyDir: {} } as const satisfies Volume;

/** The volume of a pod with those apps. */
export function imageAppsVolumes({ appsImage }: ResolvedSuite): Volume[] {
  return appsImage === undefined ? [] : [volume];
}

/** The apps, which nobody can change. */
export function imageAppsMounts({ appsImage }: ResolvedSuite): VolumeMount[] {
  return appsImage === undefined ? [] : [{ name: volume.name, mountPath: imageAppsPath, readOnly: true }];
}

/** The container that places the apps. A volume of the image itself would need no copy, but Kubernetes has those since 1.33 only. */
export function imageAppsContainers({ appsImage }: ResolvedSuite): ContainerRequest[] {
  if (appsImage === undefined) return [];
  return [
    {
      name: "image-apps",
      image: appsImage,
      command: ["cp", "-R", "/apps/.", "/copy/"],
      resources: jobResources,
      volumeMounts: [{ name: volume.name, mountPath: "/copy" }],
    },
  ];
}
