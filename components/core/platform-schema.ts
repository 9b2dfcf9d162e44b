import { mirrors } from "./image-rules.ts";
import { limits } from "./limits-schema.ts";
import {
  annotations,
  cidrs,
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
  toleration as tolerationRule,
} from "./object-rules.ts";
import {
  as,
  block,
  choice,
  count,
  defaultsTo,
  flag,
  list,
  map,
  oneOf,
  optional,
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
    text("Put before namespace and name to make the remote key: prefix `prod/` reads `prod/team/cloudsuite-db-app`."),
    "none",
  ),
  refreshInterval: defaultsTo(
    text("How often values are read again, as a Go duration in its long form.", { rule: duration }),
    "1h0m0s",
  ),
});

export const secrets = block("SecretsArgs", "Where secrets come from.", {
  store: optional(
    as(secretStore, "Store that all Secrets are synced from, each by an ExternalSecret of the Secret's name."),
    "none: generated once and kept in the stack's state (object-store credentials can't be generated)",
  ),
  generate: defaultsTo(
    flag("With a store: generates what can be generated, so that only the other values come from the store."),
    false,
  ),
  existing: optional(
    textMap("Secrets that exist already: the platform's name → the name of the Secret in the same namespace.", {
      rule: existingSecrets,
    }),
    "none",
  ),
  revisions: optional(
    map(
      count("A number."),
      "Counter of a Secret: raising it makes a new value where that is safe, and rolls the pods that read it.",
    ),
    "0",
  ),
});

export const profile = choice(
  "Profile",
  { development: "development", production: "production" },
  "What a stack is for. It sets defaults such as replica counts and whether data is protected.",
);

export const toleration = block(
  "TolerationArgs",
  "A toleration of a node taint, as in a Kubernetes pod.",
  {
    key: optional(text("Taint key; absent matches every key and needs operator `Exists`."), "none"),
    operator: defaultsTo(oneOf(["Exists", "Equal"], "`Exists` or `Equal`."), "Equal"),
    value: optional(text("Taint value, with operator `Equal`."), "none"),
    effect: optional(
      oneOf(
        ["NoSchedule", "PreferNoSchedule", "NoExecute"],
        "`NoSchedule`, `PreferNoSchedule` or `NoExecute`; absent matches all.",
      ),
      "none",
    ),
    tolerationSeconds: optional(
      count("Seconds a pod stays after a `NoExecute` taint appears; absent: forever."),
      "none",
    ),
  },
  tolerationRule,
);

export const workload = block(
  "WorkloadArgs",
  "Where pods run and what they carry, beside what the component itself sets.",
  {
    nodeSelector: optional(textMap("Labels a node must have.", { rule: labels }), "none"),
    tolerations: optional(list(toleration, "Taints the pods accept."), "none"),
    priorityClassName: optional(text("PriorityClass of the pods.", { rule: objectName }), "the cluster's default"),
    labels: optional(textMap("Labels added to the workload and its pods.", { rule: labels }), "none"),
    annotations: optional(textMap("Annotations added to the workload and its pods.", { rule: annotations }), "none"),
  },
);

export const images = block("ImagesArgs", "Where images come from.", {
  mirrors: optional(
    textMap(
      'Where images are pulled from instead: the prefix of an image → its replacement; the longest prefix wins: `{"docker.io": "registry.example.org/dockerhub"}`.',
      { rule: mirrors },
    ),
    "none: images come from where their makers publish them",
  ),
  digests: optional(
    textMap(
      "Image with its tag, before mirrors → `sha256:…` of its content, which is pulled whatever the tag has become.",
    ),
    "none: images are pulled by their tags",
  ),
  pullSecrets: optional(
    texts("Names of image-pull Secrets in the component's namespace.", { rule: objectNames }),
    "none",
  ),
});

export const privateCa = block(
  "PrivateCaArgs",
  "A certificate authority of your own, trusted beside the public ones.",
  {
    configMap: text("ConfigMap in the component's namespace.", { rule: objectName }),
    key: defaultsTo(text("Key that holds the PEM bundle.", { rule: dataKey }), "ca.crt"),
  },
);

