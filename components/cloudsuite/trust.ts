import type { EnvVar, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { ContainerRequest } from "../kubernetes/pod.ts";
import { authorityMounts, authorityVolumes, privateFile } from "../kubernetes/private-ca.ts";
import { images } from "./images.ts";
import { jobResources } from "./job-resources.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsMount, scriptsPath } from "./scripts.ts";

const bundleVolume = "trust";
const bundle = "ca-certificates.crt";

/** Where containers find the bundle: the image's own place of it. */
export const bundlePath = `/etc/ssl/certs/${bundle}`;

/** Volumes of a pod whose programs read the system's one bundle: one is made with the private authority in it. */
export function bundleVolumes(args: ResolvedSuite): Volume[] {
  return args.platform.privateCa ? [...authorityVolumes(args), { name: bundleVolume, emptyDir: {} }] : [];
}

/** The container that makes the bundle. */
export function bundleInitContainers(args: ResolvedSuite): ContainerRequest[] {
  const file = privateFile(args);
  if (file === undefined) return [];
  return [
    {
      name: "trust",
      image: images(args).web,
      command: ["sh", `${scriptsPath}/trust.sh`],
      env: [{ name: "PRIVATE_CA", value: file }],
      resources: jobResources,
      volumeMounts: [scriptsMount, ...authorityMounts(args), { name: bundleVolume, mountPath: "/trust" }],
    },
  ];
}

/** The bundle in the place of the image's, and the authority by itself, which Nextcloud imports into its own store. */
export function bundleMounts(args: ResolvedSuite): VolumeMount[] {
  if (!args.platform.privateCa) return [];
  return [...authorityMounts(args), { name: bundleVolume, mountPath: bundlePath, subPath: bundle, readOnly: true }];
}

/** Where the scripts find the authority. */
export function bundleEnvironment(args: ResolvedSuite): EnvVar[] {
  const file = privateFile(args);
  return file ? [{ name: "PRIVATE_CA", value: file }] : [];
}
