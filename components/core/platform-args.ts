// Written by `npm run generate` from platform-schema.ts: change that.
import type { LimitsArgs } from "./limits-args.ts";
import type { MailArgs } from "./mail-args.ts";

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
  /** Prefix of the remote key, before namespace and name: `prod/` reads `prod/team/cloudsuite-db-app`. @default none */
  prefix?: string;
  /** Interval between reads of the values, as a Go duration in its long form. @default 1h0m0s */
  refreshInterval?: string;
}

/** Where secrets come from. */
export interface SecretsArgs {
  /** External Secrets store from which all Secrets are synced, each by an ExternalSecret of the same name. @default none: generated once and kept in the stack's state (object-store credentials can't be generated) */
  store?: SecretStoreArgs;
  /** With a store: generates every value that can be generated, so that only the others come from the store. @default false */
  generate?: boolean;
  /** Existing Secrets: the platform's name → the name of the Secret in the same namespace. @default none */
  existing?: Record<string, string>;
  /** Counter for each Secret. Raising it makes a new value if that is safe, and rolls the pods that read it. @default 0 */
  revisions?: Record<string, number>;
}

/** Purpose of a stack. It sets defaults such as replica counts and the protection of data. */
export const Profile = {
  development: "development",
  production: "production",
} as const;
export type Profile = (typeof Profile)[keyof typeof Profile];