/** Addresses of a private network (RFC 1918). */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"] as const;

export const ingressKind = choice(
  "IngressKind",
  { traefik: "traefik", gateway: "gateway" },
  "What the ways in are written for: Traefik's own objects, or the Gateway API, which many proxies read.",
);

export const gatewayReference = block("GatewayReferenceArgs", "A Gateway that exists already.", {
  name: text("Its name.", { rule: objectName }),
  namespace: text("Its namespace.", { rule: objectName }),
});

export const gateway = block(
  "GatewayArgs",
  "The Gateway that routes belong to.",
  {
    className: defaultsTo(text("GatewayClass of the Gateways that are made.", { rule: objectName }), "traefik"),
    existing: optional(
      as(gatewayReference, "A Gateway that exists already, with listeners for every host, instead of our own."),
      "each component makes one beside its routes",
    ),
    httpsPort: defaultsTo(port("Port of the listeners for HTTPS; of Traefik that of its entry point."), 443),
    httpPort: defaultsTo(port("Port of the listeners for HTTP, redirected to HTTPS."), 80),
    podLabels: optional(
      textMap("Labels of the proxy's pods, in whatever namespace, which network policies let in.", { rule: labels }),
      "those of Traefik, `app.kubernetes.io/name: traefik`",
    ),
  },
  gatewayRule,
);

export const ingress = block(
  "IngressArgs",
  "How public hosts reach the cluster: what their routes are written for, and cert-manager's issuer.",
  {
    kind: defaultsTo(as(ingressKind, "What the ways in are written for."), "traefik"),
    gateway: optional(as(gateway, "The Gateway, with kind `gateway`."), "one for each component, of class `traefik`"),
    clusterIssuer: text("cert-manager ClusterIssuer of the certificates, e.g. `letsencrypt-prod`.", {
      rule: objectName,
    }),
    wildcardClusterIssuer: optional(
      text("ClusterIssuer with a DNS-01 solver, which wildcard certificates need.", { rule: objectName }),
      "none: no wildcard can be issued",
    ),
    entryPoint: defaultsTo(text("Traefik entry point for HTTPS.", { rule: entryPointName }), "websecure"),
    httpEntryPoint: defaultsTo(
      text("Traefik entry point for HTTP, redirected to HTTPS.", { rule: entryPointName }),
      "web",
    ),
    trustedProxies: defaultsTo(
      texts(
        "Addresses of proxies before the pods whose X-Forwarded-For is trusted (CIDR). The default is those of pods, nodes and load balancers in most clusters.",
        { rule: cidrs },
      ),
      [...privateRanges, "100.64.0.0/10", "fd00::/8"],
    ),
  },
  ingressRule,
);

export const platform = block("PlatformArgs", "What every component of a stack shares.", {
  profile: as(profile, "What the stack is for."),
  ingress: as(ingress, "Public hosts."),
  images: optional(as(images, "Where images come from."), "their makers' registries"),
  workload: optional(as(workload, "Settings of every workload."), "none"),
  workloads: optional(
    map(workload, "Settings of one workload by its name, e.g. `forge-jobs`, over `workload`."),
    "none",
  ),
  secrets: optional(as(secrets, "Where secrets come from."), "generated once in the stack's state"),
  privateCa: optional(as(privateCa, "A certificate authority of one's own."), "none"),
  monitoring: defaultsTo(flag("PodMonitors and ServiceMonitors for the Prometheus operator."), true),
  limits: optional(as(limits, "What is allowed beside the specification's sets, on purpose."), "nothing"),
  allowDataLoss: optional(
    texts(
      "Names of what may be deleted or replaced although it holds data: `namespace/name`, or the name of a namespace or bucket. Every refusal to lose data says which name lifts it.",
      { rule: dataNames },
    ),
    "none",
  ),
});
