import { mirrors } from "./image-rules.ts";
import { widenedLimits } from "./limits-schema.ts";
import { mail } from "./mail-schema.ts";
import {
  addedLabels,
  annotations,
  clusterRanges,
  dataKey,
  dataNames,
  duration,
  entryPointName,
  existingSecrets,
  gatewayRule,
  ingressRule,
  labels,
  objectName,
  objectNames,
  platformRule,
  proxyRanges,
  tolerationRule,
} from "./object-rules.ts";
import { type OutwardCallName, outwardCalls } from "./privacy.ts";
import type { Resolved } from "./resolve.ts";
import {
  as,
  block,
  choice,
  count,
  defaultsTo,
  filled,
  flag,
  list,
  map,
  oneOf,
  optional,
  perProfile,
  port,
  text,
  textMap,
  texts,
} from "./schema.ts";

export const secretStoreKind = choice(
  "SecretStoreKind",
  { secretStore: "SecretStore", clusterSecretStore: "ClusterSecretStore" },
  "Kind of an External Secrets store.",
);

export const secretStore = block("SecretStoreArgs", "An External Secrets store that holds the stack's secrets.", {
  name: text("Name of the SecretStore or ClusterSecretStore.", { rule: objectName }),
  kind: defaultsTo(as(secretStoreKind, "Its kind."), "ClusterSecretStore"),
  prefix: optional(
    text("Prefix of the remote key, before namespace and name: `prod/` reads `prod/team/cloudsuite-db-app`."),
    "none",
  ),
  refreshInterval: defaultsTo(
    text("Interval between reads of the values, as a Go duration in its long form.", { rule: duration }),
    "1h0m0s",
  ),
});

export const secrets = block("SecretsArgs", "Where secrets come from.", {
  store: optional(
    as(
      secretStore,
      "External Secrets store from which all Secrets are synced, each by an ExternalSecret of the same name.",
    ),
    "none: generated once and kept in the stack's state (object-store credentials can't be generated)",
  ),
  generate: defaultsTo(
    flag("With a store: generates every value that can be generated, so that only the others come from the store."),
    false,
  ),
  existing: optional(
    textMap("Existing Secrets: the platform's name → the name of the Secret in the same namespace.", {
      rule: existingSecrets,
    }),
    "none",
  ),
  revisions: optional(
    map(
      count("A number."),
      "Counter for each Secret. Raising it makes a new value if that is safe, and rolls the pods that read it.",
    ),
    "0",
  ),
});

export const profile = choice(
  "Profile",
  { development: "development", production: "production" },
  "Purpose of a stack. It sets defaults such as replica counts and the protection of data.",
);

export const toleration = block(
  "TolerationArgs",
  "A toleration, as in a Kubernetes pod.",
  {
    key: optional(text("Taint key. Without it the toleration matches every key and needs operator `Exists`."), "none"),
    operator: optional(oneOf(["Exists", "Equal"], "`Exists` or `Equal`."), "Equal"),
    value: optional(text("Taint value, with operator `Equal`."), "none"),
    effect: optional(
      oneOf(
        ["NoSchedule", "PreferNoSchedule", "NoExecute"],
        "`NoSchedule`, `PreferNoSchedule` or `NoExecute`. Without it the toleration matches all effects.",
      ),
      "none",
    ),
    tolerationSeconds: optional(
      count("Seconds a pod stays after a `NoExecute` taint appears. Without it, it stays forever."),
      "none",
    ),
  },
  tolerationRule,
);

export const workload = block(
  "WorkloadArgs",
  "Placement, labels and annotations of pods, besides the component's own.",
  {
    nodeSelector: optional(textMap("Labels a node must have.", { rule: labels }), "none"),
    tolerations: optional(list(toleration, "Taints the pods accept."), "none"),
    priorityClassName: optional(text("PriorityClass of the pods.", { rule: objectName }), "the cluster's default"),
    labels: optional(textMap("Labels added to the workload and its pods.", { rule: addedLabels }), "none"),
    annotations: optional(textMap("Annotations added to the workload and its pods.", { rule: annotations }), "none"),
  },
);

