// Written by `npm run generate` from platform-schema.ts: change that.
import type { LimitsArgs } from "./limits-args.ts";

/** Kind of an External Secrets store. */
export const SecretStoreKind = {
  secretStore: "SecretStore",
  clusterSecretStore: "ClusterSecretStore",
} as const;
export type SecretStoreKind = (typeof SecretStoreKind)[keyof typeof SecretStoreKind];

/** An External Secrets store that holds the stack's secrets. */
export interface SecretStoreArgs {
  /** Name of the SecretStore or ClusterSecretStore. */
  name: string;
  /** Its kind. @default ClusterSecretStore */
  kind?: SecretStoreKind;
  /** Put before namespace and name to make the remote key: prefix `prod/` reads `prod/team/cloudsuite-db-app`. @default none */
  prefix?: string;
  /** How often values are read again, as a Go duration in its long form. @default 1h0m0s */
  refreshInterval?: string;
}

/** Where secrets come from. */
export interface SecretsArgs {
  /** Store that all Secrets are synced from, each by an ExternalSecret of the Secret's name. @default none: generated once and kept in the stack's state (object-store credentials can't be generated) */
  store?: SecretStoreArgs;
  /** With a store: generates what can be generated, so that only the other values come from the store. @default false */
  generate?: boolean;
  /** Secrets that exist already: the platform's name → the name of the Secret in the same namespace. @default none */
  existing?: Record<string, string>;
  /** Counter of a Secret: raising it makes a new value where that is safe, and rolls the pods that read it. @default 0 */
  revisions?: Record<string, number>;
}

/** What a stack is for. It sets defaults such as replica counts and whether data is protected. */
export const Profile = {
  development: "development",
  production: "production",
} as const;
export type Profile = (typeof Profile)[keyof typeof Profile];

/** A toleration of a node taint, as in a Kubernetes pod. */
export interface TolerationArgs {
  /** Taint key; absent matches every key and needs operator `Exists`. @default none */
  key?: string;
  /** `Exists` or `Equal`. @default Equal */
  operator?: string;
  /** Taint value, with operator `Equal`. @default none */
  value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`; absent matches all. @default none */
  effect?: string;
  /** Seconds a pod stays after a `NoExecute` taint appears; absent: forever. @default none */
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
  /** Where images are pulled from instead: the prefix of an image → its replacement; the longest prefix wins: `{"docker.io": "registry.example.org/dockerhub"}`. @default none: images come from where their makers publish them */
  mirrors?: Record<string, string>;
  /** Image with its tag, before mirrors → `sha256:…` of its content, which is pulled whatever the tag has become. @default none: images are pulled by their tags */
  digests?: Record<string, string>;
  /** Names of image-pull Secrets in the component's namespace. @default none */
  pullSecrets?: string[];
}

/** A certificate authority of your own, trusted beside the public ones. */
export interface PrivateCaArgs {
  /** ConfigMap in the component's namespace. */
  configMap: string;
  /** Key that holds the PEM bundle. @default ca.crt */
  key?: string;
}

/** What the ways in are written for: Traefik's own objects, or the Gateway API, which many proxies read. */
export const IngressKind = {
  traefik: "traefik",
  gateway: "gateway",
} as const;
export type IngressKind = (typeof IngressKind)[keyof typeof IngressKind];

/** A Gateway that exists already. */
export interface GatewayReferenceArgs {
  /** Its name. */
  name: string;
  /** Its namespace. */
  namespace: string;
}

/** The Gateway that routes belong to. */
export interface GatewayArgs {
  /** GatewayClass of the Gateways that are made. @default traefik */
  className?: string;
  /** A Gateway that exists already, with listeners for every host, instead of our own. @default each component makes one beside its routes */
  existing?: GatewayReferenceArgs;
  /** Port of the listeners for HTTPS; of Traefik that of its entry point. @default 443 */
  httpsPort?: number;
  /** Port of the listeners for HTTP, redirected to HTTPS. @default 80 */
  httpPort?: number;
  /** Labels of the proxy's pods, in whatever namespace, which network policies let in. @default those of Traefik, `app.kubernetes.io/name: traefik` */
  podLabels?: Record<string, string>;
}

/** How public hosts reach the cluster: what their routes are written for, and cert-manager's issuer. */
export interface IngressArgs {
  /** What the ways in are written for. @default traefik */
  kind?: IngressKind;
  /** The Gateway, with kind `gateway`. @default one for each component, of class `traefik` */
  gateway?: GatewayArgs;
  /** cert-manager ClusterIssuer of the certificates, e.g. `letsencrypt-prod`. */
  clusterIssuer: string;
  /** ClusterIssuer with a DNS-01 solver, which wildcard certificates need. @default none: no wildcard can be issued */
  wildcardClusterIssuer?: string;
  /** Traefik entry point for HTTPS. @default websecure */
  entryPoint?: string;
  /** Traefik entry point for HTTP, redirected to HTTPS. @default web */
  httpEntryPoint?: string;
  /** Addresses of proxies before the pods whose X-Forwarded-For is trusted (CIDR). The default is those of pods, nodes and load balancers in most clusters. @default 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fd00::/8 */
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
  /** What is allowed beside the specification's sets, on purpose. @default nothing */
  limits?: LimitsArgs;
  /** Names of what may be deleted or replaced although it holds data: `namespace/name`, or the name of a namespace or bucket. Every refusal to lose data says which name lifts it. @default none */
  allowDataLoss?: string[];
}
