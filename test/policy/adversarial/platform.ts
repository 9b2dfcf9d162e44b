import { object, type Row, row, type Tree } from "./row.ts";

const labels = (level: string) => ({
  labels: Object.fromEntries(["enforce", "warn", "audit"].map((mode) => [`pod-security.kubernetes.io/${mode}`, level])),
});
const service = (spec: Tree) => object("v1", "Service", { spec });
const ingress = (spec: Tree, annotations: Tree = {}) =>
  object("networking.k8s.io/v1", "Ingress", { spec }, { annotations });
const paths = { http: { paths: [{ path: "/", pathType: "Prefix" }] } };
const closed = (spec: Tree) => object("networking.k8s.io/v1", "NetworkPolicy", { spec });
const route = (spec: Tree, kind = "IngressRoute") => object("traefik.io/v1alpha1", kind, { spec });
const tls = "net-ingress-tls";

/** Network, namespaces and what is out of date. */
export const networkRows: readonly Row[] = [
  row("a port of every node (Kyverno restrict-node-port)", service({ type: "NodePort" }), "net-service-exposure"),
  row("a load balancer (Kyverno restrict-loadbalancer)", service({ type: "LoadBalancer" }), "net-service-exposure"),
  row(
    "addresses of others (Kyverno restrict-service-external-ips)",
    service({ externalIPs: ["203.0.113.1"] }),
    "net-service-exposure",
  ),
  row(
    "a host without TLS (Kyverno require-ingress-https; Polaris tlsSettingsMissing)",
    ingress({ rules: [{ host: "a.example.org", ...paths }] }),
    tls,
  ),
  row(
    "every host (Kyverno restrict-ingress-wildcard)",
    ingress({ rules: [{ host: "*.example.org", ...paths }] }),
    "net-unique-host",
    tls,
  ),
  row(
    "no host (Kyverno restrict-ingress-defaultbackend)",
    ingress({ defaultBackend: { service: { name: "a" } } }),
    "net-unique-host",
    tls,
  ),
  row("a route without TLS", route({ routes: [{ match: "Host(`a.example.org`)" }] }), tls),
  row(
    "a route for any host",
    route({ routes: [{ match: "PathPrefix(`/`)" }], tls: { secretName: "a" } }),
    "net-unique-host",
  ),
  row(
    "a TCP route of every host",
    route({ routes: [{ match: "HostSNI(`*`)" }] }, "IngressRouteTCP"),
    "net-unique-host",
    tls,
  ),
  row(
    "a certificate of no issuer",
    object("cert-manager.io/v1", "Certificate", { spec: { dnsNames: ["a.example.org"] } }),
    tls,
  ),
  row(
    "everything allowed to all (Kyverno's default deny)",
    closed({ podSelector: {}, policyTypes: ["Ingress", "Egress"], ingress: [{}] }),
    "net-policy",
  ),
  row(
    "a way out to anywhere",
    closed({ podSelector: {}, policyTypes: ["Ingress", "Egress"], egress: [{}] }),
    "net-policy",
  ),
  row(
    "open in one direction (Polaris missingNetworkPolicy)",
    closed({ podSelector: {}, policyTypes: ["Ingress"] }),
    "net-policy",
  ),
  row("a namespace of no level (PSS; Kyverno add-psa-labels)", object("v1", "Namespace"), "ns-pod-security"),
  row("a namespace of privileges", object("v1", "Namespace", {}, labels("privileged")), "ns-pod-security"),
  row("a namespace of the baseline level", object("v1", "Namespace", {}, labels("baseline")), "ns-pod-security"),
  row(
    "a namespace that only warns",
    object("v1", "Namespace", {}, { labels: { "pod-security.kubernetes.io/warn": "restricted" } }),
    "ns-pod-security",
  ),
  row(
    "a kind that is gone (Pluto, Kyverno check-deprecated-apis)",
    object("policy/v1beta1", "PodSecurityPolicy", { spec: {} }),
    "api-removed",
  ),
  row("an Ingress of an API that is gone", object("extensions/v1beta1", "Ingress", { spec: {} }), "api-removed"),
  row("a budget of an API that is gone", object("policy/v1beta1", "PodDisruptionBudget", { spec: {} }), "api-removed"),
  row("a CronJob of an API that is gone", object("batch/v1beta1", "CronJob", { spec: {} }), "api-removed"),
  row(
    "snippets of nginx (Kyverno restrict-annotations)",
    ingress({ rules: [] }, { "nginx.ingress.kubernetes.io/server-snippet": "return 200;" }),
    "net-ingress-control",
  ),
];

const cnpg = "postgresql.cnpg.io/v1";
const database = (spec: Tree) =>
  object(cnpg, "Cluster", { spec: { instances: 2, imageName: "ghcr.io/cloudnative-pg/postgresql:16.4", ...spec } });
const pooler = (container: Tree, pod: Tree = {}) =>
  object(cnpg, "Pooler", {
    spec: {
      cluster: { name: "forge-db" },
      instances: 2,
      template: { spec: { containers: [{ name: "pgbouncer", ...container }], ...pod } },
    },
  });