export const imagesSchema = block("ImagesArgs", "Mirrors, pull Secrets and digests of images.", {
  mirrors: optional(
    textMap(
      'Where images are pulled from instead: the prefix of an image → its replacement; the longest prefix wins: `{"docker.io": "registry.example.org/dockerhub"}`.',
      { rule: mirrors },
    ),
    "none: images come from where their makers publish them",
  ),
  digests: optional(
    textMap("Image with its tag, before mirrors → digest `sha256:…`. Pods pull this digest even if the tag has moved."),
    "none: images are pulled by their tags",
  ),
  pullSecrets: optional(
    texts("Names of image-pull Secrets in the component's namespace.", { rule: objectNames }),
    "none",
  ),
});

export const privateCa = block("PrivateCaArgs", "Your own certificate authority, trusted besides the public ones.", {
  configMap: text("ConfigMap in the component's namespace.", { rule: objectName }),
  key: defaultsTo(text("Key that holds the PEM bundle.", { rule: dataKey }), "ca.crt"),
  secret: optional(
    text(
      "Secret in the component's namespace with the same key, if your authority issued the object store's certificate. Databases then trust the Secret's certificates alone in their backups and recoveries. The backup plugin reads no ConfigMap.",
      { rule: objectName },
    ),
    "none: backups of databases trust the public authorities alone",
  ),
});

const outwardCall = (sends: string) => defaultsTo(flag(`${sends}.`), false);

export const privacy = block(
  "PrivacyArgs",
  "What programs tell others outside of the platform. All of it is off; turn on by name what you want.",
  Object.fromEntries(Object.entries(outwardCalls).map(([name, { sends }]) => [name, outwardCall(sends)])) as Record<
    OutwardCallName,
    ReturnType<typeof outwardCall>
  >,
);

/** Proxies that pods trust where the settings name none: of private (RFC 1918) and shared networks. A proxy of our routes trusts none then. */
export const usualProxies: readonly string[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fd00::/8",
];

export const ingressKind = choice(
  "IngressKind",
  { traefik: "traefik", gateway: "gateway" },
  "API of the routes: Traefik's own objects, or the Gateway API, which many proxies implement.",
);

export const gatewayReference = block("GatewayReferenceArgs", "An existing Gateway.", {
  name: text("Its name.", { rule: objectName }),
  namespace: text("Its namespace.", { rule: objectName }),
});

export const gateway = block(
  "GatewayArgs",
  "The Gateway that routes belong to.",
  {
    className: defaultsTo(
      text(
        "GatewayClass of the Gateways. Network policies know the proxy's pods by it: `traefik`, `cilium`, `envoy-gateway` (also `envoy`, `eg`), `istio`, `nginx`.",
        { rule: objectName },
      ),
      "traefik",
    ),
    existing: optional(
      as(gatewayReference, "An existing Gateway with listeners for every host, instead of new ones."),
      "each component makes one beside its routes",
    ),
    httpsPort: defaultsTo(port("Port of the listeners for HTTPS. For Traefik, the port of its entry point."), 443),
    httpPort: defaultsTo(port("Port of the listeners for HTTP, which redirect to HTTPS."), 80),
    tcpRouteVersion: defaultsTo(
      oneOf(
        ["v1", "v1alpha2"],
        "Version of the TCPRoute for SSH: `v1`, or `v1alpha2` where the cluster serves no other, as with the Gateway API before 1.6.",
      ),
      "v1",
    ),
    podLabels: optional(
      textMap("Labels of the proxy's pods, in any namespace. Network policies let them in.", { rule: labels }),
      "those of `className`; for another class they are needed with network policies",
    ),
  },
  gatewayRule,
);

