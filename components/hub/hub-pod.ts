import type { ConfigMap, EnvVar, PodTemplateSpec, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { type ContainerRequest, type PodRequest, podTemplate } from "../kubernetes/pod.ts";
import { scriptsPath } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { hubMetadata, hubUser, partOf } from "./metadata.ts";

/** A pod of the hub, in what it differs from the others. */
export interface HubPodRequest extends Omit<PodRequest, "partOf" | "user" | "group"> {
  /** Numeric user and group. @default those of the hub's images */
  readonly user?: number;
  readonly group?: number;
}

/** Seconds a pod has to end: requests of gigabytes may be under way. */
export const gracePeriodSeconds = 120;

/** A pod of the hub's images; those with their own start script trust the private authority beside the public ones. */
export function hubPod(args: ResolvedHub, request: HubPodRequest): PodTemplateSpec {
  return podTemplate(
    {
      user: hubUser,
      group: hubUser,
      gracePeriodSeconds,
      ...request,
      partOf,
      volumes: [...(request.volumes ?? []), ...trustVolumes(args)],
    },
    args.platform,
  );
}

/** A container whose start script installs the private authority, which takes a writable root. */
export function hubContainer(args: ResolvedHub, container: Omit<ContainerRequest, "exception">): ContainerRequest {
  return {
    ...container,
    exception: "hub",
    volumeMounts: [...(container.volumeMounts ?? []), ...trustMounts(args)],
  };
}

/** Plain variables, which may have secret ones inside and so come after them. */
export function environment(variables: Readonly<Record<string, string>>): EnvVar[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}

/** The ConfigMap of a workload, one file. */
export function configMap(
  args: ResolvedHub,
  workload: string,
  name: string,
  data: Readonly<Record<string, string>>,
): PlannedObject {
  const object = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: hubMetadata(args, workload, name),
    data: { ...data },
  } satisfies ConfigMap;
  return { object };
}

/** Volume of a ConfigMap, named like it. */
export function configVolume(name: string): Volume {
  return { name, configMap: { name, defaultMode: 0o444 } };
}

/** Mounts the ConfigMap's only file at its path. The image's other files in that folder stay. */
export function configMount(name: string, path: string): VolumeMount {
  return { name, mountPath: path, subPath: fileName(path), readOnly: true };
}

/** A file's name, which is its key in the ConfigMap. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Mount of the scripts, whose volume is `configVolume(hubNames.scripts)`. */
export const scriptsMount: VolumeMount = { name: hubNames.scripts, mountPath: scriptsPath, readOnly: true };

const authority = "private-ca";

function trustVolumes({ platform: { privateCa } }: ResolvedHub): Volume[] {
  if (!privateCa) return [];
  const items = [{ key: privateCa.key, path: "private-ca.crt" }];
  return [{ name: authority, configMap: { name: privateCa.configMap, defaultMode: 0o444, items } }];
}

function trustMounts({ platform: { privateCa } }: ResolvedHub): VolumeMount[] {
  return privateCa ? [{ name: authority, mountPath: "/harbor_cust_cert", readOnly: true }] : [];
}
