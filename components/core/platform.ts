import type { SecretsArgs } from "./secrets.ts";

/** What a stack is for. It sets defaults such as replica counts and whether data is protected. */
export const Profile = { development: "development", production: "production" } as const;
export type Profile = (typeof Profile)[keyof typeof Profile];

/** A toleration of a node taint, as in a Kubernetes pod. */
export interface TolerationArgs {
  /** Taint key; absent matches every key and needs operator `Exists`. */
  key?: string;
  /** `Exists` or `Equal`. @default Equal */
  operator?: string;
  /** Taint value, with operator `Equal`. */
  value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`; absent matches all. */
  effect?: string;
  /** Seconds a pod stays after a `NoExecute` taint appears; absent: forever. */
  tolerationSeconds?: number;
}

/** Where pods run and what they carry, beside what the component itself sets. */
export interface WorkloadArgs {
  /** Labels a node must have. @default none */
  nodeSelector?: Record<string, string>;
  /** Taints the pods accept. @default none */
  tolerations?: TolerationArgs[];
  /** PriorityClass of the pods. @default the cluster's default */
  priorityClassName?: string;
  /** Labels added to the workload and its pods. @default none */
  labels?: Record<string, string>;
  /** Annotations added to the workload and its pods. @default none */
  annotations?: Record<string, string>;
}

/** Where images come from. */
export interface ImagesArgs {
  /**
   * Prefix of an image → what takes its place, the longest prefix first: `{"docker.io": "registry.example.org/dockerhub"}`.
   * @default none: images come from where their makers publish them
   */
  mirrors?: Record<string, string>;
  /**
   * Image with its tag, before mirrors → `sha256:…` of its content, which is pulled whatever the tag has become.
   * @default none: images are pulled by their tags
   */
  digests?: Record<string, string>;
  /** Names of image-pull Secrets in the component's namespace. @default none */
  pullSecrets?: string[];
}

/** A certificate authority of one's own, beside the public ones. */
export interface PrivateCaArgs {
  /** ConfigMap in the component's namespace. */
  configMap: string;
  /** Key that holds the PEM bundle. @default ca.crt */
  key?: string;
}

/** How public hosts reach the cluster: Traefik's entry points and cert-manager's issuer. */
export interface IngressArgs {
  /** cert-manager ClusterIssuer of the certificates, e.g. `letsencrypt-prod`. */
  clusterIssuer: string;
  /** ClusterIssuer with a DNS-01 solver, which wildcard certificates need. @default none: no wildcard can be issued */
  wildcardClusterIssuer?: string;
  /** Traefik entry point for HTTPS. @default websecure */
  entryPoint?: string;
  /** Traefik entry point for HTTP, redirected to HTTPS. @default web */
  httpEntryPoint?: string;
  /** Addresses of proxies before the pods whose X-Forwarded-For is trusted (CIDR). @default the private ranges */
  trustedProxies?: string[];
}

/** What every component of a stack shares. */
export interface PlatformArgs {
  /** What the stack is for. */
  profile: Profile;
  /** Public hosts. */
  ingress: IngressArgs;
  /** Where images come from. @default their makers' registries */
  images?: ImagesArgs;
  /** Settings of every workload. @default none */
  workload?: WorkloadArgs;
  /** Settings of one workload by its name, e.g. `forge-jobs`, over `workload`. @default none */
  workloads?: Record<string, WorkloadArgs>;
  /** Where secrets come from. @default generated once in the stack's state */
  secrets?: SecretsArgs;
  /** A certificate authority of one's own. @default none */
  privateCa?: PrivateCaArgs;
  /** PodMonitors and ServiceMonitors for the Prometheus operator. @default true */
  monitoring?: boolean;
  /** What may be lost, the one unlock of every refusal to lose data: `namespace/name`; of a namespace or a bucket its name. @default none */
  allowDataLoss?: string[];
}

/** Settings of the workload `name`: the shared ones overridden by its own; labels, annotations and tolerations add up. */
export function workloadSettings(platform: PlatformArgs, name: string): WorkloadArgs {
  const shared = platform.workload ?? {};
  const own = platform.workloads?.[name] ?? {};
  return {
    nodeSelector: own.nodeSelector ?? shared.nodeSelector,
    priorityClassName: own.priorityClassName ?? shared.priorityClassName,
    tolerations: [...(shared.tolerations ?? []), ...(own.tolerations ?? [])],
    labels: { ...shared.labels, ...own.labels },
    annotations: { ...shared.annotations, ...own.annotations },
  };
}

/** `image` as it is pulled: its longest matching prefix replaced by the mirror, and by its digest where that is known. */
export function mirrored(image: string, images: ImagesArgs | undefined): string {
  const prefixes = Object.entries(images?.mirrors ?? {}).sort(([a], [b]) => b.length - a.length);
  const match = prefixes.find(([prefix]) => image === prefix || image.startsWith(`${prefix}/`));
  const pulled = match ? `${match[1]}${image.slice(match[0].length)}` : image;
  const digest = images?.digests?.[image];
  return digest === undefined ? pulled : `${pulled}@${digest}`;
}