/** A toleration, as in a Kubernetes pod. */
export interface TolerationArgs {
  /** Taint key. Without it the toleration matches every key and needs operator `Exists`. @default none */
  key?: string;
  /** `Exists` or `Equal`. @default Equal */
  operator?: string;
  /** Taint value, with operator `Equal`. @default none */
  value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`. Without it the toleration matches all effects. @default none */
  effect?: string;
  /** Seconds a pod stays after a `NoExecute` taint appears. Without it, it stays forever. At least 0. @default none */
  tolerationSeconds?: number;
}

/** Placement, labels and annotations of pods, besides the component's own. */
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

/** Mirrors, pull Secrets and digests of images. */
export interface ImagesArgs {
  /** Where images are pulled from instead: the prefix of an image → its replacement; the longest prefix wins: `{"docker.io": "registry.example.org/dockerhub"}`. @default none: images come from where their makers publish them */
  mirrors?: Record<string, string>;
  /** Image with its tag, before mirrors → digest `sha256:…`. Pods pull this digest even if the tag has moved. @default none: images are pulled by their tags */
  digests?: Record<string, string>;
  /** Names of image-pull Secrets in the component's namespace. @default none */
  pullSecrets?: string[];
}

/** Your own certificate authority, trusted besides the public ones. */
export interface PrivateCaArgs {
  /** ConfigMap in the component's namespace. */
  configMap: string;
  /** Key that holds the PEM bundle. @default ca.crt */
  key?: string;
  /** Secret in the component's namespace with the same key, if your authority issued the object store's certificate. Databases then trust the Secret's certificates alone in their backups and recoveries. The backup plugin reads no ConfigMap. @default none: backups of databases trust the public authorities alone */
  secret?: string;
}

/** What programs tell others outside of the platform. All of it is off; turn on by name what you want. */
export interface PrivacyArgs {
  /** Each week, counts of users, projects and features go to GitLab (Service Ping). @default false */
  forgeServicePing?: boolean;
  /** Single events of use, with pseudonyms of users and projects, go to GitLab (product usage data). @default false */
  forgeUsageEvents?: boolean;
  /** The forge's version and address go to version.gitlab.com, which says whether there is a newer one. @default false */
  forgeVersionCheck?: boolean;
  /** The list of the runner's releases is fetched from gitlab.com. @default false */
  forgeRunnerReleases?: boolean;
  /** Browsers fetch users' pictures from gravatar.com, by a hash of the user's mail address. @default false */
  forgeGravatar?: boolean;
  /** Its version, PHP's, the day of installation and roughly how many users it has go to updates.nextcloud.com. @default false */
  suiteUpdateCheck?: boolean;
  /** Each month, statistics that an administrator agreed to go to stats.nextcloud.com. @default false */
  suiteSurvey?: boolean;
  /** What users make public of their profile goes to lookup.nextcloud.com, which anybody can search. @default false */
  suiteLookupServer?: boolean;
  /** Every ten hours, the newest version is fetched from Collabora, and users are told of it. @default false */
  officeUpdateCheck?: boolean;
}

/** API of the routes: Traefik's own objects, or the Gateway API, which many proxies implement. */
export const IngressKind = {
  traefik: "traefik",
  gateway: "gateway",
} as const;
export type IngressKind = (typeof IngressKind)[keyof typeof IngressKind];

/** An existing Gateway. */
export interface GatewayReferenceArgs {
  /** Its name. */
  name: string;
  /** Its namespace. */
  namespace: string;
}

/** The Gateway that routes belong to. */
export interface GatewayArgs {
  /** GatewayClass of the Gateways. Network policies know the proxy's pods by it: `traefik`, `cilium`, `envoy-gateway` (also `envoy`, `eg`), `istio`, `nginx`. @default traefik */
  className?: string;
  /** An existing Gateway with listeners for every host, instead of new ones. @default each component makes one beside its routes */
  existing?: GatewayReferenceArgs;
  /** Port of the listeners for HTTPS. For Traefik, the port of its entry point. From 1 to 65535. @default 443 */
  httpsPort?: number;
  /** Port of the listeners for HTTP, which redirect to HTTPS. From 1 to 65535. @default 80 */
  httpPort?: number;
  /** Version of the TCPRoute for SSH: `v1`, or `v1alpha2` where the cluster serves no other, as with the Gateway API before 1.6. @default v1 */
  tcpRouteVersion?: string;
  /** Labels of the proxy's pods, in any namespace. Network policies let them in. @default those of `className`; for another class they are needed with network policies */
  podLabels?: Record<string, string>;
}

/** Exposure of public hosts: the API of their routes, and cert-manager's issuer. */
export interface IngressArgs {
  /** API of the routes. @default traefik */
  kind?: IngressKind;
  /** The Gateway, with kind `gateway`. @default one for each component, of class `traefik` */
  gateway?: GatewayArgs;
  /** cert-manager ClusterIssuer of the certificates, e.g. `letsencrypt-prod`. */
  clusterIssuer: string;
  /** ClusterIssuer with a DNS-01 solver for wildcard certificates. @default none: no wildcard can be issued */
  wildcardClusterIssuer?: string;
  /** Traefik entry point for HTTPS. @default websecure */
  entryPoint?: string;
  /** Traefik entry point for HTTP, which redirects to HTTPS. @default web */
  httpEntryPoint?: string;
  /** Addresses (CIDR) of proxies whose X-Forwarded-For the pods trust. The default covers pods, nodes and load balancers in most clusters. @default 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fd00::/8 */
  trustedProxies?: string[];
}

/** Settings that all components of a stack share. */
export interface PlatformArgs {
  /** Purpose of the stack. */
  profile: Profile;
  /** Public hosts. */
  ingress: IngressArgs;
  /** Mirrors, pull Secrets and digests of images. @default their makers' registries */
  images?: ImagesArgs;
  /** Settings of every workload. @default none */
  workload?: WorkloadArgs;
  /** Settings of single workloads by name, e.g. `forge-jobs`. They override `workload`. @default none */
  workloads?: Record<string, WorkloadArgs>;
  /** Where secrets come from. @default generated once in the stack's state */
  secrets?: SecretsArgs;
  /** Your own certificate authority. @default none */
  privateCa?: PrivateCaArgs;
  /** PodMonitors and PrometheusRules for the Prometheus operator. @default true */
  monitoring?: boolean;
  /** Labels of each PodMonitor and PrometheusRule, by which a Prometheus selects them. kube-prometheus-stack takes only those with its release, as in `{"release": "kube-prometheus-stack"}`. @default none: for a Prometheus that selects all */
  monitoringLabels?: Record<string, string>;
  /** What programs tell others outside of the platform. @default nothing is told */
  privacy?: PrivacyArgs;
  /** Mail of all components that send some. @default none: nothing sends mail */
  mail?: MailArgs;
  /** Namespace of CloudNativePG's operator: network policies let its pods connect from there alone. @default any namespace: its pods are known by their label */
  databaseOperatorNamespace?: string;
  /** Network policies: pods reach and are reached as they need to, and not otherwise. @default true in production, false in development */
  networkPolicies?: boolean;
  /** Addresses (CIDR) of the cluster's pods and Services. What leaves the cluster by its network policies does not reach them; `./hearth doctor` finds them. Example: `10.42.0.0/16,10.43.0.0/16`. @default none: what may leave the cluster may reach its pods, too */
  clusterNetworks?: string[];
  /** Values allowed beyond the specification's sets. @default nothing */
  limits?: LimitsArgs;
  /** Existing namespaces. `up` neither makes nor deletes them, and does not change their labels. @default none: all namespaces are created */
  existingNamespaces?: string[];
  /** Objects that may be deleted or replaced although they hold data: `namespace/name`, or the name of a namespace or bucket. Each refusal prints the name to write. @default none */
  allowDataLoss?: string[];
}

/** Settings that all components of a stack share, without the need of an ingress. */
export interface StorePlatformArgs {
  /** Purpose of the stack. */
  profile: Profile;
  /** Public hosts of the stack's other components. @default none: it has no public host */
  ingress?: IngressArgs;
  /** Mirrors, pull Secrets and digests of images. @default their makers' registries */
  images?: ImagesArgs;
  /** Settings of every workload. @default none */
  workload?: WorkloadArgs;
  /** Settings of single workloads by name, e.g. `forge-jobs`. They override `workload`. @default none */
  workloads?: Record<string, WorkloadArgs>;
  /** Where secrets come from. @default generated once in the stack's state */
  secrets?: SecretsArgs;
  /** Your own certificate authority. @default none */
  privateCa?: PrivateCaArgs;
  /** PodMonitors and PrometheusRules for the Prometheus operator. @default true */
  monitoring?: boolean;
  /** Labels of each PodMonitor and PrometheusRule, by which a Prometheus selects them. kube-prometheus-stack takes only those with its release, as in `{"release": "kube-prometheus-stack"}`. @default none: for a Prometheus that selects all */
  monitoringLabels?: Record<string, string>;
  /** What programs tell others outside of the platform. @default nothing is told */
  privacy?: PrivacyArgs;
  /** Mail of all components that send some. @default none: nothing sends mail */
  mail?: MailArgs;
  /** Namespace of CloudNativePG's operator: network policies let its pods connect from there alone. @default any namespace: its pods are known by their label */
  databaseOperatorNamespace?: string;
  /** Network policies: pods reach and are reached as they need to, and not otherwise. @default true in production, false in development */
  networkPolicies?: boolean;
  /** Addresses (CIDR) of the cluster's pods and Services. What leaves the cluster by its network policies does not reach them; `./hearth doctor` finds them. Example: `10.42.0.0/16,10.43.0.0/16`. @default none: what may leave the cluster may reach its pods, too */
  clusterNetworks?: string[];
  /** Values allowed beyond the specification's sets. @default nothing */
  limits?: LimitsArgs;
  /** Existing namespaces. `up` neither makes nor deletes them, and does not change their labels. @default none: all namespaces are created */
  existingNamespaces?: string[];
  /** Objects that may be deleted or replaced although they hold data: `namespace/name`, or the name of a namespace or bucket. Each refusal prints the name to write. @default none */
  allowDataLoss?: string[];
}