export const ingress = block(
  "IngressArgs",
  "Exposure of public hosts: the API of their routes, and cert-manager's issuer.",
  {
    kind: defaultsTo(as(ingressKind, "API of the routes."), "traefik"),
    gateway: filled(as(gateway, "The Gateway, with kind `gateway`."), "one for each component, of class `traefik`"),
    clusterIssuer: text("cert-manager ClusterIssuer of the certificates, e.g. `letsencrypt-prod`.", {
      rule: objectName,
    }),
    wildcardClusterIssuer: optional(
      text("ClusterIssuer with a DNS-01 solver for wildcard certificates.", { rule: objectName }),
      "none: no wildcard can be issued",
    ),
    entryPoint: defaultsTo(text("Traefik entry point for HTTPS.", { rule: entryPointName }), "websecure"),
    httpEntryPoint: defaultsTo(
      text("Traefik entry point for HTTP, which redirects to HTTPS.", { rule: entryPointName }),
      "web",
    ),
    trustedProxies: optional(
      texts(
        "Addresses (CIDR) of proxies whose X-Forwarded-For the pods trust. The default covers pods, nodes and load balancers in most clusters.",
        { rule: proxyRanges },
      ),
      usualProxies.join(", "),
    ),
  },
  ingressRule,
);

/** How public hosts are exposed, with the defaults. */
export interface ResolvedIngress extends Resolved<typeof ingress> {}

export const platform = block(
  "PlatformArgs",
  "Settings that all components of a stack share.",
  {
    profile: as(profile, "Purpose of the stack."),
    ingress: as(ingress, "Public hosts."),
    images: optional(as(imagesSchema, "Mirrors, pull Secrets and digests of images."), "their makers' registries"),
    workload: optional(as(workload, "Settings of every workload."), "none"),
    workloads: optional(
      map(workload, "Settings of single workloads by name, e.g. `forge-jobs`. They override `workload`."),
      "none",
    ),
    secrets: optional(as(secrets, "Where secrets come from."), "generated once in the stack's state"),
    privateCa: optional(as(privateCa, "Your own certificate authority."), "none"),
    monitoring: defaultsTo(flag("PodMonitors and PrometheusRules for the Prometheus operator."), true),
    monitoringLabels: optional(
      textMap(
        'Labels of each PodMonitor and PrometheusRule, by which a Prometheus selects them. kube-prometheus-stack takes only those with its release, as in `{"release": "kube-prometheus-stack"}`.',
        { rule: labels },
      ),
      "none: for a Prometheus that selects all",
    ),
    privacy: filled(as(privacy, "What programs tell others outside of the platform."), "nothing is told"),
    mail: optional(as(mail, "Mail of all components that send some."), "none: nothing sends mail"),
    databaseOperatorNamespace: optional(
      text("Namespace of CloudNativePG's operator: network policies let its pods connect from there alone.", {
        rule: objectName,
      }),
      "any namespace: its pods are known by their label",
    ),
    networkPolicies: perProfile(
      flag("Network policies: pods reach and are reached as they need to, and not otherwise."),
      { production: true, development: false },
    ),
    clusterNetworks: optional(
      texts(
        "Addresses (CIDR) of the cluster's pods and Services. What leaves the cluster by its network policies does not reach them; `./hearth doctor` finds them.",
        { rule: clusterRanges, examples: [["10.42.0.0/16", "10.43.0.0/16"]] },
      ),
      "none: what may leave the cluster may reach its pods, too",
    ),
    limits: optional(as(widenedLimits, "Values allowed beyond the specification's sets."), "nothing"),
    existingNamespaces: optional(
      texts("Existing namespaces. `up` neither makes nor deletes them, and does not change their labels.", {
        rule: objectNames,
      }),
      "none: all namespaces are created",
    ),
    allowDataLoss: optional(
      texts(
        "Objects that may be deleted or replaced although they hold data: `namespace/name`, or the name of a namespace or bucket. Each refusal prints the name to write.",
        { rule: dataNames },
      ),
      "none",
    ),
  },
  platformRule,
);

/** Of a component without a public host. */
export const storePlatform = block(
  "StorePlatformArgs",
  "Settings that all components of a stack share, without the need of an ingress.",
  {
    ...platform.shape,
    ingress: optional(as(ingress, "Public hosts of the stack's other components."), "none: it has no public host"),
  },
);

/** The shared settings with their defaults. */
export interface ResolvedPlatform extends Resolved<typeof platform> {}

/** Those of a component that may stand alone, without a public host. */
export interface ResolvedStorePlatform extends Resolved<typeof storePlatform> {}