const security = "wl-pod-security";
const prometheus = "monitoring.coreos.com/v1";
const scaler = (name: string, spec: Tree, target: Tree = {}) =>
  object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name, ...target }, ...spec },
  });
const keda = (name: string, spec: Tree, target: Tree = {}) =>
  object("keda.sh/v1alpha1", "ScaledObject", {
    spec: { scaleTargetRef: { name, ...target }, triggers: [{ type: "cpu" }], ...spec },
  });
const cluster = { apiVersion: cnpg, kind: "Cluster" };
const address = "https://app:hunter2@example.org/";
const secrets = "sec-no-plain-secret";
const solver = (podTemplate: Tree) => ({
  spec: { acme: { solvers: [{ http01: { ingress: { podTemplate: { spec: podTemplate } } } }] } },
});

/** What operators bring: CloudNativePG, cert-manager, Traefik, External Secrets, Prometheus, and those of autoscaling. */
export const operatorRows: readonly Row[] = [
  row("a pooler that is privileged", pooler({ securityContext: { privileged: true } }), security),
  row("a pooler as root", pooler({ securityContext: { runAsUser: 0 } }), security),
  row("a pooler with capabilities", pooler({ securityContext: { capabilities: { add: ["NET_ADMIN"] } } }), security),
  row("a pooler on the node's network", pooler({}, { hostNetwork: true }), security),
  row("a pooler with the node's folder", pooler({}, { volumes: [{ name: "a", hostPath: { path: "/" } }] }), security),
  row("a pooler that may escalate", pooler({ securityContext: { allowPrivilegeEscalation: true } }), security),
  row("a pooler of no limits", pooler({}), "wl-resources"),
  row(
    "a pooler of anybody's image",
    object(cnpg, "Pooler", { spec: { cluster: { name: "a" }, pgbouncer: { image: "evil.example.com/pgbouncer:1" } } }),
    "wl-image-registry",
  ),
  row("a database without a seccomp filter", database({ seccompProfile: { type: "Unconfined" } }), security),
  row("a database that may be root", database({ podSecurityContext: { runAsNonRoot: false } }), security),
  row("a privileged database", database({ securityContext: { privileged: true } }), security),
  row(
    "a database of a moving image",
    database({ imageName: "ghcr.io/cloudnative-pg/postgresql:latest" }),
    "wl-image-tag",
  ),
  row(
    "a database of anybody's image",
    database({ imageName: "evil.example.com/postgresql:16.4" }),
    "wl-image-registry",
  ),
  row(
    "a database of another major version",
    database({ imageName: "ghcr.io/cloudnative-pg/postgresql:9.6" }),
    "lim-shared-db-major",
  ),
  row("a database of one instance", database({ instances: 1 }), "lim-db-replicas"),
  row("a database of nine instances", database({ instances: 9 }), "lim-db-replicas"),
  row("a database without a backup", database({}), "st-database-backup"),
  row("a database nobody protects", database({}), "st-protect"),
  row("a database of no limits", database({}), "wl-resources"),
  row(
    "a database on another class",
    database({ storage: { size: "10Gi", storageClass: "standard" } }),
    "lim-storage-class",
  ),
  row(
    "a database's address with its password",
    database({ externalClusters: [{ name: "old", connectionParameters: { host: "postgres://app:hunter2@db/app" } }] }),
    secrets,
  ),
  row(
    "an object store without its keys",
    object("barmancloud.cnpg.io/v1", "ObjectStore", { spec: { configuration: { s3Credentials: {} } } }),
    "sec-object-store-keys",
  ),
  row(
    "an object store that keeps nothing",
    object("barmancloud.cnpg.io/v1", "ObjectStore", { spec: { retentionPolicy: "1d" } }),
    "st-database-backup",
  ),
  row(
    "an object store's address with a password",
    object("barmancloud.cnpg.io/v1", "ObjectStore", {
      spec: { retentionPolicy: "30d", configuration: { endpointURL: address } },
    }),
    secrets,
  ),
  row(
    "a keystore by an autoscaler (Polaris hpaMinAvailability)",
    scaler("keystore", { minReplicas: 2, maxReplicas: 2 }),
    "lim-keystore-replicas",
  ),
  row("a keystore by KEDA", keda("keystore", { minReplicaCount: 2, maxReplicaCount: 4 }), "lim-keystore-replicas"),
  row("a keystore that KEDA stops", keda("keystore", { maxReplicaCount: 1 }), "lim-keystore-replicas"),
  row(
    "a keystore of a Rollout",
    object("argoproj.io/v1alpha1", "Rollout", { spec: { replicas: 3 } }, { name: "keystore" }),
    "lim-keystore-replicas",
  ),
  row(
    "a suite by an autoscaler from five",
    scaler("cloudsuite", { minReplicas: 5, maxReplicas: 5 }),
    "lim-cloudsuite-replicas",
  ),
  row(
    "a suite by an autoscaler from five, up to three",
    scaler("cloudsuite", { minReplicas: 5, maxReplicas: 3 }),
    "lim-cloudsuite-replicas",
  ),
  row("a suite by KEDA's default of a hundred", keda("cloudsuite", { minReplicaCount: 1 }), "lim-cloudsuite-replicas"),
  row(
    "a suite by an older API of autoscalers",
    { ...scaler("cloudsuite", { maxReplicas: 9 }), apiVersion: "autoscaling/v1" },
    "lim-cloudsuite-replicas",
  ),
  row(
    "a suite that a Rollout takes over",
    object("argoproj.io/v1alpha1", "Rollout", {
      spec: { replicas: 9, workloadRef: { kind: "Deployment", name: "cloudsuite" } },
    }),
    "lim-cloudsuite-replicas",
  ),
  row(
    "a suite of a kind nobody knows",
    object("example.org/v1", "App", { spec: { replicas: 9 } }, { name: "cloudsuite" }),
    "lim-cloudsuite-replicas",
  ),
  row(
    "a database by an autoscaler",
    scaler("forge-db", { minReplicas: 3, maxReplicas: 5 }, cluster),
    "lim-db-replicas",
  ),
  row("a database by KEDA", keda("forge-db", { minReplicaCount: 0, maxReplicaCount: 5 }, cluster), "lim-db-replicas"),
  row(
    "the forge's web pods by KEDA from none",
    keda("forge-webservice", { maxReplicaCount: 9 }),
    "lim-forge-web-replicas",
  ),
  row(
    "the forge's web pods by an autoscaler's default",
    scaler("forge-webservice", { maxReplicas: 9 }),
    "lim-forge-web-replicas",
  ),
  row(
    "a solver's pods that are privileged",
    object("cert-manager.io/v1", "ClusterIssuer", solver({ securityContext: { runAsNonRoot: false } })),
    security,
  ),
  row(
    "a solver's pods as root",
    object("cert-manager.io/v1", "Issuer", solver({ securityContext: { runAsUser: 0 } })),
    security,
  ),
  row(
    "an issuer's address with a password",
    object("cert-manager.io/v1", "Issuer", { spec: { acme: { server: address } } }),
    secrets,
  ),
  row(
    "a middleware that passes a token on",
    object("traefik.io/v1alpha1", "Middleware", {
      spec: { headers: { customRequestHeaders: { Note: "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5" } } },
    }),
    secrets,
  ),
  row(
    "a middleware that asks at an address with a password",
    object("traefik.io/v1alpha1", "Middleware", { spec: { forwardAuth: { address } } }),
    secrets,
  ),
  row(
    "a store of secrets at an address with a password",
    object("external-secrets.io/v1", "SecretStore", { spec: { provider: { vault: { server: address } } } }),
    secrets,
  ),
  row(
    "a cluster's store of secrets with a token",
    object("external-secrets.io/v1", "ClusterSecretStore", {
      spec: { provider: { vault: { server: "https://vault", note: "glpat-aB3dE5fG7hI9jK1lM3nO" } } },
    }),
    secrets,
  ),
  row(
    "metrics from an address with a password",
    object("monitoring.coreos.com/v1alpha1", "ScrapeConfig", { spec: { httpSDConfigs: [{ url: address }] } }),
    secrets,
  ),
  row(
    "metrics sent to an address with a password",
    object(prometheus, "Prometheus", { spec: { remoteWrite: [{ url: address }] } }),
    secrets,
  ),
  row(
    "a privileged container of Prometheus",
    object(prometheus, "Prometheus", {
      spec: { containers: [{ name: "more", securityContext: { privileged: true } }] },
    }),
    security,
  ),
  row("Prometheus on the node's network", object(prometheus, "Prometheus", { spec: { hostNetwork: true } }), security),
  row(
    "Alertmanager as root",
    object(prometheus, "Alertmanager", { spec: { securityContext: { runAsUser: 0, runAsNonRoot: false } } }),
    security,
  ),
  row(
    "Prometheus on the node's disk",
    object(prometheus, "Prometheus", { spec: { volumes: [{ name: "a", hostPath: { path: "/data" } }] } }),
    security,
  ),
  row(
    "a site that syncs all the time",
    object("pages.kup6s.com/v1alpha1", "StaticSite", {
      spec: { repo: "https://example.org/a", domain: "a.example.org", syncInterval: "1s" },
    }),
    "lim-sync-interval",
  ),
  row(
    "a site's repository with a token",
    object("pages.kup6s.com/v1alpha1", "StaticSite", {
      spec: { repo: "https://tok:hunter2@example.org/a", domain: "a.example.org" },
    }),
    secrets,
  ),
  row(
    "an agent of anybody's operator with the node's socket",
    object("example.org/v1", "Agent", {
      spec: { mounts: [{ hostPath: { path: "/run/containerd/containerd.sock" } }] },
    }),
    security,
  ),
  row(
    "a database that says it needs no budget (Polaris missingPodDisruptionBudget)",
    database({ enablePDB: false }),
    "wl-disruption-budget",
  ),
  row(
    "a budget for nobody's pods",
    object("policy/v1", "PodDisruptionBudget", {
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: "nobody" } } },
    }),
    "net-selector",
  ),
  row("an autoscaler of nothing", scaler("app", { minReplicas: 2, maxReplicas: 50 }), "net-selector"),
];
